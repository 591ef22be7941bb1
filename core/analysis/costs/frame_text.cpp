// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/costs/frame_text.h"

#include "core/base/format.h"
#include "core/base/text.h"

#include <algorithm>

namespace vramscope {

namespace {

// Limits a name or path in a text. Frames share names: a file can store a long one once, but it
// would be written out many times.
constexpr std::size_t kLongestText = 500;

} // namespace

FrameOrigins::FrameOrigins(const Trace &trace)
    : m_trace(trace)
    , m_origins(trace.frameCount())
{
}

FrameOrigin FrameOrigins::of(FrameId frame)
{
    std::uint8_t &known = m_origins[static_cast<std::size_t>(frame)];
    if (known == 0)
        known = static_cast<std::uint8_t>(1 + static_cast<int>(frameOrigin(m_trace, frame)));
    return static_cast<FrameOrigin>(known - 1);
}

std::optional<FrameId> FrameOrigins::best(StackId stack)
{
    std::optional<FrameId> found;
    auto origin = FrameOrigin::Plumbing;
    for (const FrameId frame : m_trace.stack(stack)) {
        const FrameOrigin candidate = of(frame);
        if (!found || candidate < origin) {
            found = frame;
            origin = candidate;
        }
        if (origin == FrameOrigin::User)
            break;
    }
    return found;
}

std::string_view shownFile(std::string_view file)
{
    constexpr std::string_view kPackages = "site-packages/";
    const std::size_t at = file.rfind(kPackages);
    return at == std::string_view::npos ? file : file.substr(at + kPackages.size());
}

std::string shownName(std::string_view name)
{
    if (name.find("::") == name.npos && name.find('(') == name.npos)
        return std::string(name);
    std::string shown;
    int depth = 0; // of template arguments
    for (std::size_t at = 0; at < name.size(); ++at) {
        const char byte = name[at];
        const bool isArrow = byte == '>' && at > 0 && name[at - 1] == '-';
        if (byte == '<') {
            ++depth;
        } else if (byte == '>' && !isArrow) {
            depth = std::max(depth - 1, 0);
        } else if (depth == 0) {
            constexpr std::string_view kAnonymous = "(anonymous namespace)";
            if (name.substr(at).starts_with(kAnonymous)) {
                at += kAnonymous.size() + 1; // and the colons
                continue;
            }
            if (byte == '(' && !shown.empty() && !shown.ends_with("operator"))
                break;
            if (byte == ' ')
                shown.clear(); // a result type
            else
                shown += byte;
        }
    }
    return shown.empty() ? std::string(name) : shown;
}

namespace {

std::string frameText(const Trace &trace, FrameId id, const char *at)
{
    const Frame &frame = trace.frame(id);
    std::string text = excerpt(trace.text(frame.name), kLongestText);
    text += at + printable(lastBytes(shownFile(trace.text(frame.file)), kLongestText));
    return frame.line > 0 ? text + ":" + std::to_string(frame.line) : text;
}

} // namespace

std::string frameText(const Trace &trace, FrameId id)
{
    return frameText(trace, id, "  ");
}

namespace {

std::string shortFrameText(const Trace &trace, FrameId id)
{
    const Frame &frame = trace.frame(id);
    const std::string file = printable(fileName(trace.text(frame.file)));
    std::string text = printable(trace.text(frame.name));
    if (file.empty() || file == "??")
        return text;
    text += "  " + file;
    return frame.line > 0 ? text + ":" + std::to_string(frame.line) : text;
}

constexpr const char *kNoStack = "(no stack recorded)";

} // namespace

std::string bestFrameText(const Trace &trace, StackId stack)
{
    const std::optional<FrameId> best = bestFrame(trace, stack);
    return best ? shortFrameText(trace, *best) : kNoStack;
}

std::optional<StackSite> siteOf(const Trace &trace, StackId stack, FrameOrigins &origins)
{
    const std::optional<FrameId> best = origins.best(stack);
    if (!best)
        return std::nullopt;
    const std::span<const FrameId> frames = trace.stack(stack);
    const auto python = std::find_if(frames.begin(), frames.end(), [&](FrameId frame) {
        return trace.text(trace.frame(frame).file).ends_with(".py");
    });
    const FrameOrigin origin = origins.of(*best);
    const bool calls = origin == FrameOrigin::User || origin == FrameOrigin::Library;
    if (!calls || python == frames.end() || *python == *best)
        return StackSite{*best, std::nullopt};
    return StackSite{*best, *python};
}

namespace {

std::string siteText(const Trace &trace, StackId stack, FrameOrigins &origins, const char *at,
                     const char *from)
{
    const std::optional<StackSite> site = siteOf(trace, stack, origins);
    if (!site)
        return kNoStack;
    const std::string best = frameText(trace, site->best, at);
    return site->callee ? frameText(trace, *site->callee, at) + from + best : best;
}

} // namespace

std::string stackText(const Trace &trace, StackId stack, FrameOrigins &origins)
{
    return siteText(trace, stack, origins, "  ", "  from  ");
}

std::string stackProse(const Trace &trace, StackId stack, FrameOrigins &origins)
{
    return siteText(trace, stack, origins, " at ", ", called from ");
}

std::string freedText(const std::string &place)
{
    return "freed in " + place + ", allocated before the recording";
}

std::string shortStackText(const Trace &trace, StackId stack, FrameOrigins &origins)
{
    const std::optional<StackSite> site = siteOf(trace, stack, origins);
    if (!site)
        return kNoStack;
    const std::string best = shortFrameText(trace, site->best);
    return site->callee ? best + "  ·  " + shortFrameText(trace, *site->callee) : best;
}

std::string siteText(const Trace &trace, const LiveGroup &group, FrameOrigins &origins)
{
    return group.freedIn == StackId::None
               ? shortStackText(trace, group.stack, origins)
               : freedText(shortStackText(trace, group.freedIn, origins));
}

} // namespace vramscope
