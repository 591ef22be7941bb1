// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/costs/stack_rules.h"

#include <algorithm>
#include <functional>

namespace vramscope {

namespace {

bool matchesPattern(std::string_view pattern, std::string_view text)
{
    const bool fromStart = pattern.starts_with('^');
    const bool toEnd = pattern.size() > 1 && pattern.ends_with('$');
    pattern = pattern.substr(fromStart ? 1 : 0);
    pattern = pattern.substr(0, pattern.size() - (toEnd ? 1 : 0));
    if (fromStart && toEnd)
        return text == pattern;
    if (fromStart)
        return text.starts_with(pattern);
    return toEnd ? text.ends_with(pattern) : text.find(pattern) != text.npos;
}

std::uint32_t &entry(std::vector<std::uint32_t> &table, StringId id)
{
    const auto at = static_cast<std::size_t>(id);
    if (at >= table.size())
        table.resize(std::max(at + 1, 2 * table.size()));
    return table[at];
}

} // namespace

StackRules::StackRules(const Trace &trace, const std::vector<CategoryRule> &rules)
    : m_trace(trace)
    , m_rules(rules)
    , m_matches(1)
    , m_frames(trace.frameCount())
    , m_frameKnown(trace.frameCount())
    , m_stacks(trace.stackCount() + 1)
    , m_stackKnown(trace.stackCount() + 1)
{
}

const StackRules::Words &StackRules::nameMatches(StringId name)
{
    std::uint32_t &known = entry(m_names, name);
    if (known == 0) {
        Words words((m_rules.size() + 63) / 64);
        const std::string_view text = m_trace.text(name);
        for (std::size_t rule = 0; rule < m_rules.size(); ++rule) {
            if (m_rules[rule].name.empty() || matchesPattern(m_rules[rule].name, text))
                words[rule / 64] |= std::uint64_t(1) << (rule % 64);
        }
        known = static_cast<std::uint32_t>(m_matches.size());
        m_matches.push_back(std::move(words));
    }
    return m_matches[known];
}

const StackRules::Words &StackRules::fileMatches(StringId file)
{
    std::uint32_t &known = entry(m_files, file);
    if (known == 0) {
        Words words((m_rules.size() + 63) / 64);
        std::string path(m_trace.text(file));
        std::ranges::replace(path, '\\', '/');
        for (std::size_t rule = 0; rule < m_rules.size(); ++rule) {
            if (m_rules[rule].file.empty() || matchesPattern(m_rules[rule].file, path))
                words[rule / 64] |= std::uint64_t(1) << (rule % 64);
        }
        known = static_cast<std::uint32_t>(m_matches.size());
        m_matches.push_back(std::move(words));
    }
    return m_matches[known];
}

const StackVerdict &StackRules::ofFrame(FrameId frame)
{
    const auto at = static_cast<std::size_t>(frame);
    StackVerdict &verdict = m_frames[at];
    if (m_frameKnown[at])
        return verdict;
    m_frameKnown[at] = true;
    const Frame &content = m_trace.frame(frame);
    static_cast<void>(nameMatches(content.name)); // may move the argument of the second call
    const Words &files = fileMatches(content.file);
    const Words &names = nameMatches(content.name);
    const auto better = [this](std::int32_t known, const CategoryRule &rule) {
        return known < 0 || rule.priority > m_rules[static_cast<std::size_t>(known)].priority;
    };
    for (std::size_t rule = 0; rule < m_rules.size(); ++rule) {
        if (((names[rule / 64] & files[rule / 64]) >> (rule % 64) & 1U) == 0)
            continue;
        const CategoryRule &each = m_rules[rule];
        if (each.line > 0 && each.line != content.line)
            continue;
        if (each.category && better(verdict.categoryRule, each))
            verdict.categoryRule = static_cast<std::int32_t>(rule);
        if (each.phase != Phase::Unknown && better(verdict.phaseRule, each))
            verdict.phaseRule = static_cast<std::int32_t>(rule);
    }
    return verdict;
}

const StackVerdict &StackRules::of(StackId stack)
{
    const auto at = static_cast<std::size_t>(stack);
    StackVerdict &verdict = m_stacks[at];
    if (m_stackKnown[at])
        return verdict;
    m_stackKnown[at] = true;
    const auto priority = [this](std::int32_t rule) {
        return rule < 0 ? -1 : m_rules[static_cast<std::size_t>(rule)].priority;
    };
    const auto isCall = [this](std::int32_t rule) {
        return rule >= 0 && m_rules[static_cast<std::size_t>(rule)].name == "_call_impl";
    };
    const auto isOptimizer = [this](std::int32_t rule) {
        return rule >= 0 && m_rules[static_cast<std::size_t>(rule)].phase == Phase::Optimizer;
    };
    for (const FrameId frame : m_trace.stack(stack)) {
        const StackVerdict &one = ofFrame(frame);
        if (priority(one.categoryRule) > priority(verdict.categoryRule))
            verdict.categoryRule = one.categoryRule;
        // A closure that an optimizer calls runs modules of its own: the inner frame decides.
        const bool isClosure = isCall(verdict.phaseRule) && isOptimizer(one.phaseRule);
        if (priority(one.phaseRule) > priority(verdict.phaseRule) && !isClosure)
            verdict.phaseRule = one.phaseRule;
    }
    return verdict;
}

bool StackRules::isPhaseRule(StackId stack, std::string_view name)
{
    const std::int32_t rule = of(stack).phaseRule;
    return rule >= 0 &&
           m_rules[static_cast<std::size_t>(rule)].name.find(name) != std::string::npos;
}

bool StackRules::isZeroGrad(StackId stack)
{
    return isPhaseRule(stack, "zero_grad");
}

bool StackRules::isRecomputed(StackId stack)
{
    return isPhaseRule(stack, "unpack_hook");
}

bool StackRules::isLoss(StackId stack)
{
    constexpr int kCertain = 60; // a lower priority is a hint
    const std::int32_t number = of(stack).categoryRule;
    if (number < 0)
        return false;
    const CategoryRule &rule = m_rules[static_cast<std::size_t>(number)];
    return rule.category == Category::LossAndLogits && rule.priority >= kCertain;
}

Phase StackRules::phaseOf(StackId stack)
{
    const std::int32_t rule = of(stack).phaseRule;
    return rule < 0 ? Phase::Unknown : m_rules[static_cast<std::size_t>(rule)].phase;
}

} // namespace vramscope
