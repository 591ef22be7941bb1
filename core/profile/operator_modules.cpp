// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/operator_table.h"

#include <string_view>

namespace vramscope {

namespace {

constexpr std::string_view kModule = "nn.Module: ";

/// The Python functions of modules, open at moments that are asked in order of thread and time.
class ModuleWalk
{
public:
    explicit ModuleWalk(const Profile &profile)
        : m_ranges(profile.ranges())
    {
        for (std::uint32_t row = 0; row < m_ranges.count(); ++row) {
            if (m_ranges.kind[row] == RangeKind::Python &&
                profile.text(m_ranges.name[row]).starts_with(kModule))
                m_modules.push_back(row);
        }
    }

    [[nodiscard]] StringId innermost(std::uint32_t thread, std::int64_t time)
    {
        while (m_next < m_modules.size() && !isAfter(m_modules[m_next], thread, time))
            m_open.push_back(m_modules[m_next++]);
        while (!m_open.empty() &&
               (m_ranges.thread[m_open.back()] != thread || m_ranges.end[m_open.back()] <= time))
            m_open.pop_back();
        return m_open.empty() ? StringId::Empty : m_ranges.name[m_open.back()];
    }

private:
    [[nodiscard]] bool isAfter(std::uint32_t row, std::uint32_t thread, std::int64_t time) const
    {
        return m_ranges.thread[row] > thread ||
               (m_ranges.thread[row] == thread && m_ranges.start[row] > time);
    }

    const RangeColumns &m_ranges;
    std::vector<std::uint32_t> m_modules; ///< by thread and start
    std::vector<std::uint32_t> m_open;
    std::size_t m_next = 0;
};

} // namespace

std::vector<StringId> operatorModules(const Profile &profile, bool ofForward)
{
    const OperatorColumns &operators = profile.operators();
    std::vector<StringId> modules(operators.count(), StringId::Empty);
    ModuleWalk walk(profile);
    for (std::size_t at = 0; at < operators.count(); ++at) {
        const StringId around = walk.innermost(operators.thread[at], operators.start[at]);
        const std::uint32_t parent = operators.parent[at];
        if (operators.module[at] != StringId::Empty)
            modules[at] = operators.module[at];
        else if (around != StringId::Empty)
            modules[at] = around;
        else if (parent != kNoRow)
            modules[at] = modules[parent];
    }
    if (!ofForward)
        return modules;
    const std::vector<StringId> plain = modules;
    for (std::size_t at = 0; at < operators.count(); ++at) {
        const std::uint32_t parent = operators.parent[at];
        if (modules[at] != StringId::Empty)
            continue;
        if (operators.forward[at] != kNoRow)
            modules[at] = plain[operators.forward[at]];
        else if (parent != kNoRow)
            modules[at] = modules[parent];
    }
    return modules;
}

} // namespace vramscope
