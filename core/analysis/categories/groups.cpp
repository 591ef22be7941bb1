// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/categories/groups.h"

#include "core/analysis/categories/categories.h"
#include "core/analysis/costs/frame_text.h"
#include "core/analysis/replayed/annotation_ranges.h"
#include "core/analysis/steps/steps.h"
#include "core/analysis/study/study.h"
#include "core/base/format.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <unordered_map>

namespace vramscope {

namespace {

constexpr std::array<std::string_view, kGroupByCount> kGroupNames{
    "stack", "frame", "size", "category", "stream", "pool", "annotation", "step", "metadata"};

constexpr std::uint64_t kRounding = 512;  // of the allocator
constexpr std::uint64_t kSmall = 1 << 20; // rounded sizes up to here come from its small pool

// Numbers groups in the order of first occurrence. `id` is any 64-bit name of a group.
class Numbering
{
public:
    template<class Describe>
    void add(Keys &keys, std::uint64_t id, StackId stack, Describe &&describe)
    {
        if (!m_any || id != m_lastId) {
            const auto [place, isNew] =
                m_numbers.try_emplace(id, static_cast<std::uint32_t>(keys.keys.size()));
            if (isNew)
                keys.keys.push_back({describe(), stack});
            m_lastId = id;
            m_last = place->second;
            m_any = true;
        }
        keys.of.push_back(m_last);
    }

private:
    std::unordered_map<std::uint64_t, std::uint32_t> m_numbers;
    std::uint64_t m_lastId = 0;
    std::uint32_t m_last = 0;
    bool m_any = false;
};

template<class Identify, class Describe>
Keys numbered(const Allocations &allocations, Identify identify, Describe describe)
{
    Keys keys;
    keys.of.reserve(static_cast<std::size_t>(allocations.count()));
    Numbering numbering;
    for (std::size_t at = 0; at < allocations.birth.size(); ++at) {
        const std::uint64_t id = identify(at);
        numbering.add(keys, id, allocations.stack[at], [&] { return describe(id, at); });
    }
    return keys;
}

std::uint64_t sizeClass(Bytes size)
{
    const auto rounded = (static_cast<std::uint64_t>(std::max(size, Bytes(1))) + (kRounding - 1)) /
                         kRounding * kRounding;
    return static_cast<std::uint64_t>(std::bit_width(rounded - 1)); // rounded <= 2^class
}

std::string sizeClassText(std::uint64_t exponent)
{
    const std::uint64_t most = std::uint64_t(1) << std::min<std::uint64_t>(exponent, 62);
    std::string text = "up to " + formatBytes(static_cast<Bytes>(most));
    if (most > kRounding)
        text = "over " + formatBytes(static_cast<Bytes>(most / 2)) + ", " + text;
    return text + (most <= kSmall ? " (small pool)" : " (large pool)");
}

// A stack that freed memory from before the recording, whose allocation is not known, is another
// site than the same stack where it allocates.
constexpr std::uint64_t kFreed = std::uint64_t(1) << 40U;

std::uint64_t groupSite(const Allocations &allocations, std::size_t at)
{
    const StackId freedIn = allocations.freedIn(static_cast<AllocationIndex>(at));
    return freedIn == StackId::None ? static_cast<std::uint64_t>(allocations.stack[at])
                                    : kFreed | static_cast<std::uint64_t>(freedIn);
}

std::string groupText(std::uint64_t site, std::string place)
{
    return (site & kFreed) == 0 ? std::move(place) : freedText(place);
}

Keys byFrame(const Study &study)
{
    FrameOrigins origins(study.trace());
    std::vector<std::uint64_t> best(study.trace().stackCount() + 1); // 1 + frame, or 0
    std::vector<bool> known(best.size());
    const auto identify = [&](std::size_t at) {
        const std::uint64_t site = groupSite(study.allocations(), at);
        const auto stack = static_cast<std::size_t>(site & ~kFreed);
        if (!known[stack]) {
            known[stack] = true;
            const std::optional<FrameId> frame = origins.best(static_cast<StackId>(stack));
            best[stack] = frame ? 1 + static_cast<std::uint64_t>(*frame) : 0;
        }
        return best[stack] == 0 ? 0 : best[stack] | (site & kFreed);
    };
    return numbered(study.allocations(), identify, [&](std::uint64_t id, std::size_t) {
        return id == 0 ? std::string("(no stack recorded)")
                       : groupText(id, frameText(study.trace(),
                                                 static_cast<FrameId>((id & ~kFreed) - 1)));
    });
}

Keys byStack(const Study &study)
{
    FrameOrigins origins(study.trace());
    return numbered(
        study.allocations(), [&](std::size_t at) { return groupSite(study.allocations(), at); },
        [&](std::uint64_t id, std::size_t) {
            return groupText(id,
                             stackText(study.trace(), static_cast<StackId>(id & ~kFreed), origins));
        });
}

// The innermost open range is the one that began last among those that have not ended.
Keys byAnnotation(const Study &study)
{
    const std::vector<AnnotationRange> &ranges = study.annotations();
    constexpr std::uint64_t kBefore = 0;
    constexpr std::uint64_t kNone = 1;
    std::vector<std::size_t> open;
    std::size_t next = 0;
    const auto identify = [&](std::size_t at) {
        const EventIndex birth = study.allocations().birth[at];
        if (birth < 0)
            return kBefore;
        for (; next < ranges.size() && ranges[next].first <= birth; ++next)
            open.push_back(next);
        while (!open.empty() && ranges[open.back()].last <= birth)
            open.pop_back();
        return open.empty() ? kNone : 2 + static_cast<std::uint64_t>(ranges[open.back()].name);
    };
    return numbered(study.allocations(), identify, [&](std::uint64_t id, std::size_t) {
        if (id == kBefore)
            return std::string("(before the recording)");
        if (id == kNone)
            return std::string("(outside all annotations)");
        return std::string(study.trace().text(static_cast<StringId>(id - 2)));
    });
}

Keys byStep(const Study &study)
{
    const std::vector<Step> &steps = study.steps().steps;
    std::size_t next = 0;
    const auto identify = [&](std::size_t at) -> std::uint64_t {
        const EventIndex birth = study.allocations().birth[at];
        if (birth < 0)
            return 0;
        while (next < steps.size() && steps[next].last < birth)
            ++next;
        const bool inside = next < steps.size() && steps[next].first <= birth;
        return 1 + 2 * std::uint64_t(next) + (inside ? 1 : 0);
    };
    return numbered(study.allocations(), identify, [&](std::uint64_t id, std::size_t) {
        if (id == 0)
            return std::string("(before the recording)");
        const std::uint64_t place = (id - 1) / 2;
        if ((id - 1) % 2 == 1)
            return "step " + std::to_string(steps[place].number);
        if (steps.empty())
            return std::string("(no steps found)");
        if (place == 0)
            return "before step " + std::to_string(steps.front().number);
        return "after step " + std::to_string(steps[place - 1].number);
    });
}

Keys byMetadata(const Study &study)
{
    const Trace &trace = study.trace();
    constexpr std::uint64_t kBefore = 0;
    const auto identify = [&](std::size_t at) {
        const auto allocation = static_cast<AllocationIndex>(at);
        const auto context =
            static_cast<std::size_t>(study.allocations().noteOf(study.device(), allocation));
        const StringId note = trace.contexts()[context].userMetadata;
        const bool isBefore = study.allocations().birth[at] < 0 && note == StringId::Empty;
        return isBefore ? kBefore : 1 + static_cast<std::uint64_t>(note);
    };
    return numbered(study.allocations(), identify, [&](std::uint64_t id, std::size_t) {
        if (id == kBefore)
            return std::string("(before the recording)");
        const auto name = static_cast<StringId>(id - 1);
        return name == StringId::Empty ? std::string("(without metadata)")
                                       : std::string(trace.text(name));
    });
}

std::string poolText(const Pool &pool)
{
    if (pool == Pool{})
        return "default pool";
    return "pool (" + std::to_string(pool.first) + ", " + std::to_string(pool.second) + ")";
}

} // namespace

std::string_view groupByName(GroupBy by)
{
    return kGroupNames[static_cast<std::size_t>(by)];
}

std::optional<GroupBy> groupByNamed(std::string_view name)
{
    const auto found = std::ranges::find(kGroupNames, name);
    if (found == kGroupNames.end())
        return std::nullopt;
    return static_cast<GroupBy>(found - kGroupNames.begin());
}

Keys keysBy(GroupBy by, const Study &study)
{
    const Allocations &all = study.allocations();
    switch (by) {
    case GroupBy::Stack:
        return byStack(study);
    case GroupBy::Frame:
        return byFrame(study);
    case GroupBy::SizeClass:
        return numbered(
            all, [&](std::size_t at) { return sizeClass(all.requested[at]); },
            [](std::uint64_t id, std::size_t) { return sizeClassText(id); });
    case GroupBy::Category:
        return keysByCategory(all, study.categories());
    case GroupBy::Stream:
        return numbered(
            all, [&](std::size_t at) { return static_cast<std::uint64_t>(all.stream[at]); },
            [&](std::uint64_t id, std::size_t) {
                const std::int64_t stream =
                    id < study.trace().streams().size() ? study.trace().streams()[id] : 0;
                return stream == 0 ? std::string("stream 0 (default)")
                                   : "stream " + std::to_string(stream);
            });
    case GroupBy::Pool:
        return numbered(
            all, [&](std::size_t at) { return static_cast<std::uint64_t>(all.pool[at]); },
            [&](std::uint64_t id, std::size_t) { return poolText(study.trace().pools()[id]); });
    case GroupBy::Annotation:
        return byAnnotation(study);
    case GroupBy::Step:
        return byStep(study);
    case GroupBy::Metadata:
        return byMetadata(study);
    }
    return {};
}

Keys keysByCategory(const Allocations &allocations, const Categories &categories)
{
    return numbered(
        allocations,
        [&](std::size_t at) {
            return static_cast<std::uint64_t>(
                categories.of(static_cast<AllocationIndex>(at)).category);
        },
        [](std::uint64_t id, std::size_t) {
            return std::string(categoryWord(static_cast<Category>(id)));
        });
}

std::vector<Costs> costsByKey(const Keys &keys, const CostMeter &meter)
{
    std::vector<Costs> costs(keys.keys.size());
    for (std::size_t at = 0; at < keys.of.size(); ++at)
        costs[keys.of[at]] += meter.of(static_cast<AllocationIndex>(at));
    return costs;
}

std::vector<Costs> costsByStack(const Trace &trace, const CostMeter &meter,
                                std::span<const std::uint8_t> kept, const Progress &progress)
{
    std::vector<Costs> costs(trace.stackCount() + 1);
    const Allocations &allocations = meter.allocations();
    for (std::size_t at = 0; at < allocations.stack.size(); ++at) {
        if (!goesOn(progress, std::int64_t(at), allocations.count()))
            return std::vector<Costs>(costs.size());
        if (kept.empty() || kept[at] != 0)
            costs[static_cast<std::size_t>(allocations.stack[at])] +=
                meter.of(static_cast<AllocationIndex>(at));
    }
    return costs;
}

std::vector<Costs> inclusiveCostsByFrame(const Trace &trace, std::span<const Costs> byStack)
{
    std::vector<Costs> costs(trace.frameCount());
    std::vector<std::uint32_t> lastStack(trace.frameCount()); // 0 is no stack with frames
    for (std::size_t stack = 1; stack < byStack.size(); ++stack) {
        if (byStack[stack] == Costs{})
            continue;
        for (const FrameId id : trace.stack(static_cast<StackId>(stack))) {
            const auto frame = static_cast<std::size_t>(id);
            if (lastStack[frame] == stack)
                continue;
            lastStack[frame] = static_cast<std::uint32_t>(stack);
            costs[frame] += byStack[stack];
        }
    }
    return costs;
}

} // namespace vramscope
