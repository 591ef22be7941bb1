// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/profile_study.h"

#include "core/base/ordered_jobs.h"
#include "core/profile/breakdown.h"
#include "core/profile/profile_findings.h"

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

const std::vector<Problem> &ProfileStudy::problems() const
{
    return have(m_problems, [&] { return profileProblems(*this); });
}

const std::vector<Finding> &ProfileStudy::findings() const
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
