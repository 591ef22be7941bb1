// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/offscreen/render_arguments.h"

#include "ui/compare/comparison.h"
#include "ui/offscreen/argument_values.h"
#include "ui/offscreen/examples.h"
#include "ui/planner/scenario_list.h"
#include "ui/profile/profile_tables.h"
#include "ui/validation/measured_tabs.h"
#include "ui/weight_file/weight_file.h"

#include <array>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr std::string_view kRenderDetails = R"(
The same file gives the same bytes every time. What is written replaces the file of its name once
all of it is on the disk, never one that is read. - as FILE is the standard output and needs
--format; a device or a pipe is written into.
)";

/// "1600x900" within the limits of a picture.
std::optional<QSize> sizeFrom(const QString &text)
{
    const QStringList parts = text.split(u'x');
    bool wide = false;
    bool high = false;
    if (parts.size() != 2)
        return {};
    const QSize size(parts[0].toInt(&wide), parts[1].toInt(&high));
    const auto fine = [](int length) { return length >= 16 && length <= 16'384; };
    return wide && high && fine(size.width()) && fine(size.height()) ? std::optional(size)
                                                                     : std::nullopt;
}

bool setPlanView(RenderRequest &request, const QString &place)
{
    request.planView = planViewNamed(place);
    return request.planView.has_value();
}

bool setTraceView(RenderRequest &request, const QString &place)
{
    const auto view = traceViewNamed(place);
    request.trace.view = view.value_or(TraceView::Active);
    return view.has_value();
}

template<auto named>
bool setPlace(RenderRequest &request, const QString &place)
{
    request.place = place;
    return named(place).has_value();
}

/// A page as a view: what it shows, how to go to a place on it, and how a file is recognised and
/// read that has this page for its kind alone.
struct PageView
{
    QStringView name;
    QStringView help;        ///< in lines of 58 letters
    QStringView places = {}; ///< for the help: "TABLE" in "profile/TABLE"
    bool (*setPlace)(RenderRequest &request, const QString &place) = nullptr;
    bool (*recognises)(const QString &path) = nullptr;
    Result<DocumentPointer> (*read)(const QString &path, const Progress &progress) = nullptr;
};

constexpr PageView kPageViews[] = {
    {u"plan",
     u"the page of a plan, with step, sweep, layouts, scale,\n"
     "strategy, allocator or compare below; plans of further\n"
     "files are compared with it",
     u"VIEW", setPlanView},
    {u"breakdown", u"of a plan: its stacked bars"},
    {u"trace", u"its whole page: with active memory, or with one of these", u"VIEW", setTraceView},
    {u"profile",
     u"of a profiler trace: its page, with kernels, operators,\n"
     "collectives, launches, idle, steps or breakdown below",
     u"TABLE", setPlace<profileTabNamed>},
    {u"series", u"of a memory timeline or a log of nvidia-smi"},
    {u"serving-log",
     u"of what a serving engine logged while it started; a plan\nafter it is compared with it"},
    {u"compare", u"of two to eight recorded snapshots; of two profiler\n"
                 "traces; of a profiler trace and a snapshot of its run,\n"
                 "the one over the other"},
    {u"reconcile", u"of a plan and a recorded snapshot of its run"},
    {u"ranks", u"of a folder with the snapshots or the profiler traces of\na run"},
    {u"weights", u"of a GGUF model: its page", {}, nullptr, isWeightFile, readWeightFile},
    {u"trust",
     u"of the measured figures that ship, or of the published\ntraining speeds; takes no FILE",
     u"throughput", setPlace<measuredTabNamed>},
};

/// Names, and from column 43 on the lines of what they mean.
QString viewLine(const QString &names, QStringView meaning)
{
    const QString lines = meaning.toString().replace(u'\n', u'\n' + QString(43, u' '));
    return u"  %1%2\n"_s.arg(names, -41).arg(lines);
}

/// The views of a recording, those with the same help in one row.
QString traceViewsHelp()
{
    QString text;
    for (const TraceViewRow &row : traceViews()) {
        QStringList names;
        for (const TraceViewRow &other : traceViews())
            names += other.help == row.help ? QStringList(other.name) : QStringList();
        if (names.front() == row.name)
            text += viewLine(names.join(u", "), row.help);
    }
    return text;
}

/// A view by its name: "plan", "trace/reserved" (the page with this view in its middle) or
/// "reserved" (the view alone).
bool setView(RenderRequest &request, const QString &value)
{
    const qsizetype slash = value.indexOf(u'/');
    request.view = slash < 0 ? value : value.first(slash);
    const auto *page = std::ranges::find(kPageViews, QStringView(request.view), &PageView::name);
    if (page == std::end(kPageViews))
        return slash < 0 && setTraceView(request, value);
    return slash < 0 || (page->setPlace && page->setPlace(request, value.sliced(slash + 1)));
}

/// "120" as an event.
std::optional<EventIndex> eventFrom(QStringView text)
{
    bool fine = false;
    const EventIndex event = text.toInt(&fine);
    return fine && event >= 0 ? std::optional(event) : std::nullopt;
}

/// "100:2000" as the events from one to the other.
std::optional<EventSpan> rangeFrom(QStringView text)
{
    const qsizetype colon = text.indexOf(u':');
    if (colon < 0)
        return std::nullopt;
    const auto first = eventFrom(text.left(colon));
    const auto last = eventFrom(text.mid(colon + 1));
    return first && last && *first <= *last ? std::optional(EventSpan{*first, *last})
                                            : std::nullopt;
}

std::optional<int> numberFrom(const QString &text)
{
    bool fine = false;
    const int number = text.toInt(&fine);
    return fine ? std::optional(number) : std::nullopt;
}

std::optional<double> scaleFrom(const QString &text)
{
    bool fine = false;
    const double scale = text.toDouble(&fine);
    return fine && scale >= 1 && scale <= 4 ? std::optional(scale) : std::nullopt;
}

std::optional<bool> isDarkTheme(const QString &name)
{
    return name == u"dark"    ? std::optional(true)
           : name == u"light" ? std::optional(false)
                              : std::nullopt;
}

std::optional<Cost> costFrom(const QString &name)
{
    return costNamed(name.toStdString());
}

std::optional<ColorBy> colorFrom(const QString &name)
{
    return colorByNamed(name);
}

std::optional<ViewFormat> formatFrom(const QString &name)
{
    return viewFormatOf(u'.' + name);
}

template<auto member, auto valueFrom>
bool assignShot(RenderRequest &request, const QString &text)
{
    const auto value = valueFrom(text);
    if (value)
        request.trace.*member = *value;
    return value.has_value();
}

using RenderRow = ArgumentRow<RenderRequest>;
constexpr std::array kRenderRows{
    RenderRow{{"--view", "VIEW", "what is drawn, one of the views below"}, setView},
    RenderRow{{"--out", "FILE", "where to; -: the standard output", false, "-o"},
              assign<&RenderRequest::out, textFrom>},
    RenderRow{
        {"--format", "F",
         "png, svg or pdf, or of the table csv, md or json, where the ending of FILE does not say"},
        assign<&RenderRequest::format, formatFrom>},
    RenderRow{{"--size", "WxH", "of a picture, in pixels; 1600x1000 by default"},
              assign<&RenderRequest::size, sizeFrom>},
    RenderRow{{"--scale", "1…4", "a PNG has up to four pixels to each of these"},
              assign<&RenderRequest::scale, scaleFrom>},
    RenderRow{{"--caption", "",
               "title, capacity, source and the file's date (or that of $SOURCE_DATE_EPOCH) around "
               "a picture"}},
    RenderRow{{"--title", "TEXT", "a caption with another title"},
              assign<&RenderRequest::title, textFrom>},
    RenderRow{{"--redact", "", "without names of users and machines and home folders"}},
    RenderRow{{"--theme", "light|dark", "light by default"},
              assign<&RenderRequest::dark, isDarkTheme>},
    kUnitRow<RenderRequest>,
    RenderRow{{"--device", "N", "by default the one that ran out of memory, or else did most"},
              assign<&RenderRequest::device, numberFrom>},
    RenderRow{
        {"--color", "BY", "of allocations: stack, category, size, age, stream, pool or metadata"},
        assignShot<&TraceShot::colorBy, colorFrom>},
    RenderRow{{"--cost", "COST",
               "of stacks: live (after --event), peak, byte-time, total, temporary or never-freed"},
              assignShot<&TraceShot::cost, costFrom>},
    RenderRow{{"--event", "N", "where the cursor stands; events are numbered from 0"},
              assignShot<&TraceShot::event, eventFrom>},
    RenderRow{{"--range", "FIRST:LAST", "the events that a timeline shows; all by default"},
              assignShot<&TraceShot::range, rangeFrom>},
};
constexpr auto kRenderOptions = optionsOf(kRenderRows);

/// The error for an option that the view does not support; empty if there is no such option.
QString misplaced(const RenderRequest &request, bool costNamed)
{
    const bool page = request.view == u"trace"_s;
    const bool ofTrace = page || traceViewNamed(request.view);
    const TraceShot &shot = request.trace;
    if (shot.event && !ofTrace)
        return u"--event goes with views of a trace"_s;
    if (shot.range && !(page || (ofTrace && rowOf(shot.view).timeline)))
        return u"--range goes with the page of a trace and with views along its events: "
               "active-memory, reserved, bands and lanes"_s;
    if (costNamed && !(ofTrace && shot.view == TraceView::Stacks))
        return u"--cost goes with stacks and trace/stacks"_s;
    return {};
}

/// The error for a number of files that the view does not take.
QString misfitting(const QString &view, std::size_t files)
{
    if (view == u"compare"_s)
        return isComparable(files) ? QString()
                                   : u"compare needs two to %1 recordings"_s.arg(kMostCompared);
    if (view == u"reconcile"_s)
        return files == 2 ? QString() : u"reconcile needs a plan and a recording"_s;
    if (view == u"trust"_s)
        return files == 0 ? QString() : u"trust shows the figures that ship and takes no file"_s;
    if (files == 0)
        return u"needs a file"_s;
    if (view == u"plan"_s)
        return files <= 1 + ScenarioList::kMost
                   ? QString()
                   : u"a plan is compared with %1 others at most"_s.arg(ScenarioList::kMost);
    if (view == u"serving-log"_s)
        return files <= 2 ? QString() : u"a log is compared with one plan only"_s;
    return files == 1 ? QString() : u"draws one file"_s;
}

} // namespace

const cli::Command kRenderCommand{
    "render",
    "[FILE…]",
    "One view, drawn without a screen: a picture, or the table that goes with it.",
    0,
    cli::kAnyNumber,
    kRenderOptions,
    kRenderDetails};

QString viewsHelp()
{
    QString text = u"VIEW is one of these:\n"_s;
    for (const PageView &page : kPageViews) {
        const QString name = page.name.toString();
        const QString names = page.places.isEmpty() ? name : u"%1, %1/%2"_s.arg(name, page.places);
        text += (name == u"trace" ? traceViewsHelp() : QString()) + viewLine(names, page.help);
    }
    return text;
}

DocumentReader readerOf(const QString &path)
{
    const auto page = std::ranges::find_if(
        kPageViews, [&](const PageView &each) { return each.recognises && each.recognises(path); });
    return page == std::end(kPageViews) ? DocumentReader() : page->read;
}

QString readArguments(const cli::Arguments &arguments, RenderRequest &request)
{
    request.files = filesOf(arguments);
    request.captioned = arguments.has("--caption") || arguments.has("--title");
    request.redacted = arguments.has("--redact");
    if (QString wrong = setValues(arguments, kRenderRows, request); !wrong.isEmpty())
        return wrong;
    if (QString wrong = misfitting(request.view, arguments.files.size()); !wrong.isEmpty())
        return wrong;
    if (request.view == u"trust"_s)
        request.files += trustPath();
    if (!arguments.has("--view"))
        return u"needs --view VIEW"_s;
    if (request.out.isEmpty())
        return u"needs --out FILE"_s;
    return misplaced(request, arguments.has("--cost"));
}

} // namespace vramscope
