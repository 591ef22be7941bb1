// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/breakdown.h"

#include "core/base/bytes.h"
#include "core/profile/intervals.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

namespace vramscope {

namespace {

enum class HtaClass : std::uint8_t { Unknown, Communication, Compute, Neither };

bool startsWithAny(std::string_view name, std::span<const std::string_view> starts)
{
    return std::ranges::any_of(starts,
                               [&](std::string_view each) { return name.starts_with(each); });
}

bool containsAny(std::string_view name, std::span<const std::string_view> parts)
{
    return std::ranges::any_of(parts,
                               [&](std::string_view each) { return name.find(each) != name.npos; });
}

/// HTA's lists of names, as of 2026.
HtaClass htaClass(std::string_view name)
{
    constexpr std::array<std::string_view, 3> kCommunication{"nccl", "hip", "hccl"};
    constexpr std::array<std::string_view, 10> kNoComputeStarts{
        "nccl",        "Stream Wait Event",
        "runFunction", "hip",
        "job_exe",     "packet",
        "pe_exe",      "cpum_exe_subgraph",
        "hccl",        "collective_subgraph_execution"};
    constexpr std::array<std::string_view, 4> kNoComputeParts{"Memcpy", "Memset", "dma", "Sync"};
    if (startsWithAny(name, kCommunication) || name.find("ncclKernel") != name.npos)
        return HtaClass::Communication;
    const bool launches = name.starts_with("cuda") && name.find("LaunchKernel", 4) != name.npos;
    if (startsWithAny(name, kNoComputeStarts) || containsAny(name, kNoComputeParts) || launches)
        return HtaClass::Neither;
    return HtaClass::Compute;
}

std::int64_t roundedDown(std::int64_t time)
{
    constexpr std::int64_t kMicrosecond = 1000;
    const std::int64_t rest = time % kMicrosecond;
    return time - (rest < 0 ? rest + kMicrosecond : rest);
}

/// The intervals that count, with the names that decide their class.
class HtaEvents
{
public:
    explicit HtaEvents(const Profile &profile)
        : m_profile(profile)
        , m_classes(profile.textCount(), HtaClass::Unknown)
    {
        const WorkColumns &work = profile.work();
        for (std::size_t row = 0; row < work.count(); ++row) {
            if (work.hasStream[row])
                add(work.start[row], work.end[row], work.name[row], work.call[row]);
        }
        const StreamedColumns &others = profile.streamed();
        for (std::size_t row = 0; row < others.count(); ++row)
            add(others.start[row], others.end[row], others.name[row], others.call[row]);
        if (std::ranges::any_of(m_every, [](const TimeInterval &each) {
                return each.start % 1000 != 0 || each.end % 1000 != 0;
            }))
            round();
    }

    [[nodiscard]] const std::vector<TimeInterval> &every() const { return m_every; }
    [[nodiscard]] std::vector<TimeInterval> of(HtaClass wanted) const
    {
        std::vector<TimeInterval> some;
        for (std::size_t at = 0; at < m_every.size(); ++at) {
            if (m_classes[static_cast<std::size_t>(m_names[at])] == wanted)
                some.push_back(m_every[at]);
        }
        return some;
    }

private:
    void add(std::int64_t start, std::int64_t end, StringId name, std::uint32_t call)
    {
        const auto last = m_profile.lastStepMark();
        if (last && (call == kNoRow || m_profile.calls().start[call] >= *last))
            return;
        HtaClass &known = m_classes[static_cast<std::size_t>(name)];
        if (known == HtaClass::Unknown)
            known = htaClass(m_profile.text(name));
        m_every.push_back({start, end});
        m_names.push_back(name);
    }
    void round()
    {
        for (TimeInterval &each : m_every)
            each = {roundedDown(each.start + 999), roundedDown(each.end)};
    }

    const Profile &m_profile;
    std::vector<HtaClass> m_classes; ///< by name
    std::vector<TimeInterval> m_every;
    std::vector<StringId> m_names;
};

} // namespace

std::optional<HtaBreakdown> asHta(const Profile &profile)
{
    const HtaEvents events(profile);
    const std::vector<TimeInterval> every = merged(events.every());
    if (every.empty())
        return std::nullopt;
    const std::vector<TimeInterval> communication = merged(events.of(HtaClass::Communication));
    const std::vector<TimeInterval> compute = merged(events.of(HtaClass::Compute));
    HtaBreakdown result;
    result.kernelTime = wrappingDifference(every.back().end, every.front().start);
    result.idle = wrappingDifference(result.kernelTime, lengthOf(every));
    result.compute = lengthOf(compute);
    result.nonCompute =
        wrappingDifference(wrappingDifference(result.kernelTime, result.idle), result.compute);
    result.communication = lengthOf(communication);
    result.overlapped = commonLength(communication, compute);
    return result;
}

} // namespace vramscope
