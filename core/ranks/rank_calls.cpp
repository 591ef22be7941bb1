// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ranks/rank_calls.h"

#include "core/profile/profile_study.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <map>
#include <string_view>
#include <utility>

namespace vramscope {

namespace {

/// Shortens the longest runs until all calls together are no more than `most`.
void keepFirst(RankCalls &runs, std::size_t most)
{
    std::vector<CallRun *> byLength;
    byLength.reserve(runs.size());
    for (CallRun &run : runs)
        byLength.push_back(&run);
    std::ranges::stable_sort(byLength, {}, [](const CallRun *run) { return run->calls.size(); });
    std::size_t left = most;
    for (std::size_t at = 0; at < byLength.size(); ++at) {
        const std::size_t share = left / (byLength.size() - at);
        std::vector<RankCall> &calls = byLength[at]->calls;
        calls.resize(std::min(calls.size(), share));
        left -= calls.size();
    }
}

/// The last step that called a piece of work; -1 where none did.
std::int32_t stepOf(const Profile &profile, const ProfileSteps &steps, std::uint32_t row)
{
    if (profile.work().call[row] == kNoRow)
        return -1;
    const std::int64_t called = profile.calls().start[profile.work().call[row]];
    const auto next = std::ranges::upper_bound(steps.steps, called, {}, &ProfileStep::start);
    const bool isIn = next != steps.steps.begin() && std::prev(next)->end > called;
    return isIn ? static_cast<std::int32_t>(next - steps.steps.begin()) - 1 : -1;
}

} // namespace

std::optional<std::int64_t> numberOfStep(std::string_view name)
{
    const std::size_t mark = name.find('#');
    if (mark == name.npos)
        return {};
    name.remove_prefix(mark + 1);
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
    return error == std::errc() && number >= 0 ? std::optional(number) : std::nullopt;
}

RankCalls rankCalls(const ProfileStudy &study, const ProfileSteps &steps, std::size_t most)
{
    const WorkColumns &work = study.profile().work();
    const Collectives &collectives = study.collectives();
    std::map<std::pair<std::string_view, std::string_view>, CallRun> runs;
    for (const CollectiveCall &call : collectives.calls) {
        const std::string &group = collectives.groups[call.group];
        CallRun &run = runs[{group, textOf(call.kind)}];
        run.group = group;
        run.kind = call.kind;
        ++run.count;
        run.calls.push_back({work.start[call.work], work.duration(call.work),
                             call.bytes.value_or(kNotStated), call.groupSize.value_or(kNotStated),
                             call.number, stepOf(study.profile(), steps, call.work)});
    }
    RankCalls all;
    all.reserve(runs.size());
    for (auto &[key, run] : runs)
        all.push_back(std::move(run));
    keepFirst(all, most);
    return all;
}

} // namespace vramscope
