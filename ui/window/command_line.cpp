// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/command_line.h"

#include "ui/compare/comparison.h"
#include "ui/planner/scenario_list.h"
#include "ui/window/examples.h"
#include "ui/window/option_words.h"

#include <QHash>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

CommandLine mistake(const QString &message)
{
    CommandLine line;
    line.mode = CommandLine::Mode::Mistake;
    line.message = message;
    return line;
}

/// "1600x900" within what a picture can be; null when it is not that.
QSize sizeFrom(const QString &text)
{
    const QStringList parts = text.split(u'x');
    bool wide = false;
    bool high = false;
    if (parts.size() != 2)
        return {};
    const QSize size(parts[0].toInt(&wide), parts[1].toInt(&high));
    const auto fine = [](int length) { return length >= 16 && length <= 16'384; };
    return wide && high && fine(size.width()) && fine(size.height()) ? size : QSize();
}

template<class Value>
bool choose(const QHash<QString, Value> &choices, const QString &text, Value &into)
{
    const auto found = choices.find(text);
    if (found == choices.end())
        return false;
    into = *found;
    return true;
}

/// "plan", "breakdown", "series", "compare", "reconcile", "ranks", "trust", "trace",
/// "trace/reserved" or "plan/sweep" (the page with this view in its middle) or "reserved" (the view
/// alone).
bool setView(RenderRequest &request, const QString &value)
{
    if (choose({{u"plan"_s, RenderView::Plan},
                {u"breakdown"_s, RenderView::Breakdown},
                {u"trace"_s, RenderView::Trace},
                {u"series"_s, RenderView::Series},
                {u"compare"_s, RenderView::Compare},
                {u"reconcile"_s, RenderView::Reconcile},
                {u"ranks"_s, RenderView::Ranks},
                {u"trust"_s, RenderView::Trust}},
               value, request.view))
        return true;
    if (value.startsWith(u"plan/"_s)) {
        request.view = RenderView::Plan;
        request.planView = planViewNamed(QStringView(value).mid(5));
        return request.planView.has_value();
    }
    const bool page = value.startsWith(u"trace/"_s);
    const auto view = traceViewNamed(QStringView(value).mid(page ? 6 : 0));
    request.view = page ? RenderView::Trace : RenderView::Alone;
    request.trace.view = view.value_or(TraceView::Active);
    return view.has_value();
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

/// An option that asks something of the view that not every view can answer, as a sentence; empty
/// where all is well.
QString misplaced(const RenderRequest &request, bool costNamed)
{
    const bool ofTrace = request.view == RenderView::Trace || request.view == RenderView::Alone;
    const bool page = request.view == RenderView::Trace;
    const TraceShot &shot = request.trace;
    if (shot.event && !ofTrace)
        return u"--event goes with views of a trace."_s;
    if (shot.range && !(page || (ofTrace && timelineKind(shot.view))))
        return u"--range goes with the page of a trace and with views along its events: "
               "active-memory, reserved, bands and lanes."_s;
    if (costNamed && !(ofTrace && shot.view == TraceView::Stacks))
        return u"--cost goes with stacks and trace/stacks."_s;
    return {};
}

/// Sets one option of a picture; false when the value is not one of its values.
bool setOption(RenderRequest &request, const QString &option, const QString &value)
{
    bool fine = true;
    if (option == u"--view")
        return setView(request, value);
    if (option == u"--color") {
        const auto by = colorByNamed(value);
        request.trace.colorBy = by.value_or(ColorBy::Stack);
        return by.has_value();
    }
    if (option == u"--cost") {
        const auto cost = costNamed(value.toStdString());
        request.trace.cost = cost.value_or(Cost::Peak);
        return cost.has_value();
    }
    if (option == u"--event") {
        request.trace.event = eventFrom(value);
        return request.trace.event.has_value();
    }
    if (option == u"--range") {
        request.trace.range = rangeFrom(value);
        return request.trace.range.has_value();
    }
    if (option == u"--theme")
        return choose({{u"light"_s, false}, {u"dark"_s, true}}, value, request.dark);
    if (option == u"--unit")
        return choose({{u"gib"_s, ByteUnit::Binary}, {u"gb"_s, ByteUnit::Decimal}}, value,
                      request.unit);
    if (option == u"--size") {
        request.size = sizeFrom(value);
        return request.size.isValid();
    }
    if (option == u"--format") {
        request.format = viewFormatOf(u'.' + value);
        return request.format.has_value();
    }
    if (option == u"--scale") {
        request.scale = value.toDouble(&fine);
        return fine && request.scale >= 1 && request.scale <= 4;
    }
    if (option == u"--device")
        request.device = value.toInt(&fine);
    else if (option == u"--title")
        request.title = value;
    else
        request.out = value;
    return fine && !value.isEmpty();
}

bool isComparable(const QStringList &files)
{
    return files.size() >= 2 && files.size() <= qsizetype(kMostCompared);
}

CommandLine parseRender(const QStringList &arguments)
{
    static const QStringList kOptions = {u"--view"_s,   u"--size"_s,  u"--theme"_s,  u"--unit"_s,
                                         u"--device"_s, u"--color"_s, u"--cost"_s,   u"--event"_s,
                                         u"--range"_s,  u"--out"_s,   u"--format"_s, u"--scale"_s,
                                         u"--title"_s};
    CommandLine line;
    line.mode = CommandLine::Mode::Render;
    static const QStringList kFlags = {u"--help"_s, u"-h"_s, u"--caption"_s, u"--redact"_s};
    QStringList named; // options
    for (OptionWords words(arguments); words.next();) {
        const QString word = words.word();
        if (words.isFile()) {
            line.files += word;
            continue;
        }
        named += word;
        if (kFlags.contains(word)) {
            if (words.isJoined())
                return mistake(u"%1 takes no value."_s.arg(word));
            continue;
        }
        if (!kOptions.contains(word))
            return mistake(u"render has no option %1."_s.arg(word));
        const auto value = words.value();
        if (!value)
            return mistake(u"%1 needs a value."_s.arg(word));
        if (!setOption(line.render, word, *value))
            return mistake(u"%1 cannot be “%2”."_s.arg(word, *value));
    }
    if (named.contains(u"--help") || named.contains(u"-h"))
        line.mode = CommandLine::Mode::Help;
    line.render.captioned = named.contains(u"--caption");
    line.render.redacted = named.contains(u"--redact");
    if (line.mode == CommandLine::Mode::Help)
        return line;
    const bool compares = line.render.view == RenderView::Compare;
    if (compares && !isComparable(line.files))
        return mistake(u"compare needs two to %1 recordings."_s.arg(kMostCompared));
    const bool holds = line.render.view == RenderView::Reconcile;
    if (holds && line.files.size() != 2)
        return mistake(u"reconcile needs a plan and a recording."_s);
    const bool trust = line.render.view == RenderView::Trust;
    if (trust && !line.files.isEmpty())
        return mistake(u"trust shows the figures that ship and takes no file."_s);
    if (trust)
        line.files += trustPath();
    const qsizetype most =
        line.render.view == RenderView::Plan ? 1 + qsizetype(ScenarioList::kMost) : 1;
    if (!compares && line.files.isEmpty())
        return mistake(u"render needs a file."_s);
    if (!compares && !holds && line.files.size() > most)
        return mistake(
            most == 1 ? u"render draws one file."_s
                      : u"A plan has room for %1 others beside it."_s.arg(ScenarioList::kMost));
    if (!named.contains(u"--view"))
        return mistake(u"render needs --view VIEW; --help names the views."_s);
    if (line.render.out.isEmpty())
        return mistake(u"render needs --out FILE."_s);
    if (const QString text = misplaced(line.render, named.contains(u"--cost")); !text.isEmpty())
        return mistake(text);
    line.render.captioned |= named.contains(u"--title");
    line.render.files = line.files;
    return line;
}

} // namespace

CommandLine parseCommandLine(const QStringList &arguments)
{
    if (arguments.value(0) == u"render")
        return parseRender(arguments.mid(1));
    CommandLine line;
    if (arguments.value(0) == u"report") {
        line.mode = CommandLine::Mode::Report;
        const QString message = parseReport(arguments.mid(1), line.report);
        if (line.report.wantsHelp)
            line.mode = CommandLine::Mode::Help;
        return message.isEmpty() ? line : mistake(message);
    }
    for (OptionWords words(arguments); words.next();) {
        const QString &argument = words.word();
        if (words.isFile())
            line.files += argument;
        else if (words.isJoined())
            return mistake(u"There is no option %1 with a value."_s.arg(argument));
        else if (argument == u"--help" || argument == u"-h")
            line.mode = CommandLine::Mode::Help;
        else if (argument == u"--version")
            line.mode = CommandLine::Mode::Version;
        else if (argument == u"--check")
            line.mode = CommandLine::Mode::Check;
        else if (argument == u"--compare")
            line.compares = true;
        else if (argument == u"--reconcile")
            line.holds = true;
        else if (argument == u"--trust")
            line.files += trustPath();
        else
            return mistake(u"There is no option %1."_s.arg(argument));
    }
    if (line.compares && line.mode == CommandLine::Mode::Check)
        return mistake(u"--check opens each file by itself; leave out --compare."_s);
    if (line.holds && line.mode == CommandLine::Mode::Check)
        return mistake(u"--check opens each file by itself; leave out --reconcile."_s);
    if (line.holds && line.compares)
        return mistake(u"--compare is for recordings, --reconcile for a plan and a recording; take "
                       u"one of them."_s);
    if (line.holds && line.mode == CommandLine::Mode::Window && line.files.size() != 2)
        return mistake(u"--reconcile needs a plan and a recording."_s);
    if (line.compares && line.mode == CommandLine::Mode::Window && !isComparable(line.files))
        return mistake(u"--compare needs two to %1 recordings."_s.arg(kMostCompared));
    return line;
}

} // namespace vramscope
