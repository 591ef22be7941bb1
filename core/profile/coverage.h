// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/in_steps.h"
#include "core/base/max_tree.h"
#include "core/profile/profile.h"

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace vramscope {

/// As what a piece of work counts where times are divided: copies and fills are memory.
enum class CoverClass : std::uint8_t { Compute, Communication, Memory };

/// What a device does at a moment. Copies are those beside which nothing else runs.
enum class CoverKind : std::uint8_t { Idle, Compute, Both, Communication, Copies };
inline constexpr std::size_t kCoverCount = 5;

/// Nanoseconds of each CoverKind, by its number; together the length of the stretch asked about.
using CoverTimes = std::array<std::int64_t, kCoverCount>;

[[nodiscard]] inline std::int64_t timeOf(const CoverTimes &times, CoverKind cover)
{
    return times[static_cast<std::size_t>(cover)];
}

/// What one device did from its first event to the end of its last, over all of its streams: exact
/// for any stretch in two binary searches. Nine bytes a change.
class DeviceCover
{
public:
    /// `classes`: one entry a piece of work of the profile.
    DeviceCover(const Profile &profile, std::int64_t device, std::span<const CoverClass> classes);

    [[nodiscard]] std::int64_t device() const { return m_device; }
    [[nodiscard]] bool empty() const { return m_changes.empty(); }
    [[nodiscard]] std::int64_t start() const { return empty() ? 0 : m_changes.front(); }
    [[nodiscard]] std::int64_t end() const { return m_end; }

    /// What was done in [from, to). Before the first event and after the last it is idle.
    [[nodiscard]] CoverTimes within(std::int64_t from, std::int64_t to) const;
    /// The first moment after `time` at which the device did something else; none where it did not.
    [[nodiscard]] std::optional<std::int64_t> changeAfter(std::int64_t time) const;
    [[nodiscard]] CoverKind at(std::int64_t time) const;

private:
    static constexpr std::size_t kBlock = 64; // changes between two sums

    void change(std::int64_t time, CoverKind cover);
    // What was done from the first event until `time`, which is not before it.
    [[nodiscard]] CoverTimes until(std::int64_t time) const;

    std::int64_t m_device;
    std::int64_t m_end = 0;
    std::vector<std::int64_t> m_changes; // when something else begins
    std::vector<CoverKind> m_covers;     // what
    std::vector<CoverTimes> m_sums;      // before every kBlock-th change
};

/// A number that changes at moments and stands in between, with the highest of any stretch in
/// logarithmic time.
class TimeCurve
{
public:
    TimeCurve() = default;
    /// `times` ascending, each with a value.
    TimeCurve(std::vector<std::int64_t> times, std::vector<std::int64_t> values);
    TimeCurve(TimeCurve &&) = default;
    TimeCurve &operator=(TimeCurve &&) = default;

    [[nodiscard]] bool empty() const { return m_times.empty(); }
    [[nodiscard]] std::span<const std::int64_t> times() const { return m_times; }
    [[nodiscard]] std::span<const std::int64_t> values() const { return m_values; }
    /// Of what stands somewhere in [from, to) the place of the highest, the first of equals; none
    /// before the first.
    [[nodiscard]] std::optional<std::size_t> highest(std::int64_t from, std::int64_t to) const;
    /// What stands at a time; none before the first.
    [[nodiscard]] std::optional<std::int64_t> at(std::int64_t time) const;
    /// The place of the highest of all, the first of equals; none where it is empty.
    [[nodiscard]] std::optional<std::size_t> peak() const;

private:
    std::vector<std::int64_t> m_times;
    std::vector<std::int64_t> m_values;
    MaxTree<std::int64_t> m_highest;
};

/// The devices that lanes belong to, ascending.
[[nodiscard]] std::vector<std::int64_t> devicesOf(const Profile &profile);

/// How much work of a device was launched and had not begun, over all of its streams: one more when
/// its call begins, one less when it does. Work without a recorded call, or that began before its
/// call, is left out. Empty where tick() said to stop.
[[nodiscard]] TimeCurve queueLength(const Profile &profile, std::int64_t device, const Tick &tick);

} // namespace vramscope
