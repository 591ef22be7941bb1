// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/costs/category_rules.h"
#include "core/trace/trace.h"

#include <vector>

namespace vramscope {

/// The rules for a stack; -1 if no rule matches.
struct StackVerdict
{
    std::int32_t categoryRule = -1;
    std::int32_t phaseRule = -1;
};

/// Applies rules to the stacks of a trace, each name, path and frame once. Keeps references to
/// both; not to be shared between threads.
class StackRules
{
public:
    StackRules(const Trace &trace, const std::vector<CategoryRule> &rules);

    [[nodiscard]] const StackVerdict &of(StackId stack);
    [[nodiscard]] Phase phaseOf(StackId stack);
    /// Whether the rule of the phase is the one for zero_grad.
    [[nodiscard]] bool isZeroGrad(StackId stack);
    /// Whether the rule of the phase is the one for activations that are computed again.
    [[nodiscard]] bool isRecomputed(StackId stack);
    /// Whether the loss over a vocabulary or over classes makes what the stack makes.
    [[nodiscard]] bool isLoss(StackId stack);

private:
    using Words = std::vector<std::uint64_t>; // one bit per rule

    [[nodiscard]] bool isPhaseRule(StackId stack, std::string_view name);
    const StackVerdict &ofFrame(FrameId frame);
    const Words &nameMatches(StringId name);
    const Words &fileMatches(StringId file);

    const Trace &m_trace;
    const std::vector<CategoryRule> &m_rules;
    std::vector<Words> m_matches;       // distinct results; [0] means not computed yet
    std::vector<std::uint32_t> m_names; // by StringId, into m_matches
    std::vector<std::uint32_t> m_files;
    std::vector<StackVerdict> m_frames;
    std::vector<bool> m_frameKnown;
    std::vector<StackVerdict> m_stacks;
    std::vector<bool> m_stackKnown;
};

} // namespace vramscope
