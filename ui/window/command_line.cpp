// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/command_line.h"

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

/// "plan", "breakdown", "series", "trace", "trace/reserved" (the page with this view in its middle)
/// or "reserved" (the view alone).
bool setView(RenderRequest &request, const QString &value)
{
    if (choose({{u"plan"_s, RenderView::Plan},
                {u"breakdown"_s, RenderView::Breakdown},
                {u"trace"_s, RenderView::Trace},
                {u"series"_s, RenderView::Series}},
               value, request.view))
        return true;
    const bool page = value.startsWith(u"trace/"_s);
    const auto view = traceViewNamed(QStringView(value).mid(page ? 6 : 0));
    request.view = page ? RenderView::Trace : RenderView::Timeline;
    request.traceView = view.value_or(TraceView::Active);
    return view && (page || timelineKind(*view));
}

/// Sets one option of a picture; false when the value is not one of its values.
bool setOption(RenderRequest &request, const QString &option, const QString &value)
{
    bool fine = true;
    if (option == u"--view")
        return setView(request, value);
    if (option == u"--color") {
        const auto by = colorByNamed(value);
        request.colorBy = by.value_or(ColorBy::Stack);
        return by.has_value();
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
    if (option == u"--device")
        request.device = value.toInt(&fine);
    else
        request.out = value;
    return fine && !value.isEmpty();
}

CommandLine parseRender(const QStringList &arguments)
{
    static const QStringList kOptions = {u"--view"_s,  u"--size"_s,   u"--theme"_s, u"--unit"_s,
                                         u"--color"_s, u"--device"_s, u"--out"_s};
    CommandLine line;
    line.mode = CommandLine::Mode::Render;
    bool viewNamed = false;
    for (qsizetype at = 0; at < arguments.size(); ++at) {
        const QString &argument = arguments[at];
        if (argument == u"--help")
            line.mode = CommandLine::Mode::Help;
        else if (!argument.startsWith(u"--"))
            line.files += argument;
        else if (!kOptions.contains(argument))
            return mistake(u"render has no option %1."_s.arg(argument));
        else if (at + 1 == arguments.size())
            return mistake(u"%1 needs a value."_s.arg(argument));
        else if (!setOption(line.render, argument, arguments[++at]))
            return mistake(u"%1 cannot be “%2”."_s.arg(argument, arguments[at]));
        viewNamed = viewNamed || argument == u"--view";
    }
    if (line.mode == CommandLine::Mode::Help)
        return line;
    if (line.files.size() != 1)
        return mistake(u"render needs one file."_s);
    if (!viewNamed)
        return mistake(u"render needs --view VIEW; --help names the views."_s);
    if (line.render.out.isEmpty())
        return mistake(u"render needs --out FILE.png."_s);
    line.render.file = line.files.first();
    return line;
}

} // namespace

CommandLine parseCommandLine(const QStringList &arguments)
{
    if (arguments.value(0) == u"render")
        return parseRender(arguments.mid(1));
    CommandLine line;
    bool onlyFiles = false;
    for (const QString &argument : arguments) {
        if (onlyFiles || !argument.startsWith(u'-'))
            line.files += argument;
        else if (argument == u"--")
            onlyFiles = true;
        else if (argument == u"--help" || argument == u"-h")
            line.mode = CommandLine::Mode::Help;
        else if (argument == u"--version")
            line.mode = CommandLine::Mode::Version;
        else if (argument == u"--check")
            line.mode = CommandLine::Mode::Check;
        else
            return mistake(u"There is no option %1."_s.arg(argument));
    }
    return line;
}

QString usageText()
{
    return uR"(Usage: vramscope [FILE…]
       vramscope render FILE --view VIEW --out FILE.png [--size WxH] [--theme light|dark]
                        [--unit gib|gb] [--device N] [--color BY]
       vramscope --check [FILE…]

Opens plans, recorded snapshots and curves over time in the window. render draws one view without
a screen:
  plan, breakdown                          of a plan
  active-memory, reserved, bands, lanes    of a recorded snapshot
  trace, trace/VIEW                        its whole page: with active memory, or with VIEW, which
                                           may also be state, events or stacks
  series                                   of a profiler trace, a memory timeline or a log of
                                           nvidia-smi
BY is what allocations are coloured by: stack, category, size, age, stream or pool.
--check opens the window without a screen, with the examples where no file is named, and ends
with status 0 when every page came up.
--help and --version say what they say.
)"_s;
}

} // namespace vramscope
