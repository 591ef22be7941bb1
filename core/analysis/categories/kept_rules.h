// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/costs/category_rules.h"
#include "core/trace/trace.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace vramscope {

/// The document next to a recording with the rules that its user stated: "run.pickle.vramrules".
[[nodiscard]] std::filesystem::path rulesPath(const std::filesystem::path &recording);

/// The rules kept next to a recording; none if there is no such document. An error names the
/// document and what is wrong with it.
[[nodiscard]] Result<std::vector<CategoryRule>> keptRules(const std::filesystem::path &recording);

/// The built-in rules and `kept` ones, which decide.
[[nodiscard]] std::vector<CategoryRule> withBuiltInRules(std::vector<CategoryRule> kept);

/// The rules by which a recording is read.
struct RulesInUse
{
    std::shared_ptr<const std::vector<CategoryRule>> rules; ///< null: the built-in ones alone
    std::string problem; ///< why those kept cannot be used, or empty; it names no file if redacted
};
[[nodiscard]] RulesInUse rulesInUse(Result<std::vector<CategoryRule>> kept,
                                    bool isRedacted = false);

/// A rule for the line of code that a stack is attributed to, to which its user gives a category.
/// Nothing for a stack without such a line.
[[nodiscard]] std::optional<CategoryRule> ruleForStack(const Trace &trace, StackId stack,
                                                       Category category);

/// Keeps a rule next to a recording, instead of one for the same line; a rule without a category
/// only removes that one. Gives the rules that are kept then. A document that cannot be read stays.
[[nodiscard]] Result<std::vector<CategoryRule>> keepRule(const std::filesystem::path &recording,
                                                         const CategoryRule &rule);

} // namespace vramscope
