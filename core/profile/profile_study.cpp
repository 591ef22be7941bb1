// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/profile_study.h"

#include "core/base/ordered_jobs.h"
#include "core/profile/exposure.h"
#include "core/profile/profile_findings.h"
#include "core/profile/profile_problems.h"

#include <array>
#include <functional>

namespace vramscope {

ProfileStudy::ProfileStudy(std::shared_ptr<const Profile> profile, std::vector<WorkRule> rules,
                           std::shared_ptr<const ProfilerTables> tables)
    : m_profile(std::move(profile))
    , m_rules(std::move(rules))
    , m_tables(std::move(tables))
{
}

ProfileStudy::~ProfileStudy() = default;

const WorkClasses &ProfileStudy::classes() const
{
    return have(m_classes, [&] { return classify(*m_profile, m_rules); });
}

const std::vector<std::uint32_t> &ProfileStudy::work() const
{
    return have(m_work, [&] { return everyWork(*m_profile); });
}

const std::vector<DeviceBreakdown> &ProfileStudy::devices() const
{
    return have(m_devices, [&] { return breakdownByDevice(*m_profile, classes(), work()); });
}

const std::vector<LaneBreakdown> &ProfileStudy::lanes() const
{
    return have(m_lanes, [&] { return breakdownByLane(*m_profile, classes(), work()); });
}

const std::optional<HtaBreakdown> &ProfileStudy::hta() const
{
    return have(m_hta, [&] { return asHta(*m_profile); });
}

const ProfileSteps &ProfileStudy::steps() const
{
    return have(m_steps, [&] { return profileSteps(*m_profile, classes()); });
}

const std::vector<StepMarker> &ProfileStudy::markers() const
{
    return have(m_markers, [&] { return stepMarkers(*m_profile); });
}

const LaunchSummary &ProfileStudy::launches() const
{
    return have(m_launches, [&] { return summarizeLaunches(*m_profile); });
}

const std::vector<LaneIdle> &ProfileStudy::laneIdle() const
{
    return have(m_laneIdle, [&] { return idleByLane(*m_profile); });
}

const std::vector<DeviceIdle> &ProfileStudy::deviceIdle() const
{
    return have(m_deviceIdle, [&] { return idleByDevice(*m_profile); });
}

const std::vector<std::int64_t> &ProfileStudy::exposed() const
{
    return have(m_exposed, [&] { return exposedTimes(*m_profile, classes()); });
}

const KernelCounters *ProfileStudy::counters() const
{
    return m_tables ? &have(m_counters, [&] { return joinCounters(*m_profile, m_tables); })
                    : nullptr;
}

const KernelTable &ProfileStudy::kernels() const
{
    return have(m_kernels,
                [&] { return kernelTable(*m_profile, classes(), work(), exposed(), counters()); });
}

const OperatorTable &ProfileStudy::operators() const
{
    return have(m_operators, [&] { return operatorTable(*m_profile, work()); });
}

const Collectives &ProfileStudy::collectives() const
{
    return have(m_collectives, [&] { return vramscope::collectives(*m_profile, classes()); });
}

const std::vector<CollectiveRow> &ProfileStudy::collectiveTable() const
{
    return have(m_collectiveTable,
                [&] { return vramscope::collectiveTable(*m_profile, collectives(), exposed()); });
}

const std::vector<Problem> &ProfileStudy::problems() const
{
    return have(m_problems, [&] { return profileProblems(*this); });
}

const std::vector<ProfileFinding> &ProfileStudy::findings() const
{
    return have(m_findings, [&] { return profileFindings(*this); });
}

void ProfileStudy::prepareReport() const
{
    // The longest first; what parts have in common is made by whichever comes first.
    const std::array<std::function<void()>, 5> parts{
        [this] { (void)operators(); }, [this] { (void)launches(); }, [this] { (void)kernels(); },
        [this] { (void)findings(); },  [this] { (void)laneIdle(); },
    };
    (void)runTogether(parts.size(), [&](std::size_t at, const Progress &) { parts[at](); }, {});
}

} // namespace vramscope
