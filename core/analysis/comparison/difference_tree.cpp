// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/comparison/difference_tree.h"

#include "core/trace/trace_builder.h"

#include <unordered_map>

namespace vramscope {

namespace {

/// Copies stacks of one recording into another.
class StackCopier
{
public:
    StackCopier(const Trace &from, TraceBuilder &into)
        : m_from(from)
        , m_into(into)
    {
    }

    StackId copy(StackId stack)
    {
        std::vector<FrameId> frames;
        for (const FrameId id : m_from.stack(stack)) {
            const auto [place, isNew] = m_frames.try_emplace(id);
            if (isNew) {
                const Frame &frame = m_from.frame(id);
                place->second = m_into.internFrame(m_from.text(frame.name), m_from.text(frame.file),
                                                   frame.line);
            }
            frames.push_back(place->second);
        }
        return m_into.internStack(frames);
    }

private:
    const Trace &m_from;
    TraceBuilder &m_into;
    std::unordered_map<FrameId, FrameId> m_frames;
};

Costs costsOf(const ComparedSite &site)
{
    Costs costs;
    costs.live = {site.bytesA, site.countA};
    costs.peak = {site.bytesB, site.countB};
    if (const Bytes delta = site.delta(); delta != 0)
        costs.total = {delta < 0 ? wrappingDifference(0, delta) : delta, 1};
    return costs;
}

} // namespace

SiteStacks stacksOfSites(std::span<const ComparedSite> sites, const Trace &a, const Trace &b)
{
    TraceBuilder builder;
    StackCopier fromA(a, builder);
    StackCopier fromB(b, builder);
    SiteStacks stacks;
    for (const ComparedSite &site : sites) {
        const StackId stack = site.countA > 0 ? fromA.copy(site.stackA) : fromB.copy(site.stackB);
        const auto at = static_cast<std::size_t>(stack);
        if (stacks.byStack.size() <= at)
            stacks.byStack.resize(at + 1);
        stacks.byStack[at] += costsOf(site);
    }
    stacks.trace = builder.finish().value(); // without events no limit can be exceeded
    return stacks;
}

} // namespace vramscope
