// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/profiler_tables.h"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace vramscope {

/// What Nsight Compute counted of kernels of a recording, found by name and order of launch.
struct KernelCounters
{
    std::shared_ptr<const ProfilerTables> tables;
    /// By row of Profile::work(): of tables->launches; kNoRow: none is joined.
    std::vector<std::uint32_t> launch;
    std::int64_t kernels = 0;    ///< of the recording
    std::int64_t joined = 0;     ///< of the launches, and as many kernels
    std::int64_t otherName = 0;  ///< launches of names that the recording lacks
    std::int64_t otherShape = 0; ///< whose name it has, but in another grid or block
    std::int64_t tooMany = 0;    ///< of which it has fewer than the table
    /// Joined launches of which the recording has more than the table: the first are taken.
    std::int64_t assumedFirst = 0;
};

/// Joins the k-th launch of a name, grid and block under Nsight Compute with the k-th kernel of the
/// same in the recording, by the time of its launch. Grids and blocks count where both sides state
/// them, devices where the recording has several and the number occurs in it. The text of names
/// counts first, then kernelNameKey(): the function alone only where one side says no more.
[[nodiscard]] KernelCounters joinCounters(const Profile &profile,
                                          std::shared_ptr<const ProfilerTables> tables);

/// What a reader has to know of a join, a sentence each, the counts first.
[[nodiscard]] std::vector<std::string> joinSentences(const KernelCounters &counters);

/// Means over the launches of a kernel that are joined, weighted by the times of the recording.
class CounterMeans
{
public:
    void add(const CounterLaunch &launch, std::int64_t duration);
    [[nodiscard]] std::int64_t joined() const { return m_joined; }
    /// In per cent; nothing where no joined launch states it.
    [[nodiscard]] std::optional<double> mean(KernelCounter counter) const;

private:
    std::int64_t m_joined = 0;
    std::array<double, kKernelCounters> m_sums{};
    std::array<double, kKernelCounters> m_weights{};
};

/// The launches of one kernel under Nsight Compute, by its name as it is written.
struct CountedKernel
{
    std::string name;
    std::int64_t time = 0; ///< ns under Nsight Compute, of all its launches
    bool hasTime = false;  ///< false where no launch states its duration
    CounterMeans means{};  ///< weighted by these times
};

/// The longest first; those of one time in the order of their first launch.
[[nodiscard]] std::vector<CountedKernel> countedKernels(const ProfilerTables &tables);

/// What times of Nsight Compute are not.
inline constexpr std::string_view kCounterTimes =
    "Nsight Compute runs each kernel alone and again, by default at locked clocks: its times are "
    "not those of a run.";

} // namespace vramscope
