// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/categories/kept_rules.h"

#include "core/analysis/costs/frame_rules.h"
#include "core/analysis/costs/frame_text.h"
#include "core/base/output_file.h"
#include "core/base/text_file.h"

#include <algorithm>

namespace vramscope {

namespace {

constexpr int kHighest = 1000; // priority: above the built-in rules

bool isForSameLine(const CategoryRule &rule, const CategoryRule &other)
{
    return rule.name == other.name && rule.file == other.file && rule.line == other.line;
}

/// A pattern for exactly this text; empty for none.
std::string exactly(std::string_view text)
{
    return text.empty() ? std::string() : "^" + std::string(text) + "$";
}

} // namespace

std::filesystem::path rulesPath(const std::filesystem::path &recording)
{
    std::filesystem::path rules = recording;
    rules += ".vramrules";
    return rules;
}

Result<std::vector<CategoryRule>> keptRules(const std::filesystem::path &recording)
{
    const std::filesystem::path file = rulesPath(recording);
    const Result<std::string> text = readTextFile(file, kLongestRules + 1);
    if (!text.ok() && text.error().code == ErrorCode::NotFound)
        return std::vector<CategoryRule>();
    Result<std::vector<CategoryRule>> rules =
        text.ok() ? categoryRulesFromJson(*text) : Result<std::vector<CategoryRule>>(text.error());
    if (!rules.ok())
        return Error{rules.error().code, file.filename().string() + ": " + rules.error().text()};
    return rules;
}

std::vector<CategoryRule> withBuiltInRules(std::vector<CategoryRule> kept)
{
    std::vector<CategoryRule> rules = defaultCategoryRules();
    rules.insert(rules.end(), std::make_move_iterator(kept.begin()),
                 std::make_move_iterator(kept.end()));
    return rules;
}

RulesInUse rulesInUse(Result<std::vector<CategoryRule>> kept, bool isRedacted)
{
    if (!kept.ok())
        return {nullptr, (isRedacted ? std::string("The rules kept next to the recording cannot be "
                                                   "read.")
                                     : kept.error().text()) +
                             " The built-in rules of categories are used alone."};
    if (kept->empty())
        return {};
    return {std::make_shared<const std::vector<CategoryRule>>(withBuiltInRules(*std::move(kept))),
            {}};
}

std::optional<CategoryRule> ruleForStack(const Trace &trace, StackId stack, Category category)
{
    FrameOrigins origins(trace);
    const std::optional<StackSite> site =
        stack != StackId::None ? siteOf(trace, stack, origins) : std::nullopt;
    if (!site)
        return {};
    const Frame &frame = trace.frame(site->best);
    std::string path(trace.text(frame.file));
    std::ranges::replace(path, '\\', '/'); // as paths are compared
    CategoryRule rule{.category = category,
                      .name = exactly(trace.text(frame.name)),
                      .file = exactly(path),
                      .line = frame.line,
                      .priority = kHighest,
                      .confidence = 1,
                      .reason = "stated by the user for " + shownName(trace.text(frame.name)) +
                                " (" + std::string(fileName(path)) + ":" +
                                std::to_string(frame.line) + ")"};
    return rule.name.empty() && rule.file.empty() ? std::nullopt : std::optional(rule);
}

Result<std::vector<CategoryRule>> keepRule(const std::filesystem::path &recording,
                                           const CategoryRule &rule)
{
    Result<std::vector<CategoryRule>> rules = keptRules(recording);
    if (!rules.ok())
        return rules;
    std::erase_if(*rules, [&](const CategoryRule &kept) { return isForSameLine(kept, rule); });
    if (rule.category)
        rules->push_back(rule);
    if (const Result<void> written = writeOutput(rulesPath(recording), categoryRulesToJson(*rules));
        !written.ok())
        return written.error();
    return rules;
}

} // namespace vramscope
