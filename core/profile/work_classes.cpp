// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/work_classes.h"

#include "core/base/text.h"
#include "core/profile/name_pattern.h"
#include "core/profile/pair_ids.h"

namespace vramscope {

namespace {

/// The rules with their patterns compiled.
class RuleTable
{
public:
    explicit RuleTable(const std::vector<WorkRule> &rules)
        : m_rules(rules)
    {
        for (const WorkRule &rule : rules)
            m_patterns.push_back(NamePattern::compiled(rule.pattern));
    }

    /// Gives the group its class by the first rule that fits.
    void decide(WorkGroup &group, std::string_view name) const
    {
        const std::string small = lowered(name);
        for (std::size_t at = 0; at < m_rules.size(); ++at) {
            const WorkRule &rule = m_rules[at];
            if ((rule.kind && *rule.kind != group.kind) ||
                (rule.namesCollective && !group.namesCollective) || !m_patterns[at].ok() ||
                !m_patterns[at]->matchesLowered(small))
                continue;
            group.workClass = rule.workClass;
            group.family = rule.family;
            group.rule = static_cast<std::uint32_t>(at);
            return;
        }
        group.workClass = WorkClass::Compute;
        group.family = WorkFamily::Other;
        group.rule = kNoRow;
    }

private:
    const std::vector<WorkRule> &m_rules;
    std::vector<Result<NamePattern>> m_patterns;
};

} // namespace

std::vector<WorkGroup> decided(std::vector<WorkGroup> groups, const Profile &profile,
                               const std::vector<WorkRule> &rules)
{
    const RuleTable table(rules);
    for (WorkGroup &group : groups)
        table.decide(group, profile.text(group.name));
    return groups;
}

WorkClasses classify(const Profile &profile, const std::vector<WorkRule> &rules)
{
    const WorkColumns &work = profile.work();
    const std::span<const ProfileCollective> stated = profile.collectives();
    const RuleTable table(rules);
    WorkClasses classes;
    classes.group.reserve(work.count());
    classes.workClass.reserve(work.count());
    if (!stated.empty())
        classes.collective.assign(work.count(), kNoRow);
    for (std::uint32_t row = 0; row < stated.size(); ++row)
        classes.collective[stated[row].work] = row;
    PairIds ids;
    for (std::size_t at = 0; at < work.count(); ++at) {
        const std::uint32_t row = classes.collectiveOf(at);
        const bool names = row != kNoRow && stated[row].isNamed;
        const std::uint32_t id =
            ids.id(static_cast<std::uint32_t>(work.name[at]),
                   static_cast<std::uint32_t>(work.kind[at]) * 2 + (names ? 1 : 0));
        if (id == classes.groups.size()) {
            WorkGroup group{work.name[at], work.kind[at], names};
            table.decide(group, profile.text(group.name));
            classes.groups.push_back(group);
        }
        classes.group.push_back(id);
        classes.workClass.push_back(classes.groups[id].workClass);
    }
    return classes;
}

} // namespace vramscope
