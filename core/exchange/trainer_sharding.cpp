// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "core/catalog/model_names.h"
#include "core/exchange/formats.h"
#include "core/exchange/trainer_terms.h"
#include "core/settings/field_conditions.h"

#include <algorithm>
#include <array>

namespace vramscope {

namespace {

/// A file of axolotl's deepspeed_configs.
struct KnownFile
{
    std::string_view name;
    int stage;
    bool offloadsOptimizer = false;
    bool offloadsParameters = false;
};
constexpr std::array<KnownFile, 8> kDeepSpeedFiles = {{
    {"zero1.json", 1},
    {"zero1_torch_compile.json", 1},
    {"zero2.json", 2, true},
    {"zero2_torch_compile.json", 2, true},
    {"zero3.json", 3},
    {"zero3_bf16.json", 3},
    {"zero3_bf16_cpuoffload_all.json", 3, true, true},
    {"zero3_bf16_cpuoffload_params.json", 3, false, true},
}};

/// The settings of such a file that affect memory, except those that the Trainer fills in.
std::string textOf(const KnownFile &file)
{
    std::string text = R"({"zero_optimization": {"overlap_comm": true, "stage": )";
    text += std::to_string(file.stage);
    // sub_group_size is 0 there, so that every tensor is updated alone: 1 means the same.
    if (file.stage == 3)
        text += R"(, "sub_group_size": 1, "reduce_bucket_size": "auto",
            "stage3_prefetch_bucket_size": "auto", "stage3_param_persistence_threshold": "auto",
            "stage3_max_live_parameters": 0, "stage3_max_reuse_distance": 0)";
    if (file.offloadsOptimizer)
        text += R"(, "offload_optimizer": {"device": "cpu"})";
    if (file.offloadsParameters)
        text += R"(, "offload_param": {"device": "cpu"})";
    return text + "}}";
}

std::string_view lastName(std::string_view path)
{
    return path.substr(path.find_last_of("/\\") + 1); // npos + 1 is 0
}

/// The stage in "ds_zero3_offload.json" or "stage-2.json"; 0 if the name has none.
int stageNamed(std::string_view name)
{
    for (const std::string_view word : {std::string_view("zero"), std::string_view("stage")}) {
        std::size_t at = name.find(word);
        if (at == name.npos)
            continue;
        at = std::min(name.find_first_not_of("-_", at + word.size()), name.size());
        const char digit = at < name.size() ? name[at] : '0';
        if (digit >= '1' && digit <= '3')
            return digit - '0';
    }
    return 0;
}

constexpr WordPair kShardings[] = {{"FULL_SHARD", "full_shard"},
                                   {"SHARD_GRAD_OP", "shard_grad_op"},
                                   {"NO_SHARD", "no_shard"},
                                   {"HYBRID_SHARD", "hybrid_shard"},
                                   {"HYBRID_SHARD_ZERO2", "hybrid_shard", true}};
constexpr WordPair kPrefetches[] = {
    {"BACKWARD_PRE", "pre"}, {"BACKWARD_POST", "post"}, {"NO_PREFETCH", "none"}};
constexpr SettingRow kFirstFsdp[] = {
    {"backward_prefetch", "parallel.backward_prefetch", Always, kPrefetches},
    {"forward_prefetch", "parallel.forward_prefetch"},
    {"use_orig_params", "parallel.use_orig_params"},
    {"limit_all_gathers", "parallel.limit_all_gathers"},
};

} // namespace

Regime regimeUnder(Strategy strategy, bool bf16, bool fp16)
{
    if (!bf16 && !fp16)
        return Regime::Fp32;
    if (isZero(strategy))
        return bf16 ? Regime::DeepSpeedBf16 : Regime::DeepSpeedFp16;
    return isFsdp(strategy) ? Regime::FsdpMixedBf16
           : bf16           ? Regime::AutocastBf16
                            : Regime::AutocastFp16;
}

bool importSharding(Translation &t, std::string_view word)
{
    const WordPair *found = pairOfTheirs(kShardings, word);
    if (!found)
        return false;
    t.set("parallel.sharding", std::string(found->ours));
    if (found->readOnly)
        t.note("keeps weights whole after forward, which cannot be said beside hybrid sharding; "
               "they are counted as resharded.");
    return true;
}

bool importFsdpWords(Translation &t, const TextList &words, Translation::Keys reshard)
{
    for (const std::string &word : words)
        importSharding(t, word);
    const auto stated = t.text(reshard);
    if (stated && !importSharding(t, *stated))
        t.set("parallel.sharding", *stated == "false" ? "shard_grad_op" : "full_shard");
    return std::ranges::find(words, "offload") != words.end();
}

void importFirstFsdp(Translation &t, Translation::Keys prefixes)
{
    t.set("parallel.backward_prefetch", "none"); // transformers' training_args.py
    t.read(kFirstFsdp, prefixes);
}

void writeFsdp(Outline &o, const FsdpWords &words)
{
    const Settings &s = o.settings();
    const auto key = [&](std::string_view name) { return std::string(words.prefix).append(name); };
    const bool first = s.strategy == Strategy::Fsdp1;
    const bool hybrid = s.sharding == Sharding::HybridShard;
    o.covered({"parallel.strategy", "parallel.cpu_offload", "parallel.sharding"});
    if (!words.version.empty())
        o.put("fsdp_config." + std::string(words.version), std::int64_t(first ? 1 : 2));
    if (first) {
        o.write({"reshard_after_forward", "parallel.sharding", Always, kShardings}, words.prefix);
        o.write(std::span(kFirstFsdp).first(words.limitsAllGathers ? 4 : 3), words.prefix);
        // PyTorch shards within a machine.
        o.covered({"parallel.shard_group"}, hybrid && s.shardGroup == s.gpusPerNode);
    } else {
        o.put(key("reshard_after_forward"), s.sharding != Sharding::ShardGradOp);
        if (s.sharding == Sharding::NoShard)
            o.replaced("parallel.sharding", ", which FSDP2 has not; it has become full_shard.");
        if (hybrid && words.replicates)
            o.covered({"parallel.shard_group"});
        else if (hybrid)
            o.replaced("parallel.sharding",
                       ", which FSDP2 takes from accelerate's parallelism_config; without that it "
                       "has become full_shard.");
    }
    o.put("fsdp_config." + std::string(words.offload), s.cpuOffload);
    o.put(key("auto_wrap_policy"), "TRANSFORMER_BASED_WRAP");
}

void importDeepSpeedNamed(Translation &t, std::string_view path)
{
    const int stage = stageNamed(lowered(lastName(path)));
    if (stage == 0)
        return t.note("names " + excerpt(path, 60) +
                      ", which stands elsewhere; import that file too.");
    t.set("parallel.strategy", "zero" + std::to_string(stage));
    t.note("names " + excerpt(path, 60) + ", which is taken for ZeRO-" + std::to_string(stage) +
           "; import that file too, for its buckets and what it offloads.");
}

void importDeepSpeedWithin(Translation &t)
{
    std::vector<ForeignSetting> settings;
    for (const ForeignSetting *setting : t.takeWithin("deepspeed.")) {
        ForeignSetting own = *setting;
        own.key = own.key.substr(std::string_view("deepspeed.").size());
        own.taken = false;
        const auto *text = std::get_if<std::string>(&own.value);
        if (own.key.starts_with("zero_optimization.") || !text || *text != "auto")
            settings.push_back(std::move(own));
    }
    t.absorb(importDeepSpeed({t.plan(), std::move(settings)}));
}

void importAxolotlDeepSpeed(Translation &t, std::string_view path)
{
    const auto file = std::ranges::find(kDeepSpeedFiles, lastName(path), &KnownFile::name);
    if (file == kDeepSpeedFiles.end())
        return importDeepSpeedNamed(t, path);
    if (auto settings = jsonSettings(textOf(*file)))
        t.absorb(importDeepSpeed({t.plan(), std::move(*settings)}));
}

void writeDeepSpeedWithin(Outline &o)
{
    for (const char *key : {"train_batch_size", "train_micro_batch_size_per_gpu",
                            "gradient_accumulation_steps", "bf16.enabled", "fp16.enabled"})
        o.put(std::string("deepspeed.") + key, "auto");
    writeDeepSpeedSharding(o, "deepspeed.");
}

} // namespace vramscope
