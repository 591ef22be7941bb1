// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/costs/category_rules.h"

#include "core/base/json_text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>

namespace vramscope {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostRules = 1000;
constexpr const char *kFormat = "vramscope-category-rules";
constexpr std::array<std::string_view, 8> kFields{"category", "phase",    "name",       "file",
                                                  "line",     "priority", "confidence", "reason"};

Error wrongRule(std::size_t rule, const std::string &text)
{
    return {ErrorCode::Invalid, "Rule " + std::to_string(rule + 1) + ": " + text};
}

Result<CategoryRule> ruleFrom(const Json &json, std::size_t at)
{
    if (!json.is_object())
        return wrongRule(at, "it must be an object");
    for (const auto &[key, value] : json.items()) {
        if (std::ranges::find(kFields, key) == kFields.end())
            return wrongRule(at, "unknown field \"" + key +
                                     "\"; there are category, phase, name, file, line, priority, "
                                     "confidence and reason");
        const bool isNumber = key == "line" || key == "priority" || key == "confidence";
        if (isNumber ? !value.is_number() : !value.is_string())
            return wrongRule(at, "\"" + key + "\" must be a " + (isNumber ? "number" : "text"));
    }
    CategoryRule rule;
    rule.name = json.value("name", std::string());
    rule.file = json.value("file", std::string());
    rule.reason = json.value("reason", std::string("by a rule"));
    const double priority = json.value("priority", 50.0);
    rule.confidence = json.value("confidence", 0.9);
    if (!(priority >= 0 && priority <= 1000))
        return wrongRule(at, "\"priority\" must lie between 0 and 1000");
    constexpr double kLastLine = 2'147'483'647;
    const double line = json.value("line", 0.0);
    if (!(line >= 0 && line <= kLastLine))
        return wrongRule(at, "\"line\" must be the number of a line");
    rule.line = static_cast<std::int64_t>(line);
    if (!(rule.confidence >= 0 && rule.confidence <= 1))
        return wrongRule(at, "\"confidence\" must lie between 0 and 1");
    rule.priority = static_cast<int>(priority);
    if (rule.name.empty() && rule.file.empty())
        return wrongRule(at, "it needs a \"name\", a \"file\" or both to match");
    if (json.contains("category")) {
        const auto text = json.value("category", std::string());
        rule.category = categoryOfWord(text);
        if (!rule.category)
            return wrongRule(at, "no category \"" + text + "\"; try \"activations\"");
    }
    if (json.contains("phase")) {
        const auto text = json.value("phase", std::string());
        const std::optional<Phase> phase = phaseNamed(text);
        if (!phase)
            return wrongRule(at, "no phase \"" + text +
                                     "\"; there are init, forward, backward and optimizer");
        rule.phase = *phase;
    }
    if (!rule.category && rule.phase == Phase::Unknown)
        return wrongRule(at, "it needs a \"category\", a \"phase\" or both to give");
    return rule;
}

} // namespace

std::string categoryRulesToJson(const std::vector<CategoryRule> &rules)
{
    Json list = Json::array();
    for (const CategoryRule &rule : rules) {
        Json json = Json::object();
        if (rule.category)
            json["category"] = categoryWord(*rule.category);
        if (rule.phase != Phase::Unknown)
            json["phase"] = phaseName(rule.phase);
        if (!rule.name.empty())
            json["name"] = rule.name;
        if (!rule.file.empty())
            json["file"] = rule.file;
        if (rule.line > 0)
            json["line"] = rule.line;
        json["priority"] = rule.priority;
        if (rule.category) {
            json["confidence"] = rule.confidence;
            json["reason"] = rule.reason;
        }
        list.push_back(std::move(json));
    }
    const Json document{{kFormat, 1}, {"rules", std::move(list)}};
    return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Result<std::vector<CategoryRule>> categoryRulesFromJson(std::string_view text)
{
    if (text.size() > kLongestRules)
        return Error{ErrorCode::Invalid, "The rules are longer than 1 MiB."};
    const Json document = parsedJson(text);
    if (document.is_discarded())
        return Error{ErrorCode::Malformed, "The rules are not valid JSON."};
    if (!document.is_object() || !document.contains(kFormat) || !document.contains("rules") ||
        !document["rules"].is_array())
        return Error{ErrorCode::NotRecognized,
                     "These are no category rules: {\"vramscope-category-rules\": 1, \"rules\": "
                     "[…]} is expected; --print-rules shows those that ship."};
    if (document[kFormat] != 1)
        return Error{ErrorCode::Unsupported,
                     "The rules are of a version that this program does not know."};
    if (document["rules"].size() > kMostRules)
        return Error{ErrorCode::Invalid, "There are more than 1,000 rules."};
    std::vector<CategoryRule> rules;
    for (std::size_t at = 0; at < document["rules"].size(); ++at) {
        auto rule = ruleFrom(document["rules"][at], at);
        if (!rule.ok())
            return rule.error();
        // A rule without a category has no confidence.
        if (!rule->category) {
            rule->confidence = 0;
            rule->reason.clear();
        }
        rules.push_back(std::move(*rule));
    }
    return rules;
}

} // namespace vramscope
