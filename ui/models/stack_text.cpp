// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/stack_text.h"

#include "core/analysis/costs/frame_rules.h"
#include "core/analysis/costs/frame_text.h"
#include "ui/support/text.h"

#include <QStringList>

namespace vramscope {

using namespace Qt::StringLiterals;

FrameLabel frameLabel(const Trace &trace, FrameId frame)
{
    const Frame &content = trace.frame(frame);
    const std::string_view file = fileName(trace.text(content.file));
    FrameLabel text{foreignText(trace.text(content.name)), {}};
    if (!file.empty() && file != "??")
        text.place = content.line > 0 ? u"%1:%2"_s.arg(foreignText(file)).arg(content.line)
                                      : foreignText(file);
    return text;
}

namespace {

QString noStackText()
{
    return u"(no stack recorded)"_s;
}

} // namespace

QString siteText(const Trace &trace, StackId stack)
{
    return toQString(bestFrameText(trace, stack));
}

QString siteName(const Trace &trace, StackId stack)
{
    const std::optional<FrameId> best = bestFrame(trace, stack);
    return best ? frameLabel(trace, *best).name : noStackText();
}

QString siteText(const Trace &trace, const Allocations &allocations, AllocationIndex allocation)
{
    const StackId freedIn = allocations.freedIn(allocation);
    return toQString(freedIn == StackId::None ? bestFrameText(trace, allocations.stack[allocation])
                                              : freedText(bestFrameText(trace, freedIn)));
}

QString groupText(const Trace &trace, const LiveGroup &group, FrameOrigins &origins)
{
    return toQString(siteText(trace, group, origins));
}

QString stackText(const Trace &trace, StackId stack)
{
    QString text;
    for (const FrameId frame : trace.stack(stack)) {
        const Frame &content = trace.frame(frame);
        text +=
            u"%1  %2:%3\n"_s
                .arg(foreignText(trace.text(content.name)), foreignText(trace.text(content.file)))
                .arg(content.line);
    }
    return text;
}

} // namespace vramscope
