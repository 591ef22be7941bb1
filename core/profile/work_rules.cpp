// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/work_rules.h"

#include "core/base/json_text.h"
#include "core/base/text.h"
#include "core/profile/name_pattern.h"
#include "core/profile/pair_ids.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace vramscope {

namespace {

constexpr std::array<std::string_view, kWorkClassCount> kClassTexts{"compute", "communication",
                                                                    "copy", "fill"};
constexpr std::array<std::string_view, 12> kFamilyTexts{
    "",          "matrix product", "attention", "convolution", "normalization", "elementwise",
    "reduction", "softmax",        "embedding", "optimizer",   "triton",        "other"};
constexpr std::array<std::string_view, 3> kKindTexts{"kernel", "copy", "fill"};

WorkRule kernels(std::string_view pattern, WorkClass workClass)
{
    return {std::string(pattern), WorkKind::Kernel, false, workClass, WorkFamily::None};
}

WorkRule any(std::string_view pattern, WorkClass workClass)
{
    return {std::string(pattern), std::nullopt, false, workClass, WorkFamily::None};
}

WorkRule compute(std::string_view pattern, WorkFamily family)
{
    return {std::string(pattern), std::nullopt, false, WorkClass::Compute, family};
}

std::vector<WorkRule> shippedRules()
{
    return {
        kernels("nccl|rccl|msccl|hccl", WorkClass::Communication),
        kernels("nvshmem|rocshmem", WorkClass::Communication),
        kernels("deep_?ep|::ep::", WorkClass::Communication),
        kernels("symm_mem|multimem", WorkClass::Communication),
        kernels("cross_device_reduce|quickreduce", WorkClass::Communication),
        kernels("one_?shot_?all_?reduce|two_?shot_?all_?reduce", WorkClass::Communication),
        kernels("all_?reduce_one_?shot|all_?reduce_two_?shot", WorkClass::Communication),
        {"", WorkKind::Kernel, true, WorkClass::Communication, WorkFamily::None},
        any("^memset|^hipmemset|fillbuffer", WorkClass::Fill),
        {"", WorkKind::Fill, false, WorkClass::Fill, WorkFamily::None},
        any("^memcpy|^hipmemcpy|^copyhost|^copydevice|copybuffer|^dma", WorkClass::Copy),
        {"", WorkKind::Copy, false, WorkClass::Copy, WorkFamily::None},
        // Names of compilers and libraries before those of what they compute: "xmma_fprop…" is a
        // convolution, "multi_tensor_apply…LpNorm" part of an optimizer.
        compute("^triton", WorkFamily::Triton),
        compute("multi_tensor_apply|fused_?adam|fused_?sgd|fused_?lamb", WorkFamily::Optimizer),
        compute("flash|fmha|attn|attention", WorkFamily::Attention),
        compute("conv|winograd|wgrad|dgrad|fprop", WorkFamily::Convolution),
        compute("gemm|gemv|cutlass|nvjet|xmma|cijk|wgmma|cublas|matmul", WorkFamily::MatrixProduct),
        compute("softmax", WorkFamily::Softmax),
        compute("embedding", WorkFamily::Embedding),
        compute("layer_?norm|batch_?norm|group_?norm|rms_?norm|bn_fw|bn_bw",
                WorkFamily::Normalization),
        compute("elementwise|pointwise|catarraybatchedcopy", WorkFamily::Elementwise),
        compute("reduce", WorkFamily::Reduction),
        compute("triton", WorkFamily::Triton),
        compute("", WorkFamily::Other),
    };
}

template<class Enum, std::size_t Count>
std::optional<Enum> valueOf(const std::array<std::string_view, Count> &texts, std::string_view text)
{
    const auto found = std::ranges::find(texts, text);
    if (found == texts.end())
        return std::nullopt;
    return static_cast<Enum>(found - texts.begin());
}

/// Reads "key" of a rule into `value`; what is not there stays. False where it is no such word.
template<class Enum, class Value, std::size_t Count>
bool readWord(const nlohmann::ordered_json &rule, const char *key,
              const std::array<std::string_view, Count> &texts, Value &value)
{
    const auto found = rule.find(key);
    if (found == rule.end())
        return true;
    if (!found->is_string())
        return false;
    const auto read = valueOf<Enum>(texts, found->template get_ref<const std::string &>());
    if (read)
        value = *read;
    return read.has_value();
}

Result<WorkRule> ruleFrom(const nlohmann::ordered_json &json)
{
    if (!json.is_object() || !json.contains("class"))
        return invalid("must be an object with a \"class\"");
    for (const auto &[key, value] : json.items()) {
        constexpr std::array<std::string_view, 5> kKeys{"pattern", "kind", "collective", "class",
                                                        "family"};
        if (!isOneOf(key, kKeys))
            return invalid("has the unknown key \"" + excerpt(key, 40) + "\"");
    }
    WorkRule rule;
    if (const auto pattern = json.find("pattern"); pattern != json.end()) {
        if (!pattern->is_string())
            return invalid("its \"pattern\" must be a text");
        rule.pattern = pattern->get<std::string>();
    }
    if (const auto compiled = NamePattern::compiled(rule.pattern); !compiled.ok())
        return compiled.error();
    if (const auto collective = json.find("collective"); collective != json.end()) {
        if (!collective->is_boolean())
            return invalid("its \"collective\" must be true or false");
        rule.namesCollective = collective->get<bool>();
    }
    if (!readWord<WorkClass>(json, "class", kClassTexts, rule.workClass))
        return invalid("its \"class\" must be compute, communication, copy or fill");
    if (!readWord<WorkKind>(json, "kind", kKindTexts, rule.kind))
        return invalid("its \"kind\" must be kernel, copy or fill");
    if (rule.workClass == WorkClass::Compute)
        rule.family = WorkFamily::Other;
    if (!readWord<WorkFamily>(json, "family", kFamilyTexts, rule.family))
        return invalid("its \"family\" is none of those that there are");
    return rule;
}

} // namespace

std::string_view textOf(WorkClass workClass)
{
    return kClassTexts[static_cast<std::size_t>(workClass)];
}

std::string_view textOf(WorkFamily family)
{
    return kFamilyTexts[static_cast<std::size_t>(family)];
}

std::string_view textOf(WorkKind kind)
{
    return kKindTexts[static_cast<std::size_t>(kind)];
}

const std::vector<WorkRule> &defaultWorkRules()
{
    static const std::vector<WorkRule> rules = shippedRules();
    return rules;
}

std::string workRulesJson(const std::vector<WorkRule> &rules)
{
    nlohmann::ordered_json json = nlohmann::ordered_json::array();
    for (const WorkRule &rule : rules) {
        nlohmann::ordered_json row{{"pattern", rule.pattern}};
        if (rule.kind)
            row["kind"] = textOf(*rule.kind);
        if (rule.namesCollective)
            row["collective"] = true;
        row["class"] = textOf(rule.workClass);
        if (rule.family != WorkFamily::None)
            row["family"] = textOf(rule.family);
        json.push_back(std::move(row));
    }
    return jsonText(json, 1) + '\n';
}

Result<std::vector<WorkRule>> workRulesFromJson(std::string_view text)
{
    if (const Result<void> sound = checkJson(text); !sound.ok())
        return sound.error();
    const nlohmann::ordered_json json = parsedJson(text);
    if (!json.is_array())
        return invalid("rules are a JSON array of objects");
    std::vector<WorkRule> rules;
    for (const auto &each : json) {
        Result<WorkRule> rule = ruleFrom(each);
        if (!rule.ok())
            return invalid("rule " + std::to_string(rules.size() + 1) + ": " + rule.error().detail);
        rules.push_back(std::move(*rule));
    }
    return rules;
}

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
