// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/difference_items.h"

#include "core/base/bytes.h"
#include "core/profile/kernel_names.h"

#include <algorithm>

namespace vramscope {

namespace {

constexpr std::string_view kNoOperator = "(no operator)";
constexpr std::string_view kNoShapes = "null"; // as JSON of what a file does not state

} // namespace

/// The shared number of each text of one profile, asked for once.
class DifferenceKeys::Names
{
public:
    Names(const Profile &profile, StringPool &texts)
        : m_profile(profile)
        , m_texts(texts)
        , m_shared(profile.textCount(), kNoRow)
        , m_plain(profile.textCount(), kNoRow)
    {
    }

    [[nodiscard]] std::uint32_t shared(StringId id)
    {
        std::uint32_t &known = m_shared[static_cast<std::size_t>(id)];
        if (known == kNoRow)
            known = static_cast<std::uint32_t>(m_texts.intern(m_profile.text(id)));
        return known;
    }
    [[nodiscard]] std::uint32_t shapes(StringId id)
    {
        return id == StringId::Empty ? static_cast<std::uint32_t>(m_texts.intern(kNoShapes))
                                     : shared(id);
    }
    [[nodiscard]] std::uint32_t plain(StringId id)
    {
        std::uint32_t &known = m_plain[static_cast<std::size_t>(id)];
        if (known == kNoRow)
            known = static_cast<std::uint32_t>(m_texts.intern(plainName(m_profile.text(id))));
        return known;
    }

private:
    const Profile &m_profile;
    StringPool &m_texts;
    std::vector<std::uint32_t> m_shared; ///< by id of the profile
    std::vector<std::uint32_t> m_plain;
};

DifferenceSide DifferenceKeys::side(const ProfileStudy &study,
                                    const std::optional<std::string> &step)
{
    const Profile &profile = study.profile();
    Names names(profile, m_texts);
    DifferenceSide side;
    std::vector<TimeInterval> within;
    if (step) {
        for (const ProfilerStep &each : profile.steps()) {
            if (profile.text(each.name) == *step)
                within.push_back({each.start, each.end});
        }
        side.work = workOfStep(profile, *step);
    } else {
        side.work = everyWork(profile);
    }
    for (const std::uint32_t row : side.work)
        side.deviceTime = wrappingSum(side.deviceTime, profile.work().duration(row));
    addOperators(side, study, step ? &within : nullptr, names);
    addKernels(side, study, names);
    return side;
}

OperatorItem DifferenceKeys::operatorItem(std::uint32_t path, std::uint32_t name,
                                          std::uint32_t shapes)
{
    OperatorItem item;
    item.keys = {m_pathShapes.id(path, shapes), path, m_nameShapes.id(name, shapes), name};
    return item;
}

void DifferenceKeys::addOperators(DifferenceSide &side, const ProfileStudy &study,
                                  const std::vector<TimeInterval> *within, Names &names)
{
    const OperatorColumns &operators = study.profile().operators();
    const OperatorCosts costs = operatorCosts(study.profile(), side.work);
    std::vector<std::uint32_t> paths;
    paths.reserve(operators.count());
    std::int64_t ofOperators = 0;
    for (std::size_t at = 0; at < operators.count(); ++at) {
        const std::uint32_t parent = operators.parent[at];
        const std::uint32_t name = names.shared(operators.name[at]);
        paths.push_back(m_paths.id(parent == kNoRow ? kNoRow : paths[parent], name));
        const auto holds = [&](const TimeInterval &each) {
            return each.start <= operators.start[at] && operators.start[at] < each.end;
        };
        if (within != nullptr && std::ranges::none_of(*within, holds))
            continue;
        OperatorItem item = operatorItem(paths[at], name, names.shapes(operators.shapes[at]));
        item.figures = {costs.hostSelf[at], costs.deviceSelf[at], 1};
        ofOperators = wrappingSum(ofOperators, costs.deviceSelf[at]);
        side.operators.push_back(item);
    }
    // Launched from no operator, or from one that began outside of the step.
    const std::int64_t rest = wrappingDifference(side.deviceTime, ofOperators);
    if (rest == 0)
        return;
    const auto name = static_cast<std::uint32_t>(m_texts.intern(kNoOperator));
    OperatorItem item = operatorItem(m_paths.id(kNoRow, name), name,
                                     static_cast<std::uint32_t>(m_texts.intern(kNoShapes)));
    item.figures = {0, rest, 0};
    side.operators.push_back(item);
}

void DifferenceKeys::addKernels(DifferenceSide &side, const ProfileStudy &study, Names &names)
{
    const WorkColumns &work = study.profile().work();
    for (const std::uint32_t row : side.work) {
        WorkClass workClass = study.classes().workClass[row];
        if (workClass == WorkClass::Fill)
            workClass = WorkClass::Copy; // memory, as one
        const auto number = static_cast<std::uint32_t>(workClass);
        KernelItem item;
        item.keys = {m_kernels.id(number, names.shared(work.name[row])),
                     m_plain.id(number, names.plain(work.name[row]))};
        item.figures = {work.duration(row), 1};
        side.kernels.push_back(item);
    }
}

std::string DifferenceKeys::pathText(std::uint32_t path) const
{
    std::vector<std::uint32_t> names;
    for (; path != kNoRow; path = m_paths.pair(path).first)
        names.push_back(m_paths.pair(path).second);
    std::string text;
    for (std::size_t at = names.size(); at-- > 0;) {
        text += m_texts.text(static_cast<StringId>(names[at]));
        text += at > 0 ? " > " : "";
    }
    return text;
}

std::string DifferenceKeys::operatorText(std::uint32_t key, int level) const
{
    const auto text = [&](std::uint32_t id) {
        return std::string(m_texts.text(static_cast<StringId>(id)));
    };
    switch (level) {
    case 1: {
        const auto [path, shapes] = m_pathShapes.pair(key);
        return pathText(path) + " | " + text(shapes);
    }
    case 2:
        return pathText(key);
    case 3: {
        const auto [name, shapes] = m_nameShapes.pair(key);
        return text(name) + " | " + text(shapes);
    }
    default:
        return text(key);
    }
}

WorkClass DifferenceKeys::kernelClass(std::uint32_t key, int level) const
{
    return static_cast<WorkClass>((level == 1 ? m_kernels : m_plain).pair(key).first);
}

std::string DifferenceKeys::kernelName(std::uint32_t key, int level) const
{
    const std::uint32_t name = (level == 1 ? m_kernels : m_plain).pair(key).second;
    return std::string(m_texts.text(static_cast<StringId>(name)));
}

} // namespace vramscope
