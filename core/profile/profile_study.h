// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/breakdown.h"
#include "core/profile/collectives.h"
#include "core/profile/idle.h"
#include "core/profile/kernel_counters.h"
#include "core/profile/kernel_table.h"
#include "core/profile/launches.h"
#include "core/profile/operator_table.h"
#include "core/profile/profile_steps.h"

#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace vramscope {

struct Finding;

/// A profile and everything that is known of it under one set of rules. Each part is made when it
/// is first asked for, once, by whichever thread asks; others that ask meanwhile wait for it. A
/// reference stays valid as long as the study.
class ProfileStudy
{
public:
    /// `tables`: of Nsight Compute, joined to the kernels; null: none.
    explicit ProfileStudy(std::shared_ptr<const Profile> profile,
                          std::vector<WorkRule> rules = defaultWorkRules(),
                          std::shared_ptr<const ProfilerTables> tables = nullptr);
    ~ProfileStudy();
    ProfileStudy(const ProfileStudy &) = delete;
    ProfileStudy &operator=(const ProfileStudy &) = delete;

    [[nodiscard]] const Profile &profile() const { return *m_profile; }
    [[nodiscard]] const std::shared_ptr<const Profile> &sharedProfile() const { return m_profile; }
    [[nodiscard]] const std::vector<WorkRule> &rules() const { return m_rules; }
    [[nodiscard]] const std::shared_ptr<const ProfilerTables> &tables() const { return m_tables; }

    [[nodiscard]] const WorkClasses &classes() const
    {
        return have(m_classes, [&] { return classify(*m_profile, m_rules); });
    }
    /// Every row of Profile::work().
    [[nodiscard]] const std::vector<std::uint32_t> &work() const
    {
        return have(m_work, [&] { return everyWork(*m_profile); });
    }
    [[nodiscard]] const std::vector<DeviceBreakdown> &devices() const
    {
        return have(m_devices, [&] { return breakdownByDevice(*m_profile, classes(), work()); });
    }
    [[nodiscard]] const std::vector<LaneBreakdown> &lanes() const
    {
        return have(m_lanes, [&] { return breakdownByLane(*m_profile, classes(), work()); });
    }
    [[nodiscard]] const std::optional<HtaBreakdown> &hta() const
    {
        return have(m_hta, [&] { return asHta(*m_profile); });
    }
    /// By "ProfilerStep#n"; none where there is none.
    [[nodiscard]] const ProfileSteps &steps() const
    {
        return have(m_steps, [&] { return profileSteps(*m_profile, classes()); });
    }
    [[nodiscard]] const std::vector<StepMarker> &markers() const
    {
        return have(m_markers, [&] { return stepMarkers(*m_profile); });
    }
    [[nodiscard]] const LaunchSummary &launches() const
    {
        return have(m_launches, [&] { return summarizeLaunches(*m_profile); });
    }
    [[nodiscard]] const std::vector<LaneIdle> &laneIdle() const
    {
        return have(m_laneIdle, [&] { return idleByLane(*m_profile); });
    }
    [[nodiscard]] const std::vector<DeviceIdle> &deviceIdle() const
    {
        return have(m_deviceIdle, [&] { return idleByDevice(*m_profile); });
    }
    [[nodiscard]] const std::vector<std::int64_t> &exposed() const
    {
        return have(m_exposed, [&] { return exposedTimes(*m_profile, classes()); });
    }
    /// The kernels' counters of Nsight Compute; null where no table of it was given.
    [[nodiscard]] const KernelCounters *counters() const;
    [[nodiscard]] const KernelTable &kernels() const;
    /// By name.
    [[nodiscard]] const OperatorTable &operators() const
    {
        return have(m_operators, [&] { return operatorTable(*m_profile, work()); });
    }
    [[nodiscard]] const Collectives &collectives() const
    {
        return have(m_collectives, [&] { return vramscope::collectives(*m_profile, classes()); });
    }
    [[nodiscard]] const std::vector<CollectiveRow> &collectiveTable() const
    {
        return have(m_collectiveTable, [&] {
            return vramscope::collectiveTable(*m_profile, collectives(), exposed());
        });
    }
    /// What limits all of its figures: said before any of them.
    [[nodiscard]] const std::vector<Problem> &problems() const;
    /// Where time could be saved, the most first.
    [[nodiscard]] const std::vector<Finding> &findings() const;

    /// Makes what a report asks for, on all threads.
    void prepareReport() const;

private:
    /// A value that is made on first use. Made anew by the next one to ask where memory ran out.
    template<class T>
    struct Part
    {
        std::once_flag once;
        std::optional<T> value;
    };
    template<class T, class Make>
    const T &have(Part<T> &part, Make make) const
    {
        std::call_once(part.once, [&] { part.value.emplace(make()); });
        return *part.value;
    }

    std::shared_ptr<const Profile> m_profile;
    std::vector<WorkRule> m_rules;
    std::shared_ptr<const ProfilerTables> m_tables;
    mutable Part<WorkClasses> m_classes;
    mutable Part<std::vector<std::uint32_t>> m_work;
    mutable Part<std::vector<DeviceBreakdown>> m_devices;
    mutable Part<std::vector<LaneBreakdown>> m_lanes;
    mutable Part<std::optional<HtaBreakdown>> m_hta;
    mutable Part<ProfileSteps> m_steps;
    mutable Part<std::vector<StepMarker>> m_markers;
    mutable Part<LaunchSummary> m_launches;
    mutable Part<std::vector<LaneIdle>> m_laneIdle;
    mutable Part<std::vector<DeviceIdle>> m_deviceIdle;
    mutable Part<std::vector<std::int64_t>> m_exposed;
    mutable Part<KernelCounters> m_counters;
    mutable Part<KernelTable> m_kernels;
    mutable Part<OperatorTable> m_operators;
    mutable Part<Collectives> m_collectives;
    mutable Part<std::vector<CollectiveRow>> m_collectiveTable;
    mutable Part<std::vector<Problem>> m_problems;
    mutable Part<std::vector<Finding>> m_findings;
};

} // namespace vramscope
