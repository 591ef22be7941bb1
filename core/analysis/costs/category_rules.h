// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/category.h"
#include "core/base/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace vramscope {

/// The part of a step to which a stack belongs; lifetimes are classified with it.
enum class Phase : std::uint8_t { Unknown, Init, Forward, Backward, Optimizer };
inline constexpr std::size_t kPhaseCount = 5;
/// "unknown", "init", "forward", "backward", "optimizer".
[[nodiscard]] std::string_view phaseName(Phase phase);
[[nodiscard]] std::optional<Phase> phaseNamed(std::string_view name);

/// Classifies the stacks with a matching frame: by category, phase, or both. A pattern is a part of
/// the text; "^" before it anchors it at the beginning, "$" after it at the end. Paths are compared
/// with '/'.
struct CategoryRule
{
    std::optional<Category> category;
    Phase phase = Phase::Unknown;
    std::string name;      ///< pattern over function names; empty: any
    std::string file;      ///< pattern over paths; empty: any
    std::int64_t line = 0; ///< of the file; 0: any
    int priority = 0;      ///< the highest in a stack decides; among equals the innermost frame
    double confidence = 0; ///< of the category, 0 … 1
    std::string reason;    ///< in words: "made by the optimizer for its states"
    bool operator==(const CategoryRule &) const = default;
};

/// The built-in rules: PyTorch, its sharding, DeepSpeed, Megatron, NCCL, workspaces, optimizers.
[[nodiscard]] const std::vector<CategoryRule> &defaultCategoryRules();

/// The longest document of rules that is read, in bytes.
inline constexpr std::size_t kLongestRules = 1 << 20;

/// Rules as a JSON document {"vramscope-category-rules": 1, "rules": [{…}]} and back.
[[nodiscard]] std::string categoryRulesToJson(const std::vector<CategoryRule> &rules);
/// The error names the rule and the field that is wrong.
[[nodiscard]] Result<std::vector<CategoryRule>> categoryRulesFromJson(std::string_view text);

} // namespace vramscope
