// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/profile_difference.h"

#include "core/base/bytes.h"
#include "core/profile/difference_items.h"

#include <algorithm>
#include <cstdlib>

namespace vramscope {

namespace {

constexpr std::array<std::string_view, kChangeStateCount> kStateTexts{
    "new", "removed", "more", "fewer", "slower", "faster", "equal"};

template<std::size_t Width>
struct MatchedItems
{
    std::uint32_t key = 0;
    int level = 0; ///< 0: on one side alone, and the key is of the last level
    std::array<std::array<std::int64_t, Width>, 2> sums{};
};

/// Rows of keys in order of their first item.
template<std::size_t Levels, std::size_t Width>
class ItemGroups
{
public:
    void add(std::uint32_t key, std::size_t side, const DifferenceItem<Levels, Width> &item)
    {
        if (key >= m_place.size())
            m_place.resize(std::size_t(key) + 1, kNoRow);
        if (m_place[key] == kNoRow) {
            m_place[key] = static_cast<std::uint32_t>(m_rows.size());
            m_rows.push_back({{key, 0, {}}, {}});
        }
        auto &[row, has] = m_rows[m_place[key]];
        has[side] = true;
        for (std::size_t at = 0; at < Width; ++at)
            row.sums[side][at] = wrappingSum(row.sums[side][at], item.figures[at]);
    }
    [[nodiscard]] bool isOnBoth(std::uint32_t key) const
    {
        const auto &has = m_rows[m_place[key]].second;
        return has[0] && has[1];
    }
    /// Adds those that are on both sides, or all.
    void take(std::vector<MatchedItems<Width>> &to, int level) const
    {
        for (const auto &[row, has] : m_rows) {
            if (level > 0 && (!has[0] || !has[1]))
                continue;
            to.push_back(row);
            to.back().level = level;
        }
    }

private:
    std::vector<std::uint32_t> m_place; ///< of a key
    std::vector<std::pair<MatchedItems<Width>, std::array<bool, 2>>> m_rows;
};

/// Level by level, each taking what the former left.
template<std::size_t Levels, std::size_t Width>
std::vector<MatchedItems<Width>>
matchedItems(std::array<std::vector<DifferenceItem<Levels, Width>>, 2> sides)
{
    std::vector<MatchedItems<Width>> rows;
    for (std::size_t level = 0; level < Levels; ++level) {
        ItemGroups<Levels, Width> groups;
        for (std::size_t side = 0; side < 2; ++side) {
            for (const auto &item : sides[side])
                groups.add(item.keys[level], side, item);
        }
        groups.take(rows, static_cast<int>(level) + 1);
        for (auto &side : sides)
            std::erase_if(side,
                          [&](const auto &item) { return groups.isOnBoth(item.keys[level]); });
    }
    ItemGroups<Levels, Width> left;
    for (std::size_t side = 0; side < 2; ++side) {
        for (const auto &item : sides[side])
            left.add(item.keys[Levels - 1], side, item);
    }
    left.take(rows, 0);
    return rows;
}

template<std::size_t Width>
ChangeState stateOf(const MatchedItems<Width> &row, std::size_t timeAt)
{
    const auto &[a, b] = row.sums;
    if (row.level == 0) {
        const bool isOfA = std::ranges::any_of(a, [](std::int64_t each) { return each != 0; });
        return isOfA ? ChangeState::Removed : ChangeState::New;
    }
    const std::size_t countAt = Width - 1;
    if (a[countAt] != b[countAt])
        return b[countAt] > a[countAt] ? ChangeState::More : ChangeState::Fewer;
    const std::int64_t delta = wrappingDifference(b[timeAt], a[timeAt]);
    if (std::abs(delta) <= a[timeAt] / 20)
        return ChangeState::Equal;
    return delta > 0 ? ChangeState::Slower : ChangeState::Faster;
}

std::vector<OperatorChange> operatorChanges(const DifferenceKeys &keys,
                                            const std::vector<MatchedItems<3>> &rows)
{
    std::vector<OperatorChange> changes;
    for (const MatchedItems<3> &row : rows) {
        const auto &[a, b] = row.sums;
        changes.push_back({keys.operatorText(row.key, row.level),
                           row.level,
                           {a[2], b[2]},
                           {a[0], b[0]},
                           {a[1], b[1]},
                           wrappingDifference(b[1], a[1]),
                           stateOf(row, 1)});
    }
    std::ranges::stable_sort(changes, [](const OperatorChange &a, const OperatorChange &b) {
        return std::abs(a.delta) != std::abs(b.delta) ? std::abs(a.delta) > std::abs(b.delta)
                                                      : a.key < b.key;
    });
    return changes;
}

std::vector<KernelChange> kernelChanges(const DifferenceKeys &keys,
                                        const std::vector<MatchedItems<2>> &rows)
{
    std::vector<KernelChange> changes;
    for (const MatchedItems<2> &row : rows) {
        const auto &[a, b] = row.sums;
        changes.push_back({keys.kernelClass(row.key, row.level),
                           keys.kernelName(row.key, row.level),
                           row.level,
                           {a[1], b[1]},
                           {a[0], b[0]},
                           wrappingDifference(b[0], a[0]),
                           stateOf(row, 0)});
    }
    std::ranges::stable_sort(changes, [](const KernelChange &a, const KernelChange &b) {
        return std::abs(a.delta) != std::abs(b.delta) ? std::abs(a.delta) > std::abs(b.delta)
                                                      : a.name < b.name;
    });
    return changes;
}

std::array<std::optional<std::string>, 2> stepsOf(const ProfileStudy &a, const ProfileStudy &b,
                                                  const DifferenceScope &scope)
{
    if (scope.kind == DifferenceScope::Kind::Named)
        return {scope.step, scope.step};
    const ProfileSteps &one = a.steps();
    const ProfileSteps &other = b.steps();
    if (scope.kind == DifferenceScope::Kind::All || !one.hasMedian || !other.hasMedian)
        return {};
    return {std::string(a.profile().text(one.steps[one.median].name)),
            std::string(b.profile().text(other.steps[other.median].name))};
}

} // namespace

std::string_view textOf(ChangeState state)
{
    return kStateTexts[static_cast<std::size_t>(state)];
}

std::string noDevicesComparedText(const ProfileDifference &difference)
{
    const bool hasA = difference.deviceTime[0] > 0;
    const bool hasB = difference.deviceTime[1] > 0;
    return std::string("Device work cannot be compared: ") +
           (hasA   ? "B has no"
            : hasB ? "A has no"
                   : "neither A nor B has a") +
           " device event in what is compared.";
}

ProfileDifference compareProfiles(const ProfileStudy &a, const ProfileStudy &b,
                                  const DifferenceScope &scope)
{
    ProfileDifference result;
    result.steps = stepsOf(a, b, scope);
    result.problems = {a.problems(), b.problems()};
    DifferenceKeys keys;
    DifferenceSide one = keys.side(a, result.steps[0]);
    DifferenceSide other = keys.side(b, result.steps[1]);
    result.deviceTime = {one.deviceTime, other.deviceTime};
    const auto ofA = breakdownByDevice(a.profile(), a.classes(), one.work);
    const auto ofB = breakdownByDevice(b.profile(), b.classes(), other.work);
    for (std::size_t at = 0; at < std::min(ofA.size(), ofB.size()); ++at)
        result.devices.push_back({{ofA[at], ofB[at]}});
    if (ofA.empty() != ofB.empty())
        return result;
    result.operators = operatorChanges(
        keys, matchedItems<4, 3>({std::move(one.operators), std::move(other.operators)}));
    result.kernels =
        kernelChanges(keys, matchedItems<2, 2>({std::move(one.kernels), std::move(other.kernels)}));
    return result;
}

} // namespace vramscope
