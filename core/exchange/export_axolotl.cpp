// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/trainer_export.h"
#include "core/planner/field_conditions.h"

#include <algorithm>

namespace vramscope {

namespace {

// Keys and defaults of axolotl 0.19: utils/schemas/, utils/config/__init__.py, loaders/ and
// core/builders/.

void writeTargets(Outline &o, YamlText &yaml)
{
    const auto targets = sayTargets(o);
    if (!targets)
        return;
    TextList modules = *targets;
    if (std::erase(modules, "all-linear") > 0)
        yaml.flag("lora_target_linear", true);
    if (!modules.empty())
        yaml.words("lora_target_modules", modules);
}

/// Experts keep 16 bit beside quantised linear layers unless axolotl is told to quantise them.
void writeQuantizedExperts(Outline &o, YamlText &yaml)
{
    const Settings &s = o.settings();
    TextList rest = s.adapterNotConverted;
    const bool keeps = std::erase(rest, "expert") > 0;
    if (s.architecture.moe() && !keeps)
        yaml.flag("quantize_moe_experts", true);
    if (rest == Settings().adapterNotConverted)
        o.said({"adapters.modules_to_not_convert"});
}

void writeLora(Outline &o, YamlText &yaml)
{
    const Settings &s = o.settings();
    if (s.adapters != AdapterKind::Lora)
        return;
    const BaseQuantization base = s.baseQuantization;
    const bool four = base == BaseQuantization::Nf4 || base == BaseQuantization::Nf4Double;
    yaml.word("adapter", four ? "qlora" : "lora");
    if (base != BaseQuantization::Fp8)
        o.said({"adapters.base_quantization"});
    if (four)
        yaml.flag("load_in_4bit", true);
    if (base == BaseQuantization::Int8)
        yaml.flag("load_in_8bit", true);
    if (base == BaseQuantization::GptqInt4)
        yaml.flag("gptq", true);
    if (base == BaseQuantization::Nf4) {
        yaml.open("bnb_config_kwargs");
        yaml.flag("bnb_4bit_use_double_quant", false);
        yaml.close();
    }
    if (four || base == BaseQuantization::Int8)
        writeQuantizedExperts(o, yaml);
    writeAdapters(o, yaml, "lora_r", "lora_dropout");
    writeTargets(o, yaml);
}

/// bf16 is "auto" where nothing is stated. Weights stay in the 16 bit that they are loaded in but
/// where FSDP1 trains all of them (importAxolotlPrecision()).
void writePrecision(Outline &o, YamlText &yaml)
{
    const Settings &s = o.settings();
    MixedPrecision mixed = sayRegime(o, false);
    if (s.regime == Regime::PureBf16) { // "full" is known to its builders, not to its schema
        mixed.bf16 = true;
        o.changed("precision.regime", "is pure-bf16, which axolotl 0.19 has no word for; the run "
                                      "is under autocast, over weights in bf16.");
    }
    yaml.flag("bf16", mixed.bf16);
    if (mixed.fp16)
        yaml.flag("fp16", true);
    if (s.linear == LinearFormat::Fp8) {
        yaml.flag("fp8", true);
        o.said({"precision.linear"});
    }
    if ((!mixed.bf16 && !mixed.fp16) || applies::zero.test(s))
        return;
    const bool lora = s.adapters == AdapterKind::Lora;
    const bool second = s.strategy == Strategy::Fsdp2;
    const auto keeps = [&](FieldPath field, std::int64_t ours, std::int64_t theirs) {
        o.said({field});
        if (ours != theirs)
            o.changed(field, "is " + std::to_string(ours) + "; axolotl has " +
                                 std::to_string(theirs) + " there.");
    };
    const bool wide = s.strategy == Strategy::Fsdp1 && !lora;
    keeps("precision.weight_bytes", s.weightBytes, wide ? 4 : 2);
    if (applies::fsdp.test(s) && !lora)
        keeps("precision.gradient_bytes", s.gradientBytes, second ? 2 : 4);
}

void writeAxolotlDegrees(Outline &o, YamlText &yaml)
{
    const Settings &s = o.settings();
    const bool hybrid = s.strategy == Strategy::Fsdp2 && s.sharding == Sharding::HybridShard;
    if (s.tensor > 1)
        yaml.count("tensor_parallel_size", s.tensor);
    o.said({"parallel.tensor"});
    if (!s.sequenceParallel)
        o.said({"parallel.sequence"});
    if (s.context > 1) {
        yaml.count("context_parallel_size", s.context);
        if (s.contextExchange != ContextExchange::Ulysses) {
            yaml.word("ring_attn_func",
                      s.contextExchange == ContextExchange::Ring ? "batch_ring" : "varlen_llama3");
            o.said({"parallel.context_exchange"});
        }
    }
    o.said({"parallel.context"});
    if (s.expert > 1)
        yaml.count("expert_parallel_size", s.expert);
    o.said({"parallel.expert"});
    if (!hybrid)
        return;
    const std::int64_t shards = s.data * s.context;
    const std::int64_t replicas = s.shardGroup > 0 ? shards / s.shardGroup : 1;
    const bool even = replicas > 1 && replicas * s.shardGroup == shards && s.data % replicas == 0;
    if (!even)
        return o.changed("parallel.sharding",
                         "is hybrid_shard, whose groups are no part of the data parallel degree; "
                         "it has become full_shard.");
    yaml.count("dp_replicate_size", replicas);
    yaml.count("dp_shard_size", s.data / replicas);
}

/// FSDP1 has its sharding among the words of `fsdp`, and no prefetching (utils/schemas/fsdp.py).
void writeFirstFsdp(Outline &o, YamlText &yaml)
{
    const Settings &s = o.settings();
    yaml.count("fsdp_version", 1);
    yaml.words("fsdp", {std::string(choiceText(s.sharding)), "auto_wrap"});
    yaml.open("fsdp_config");
    yaml.flag("offload_params", s.cpuOffload);
    yaml.flag("use_orig_params", s.useOrigParams);
    yaml.word("auto_wrap_policy", "TRANSFORMER_BASED_WRAP");
    yaml.close();
    o.said({"parallel.strategy", "parallel.cpu_offload", "parallel.sharding",
            "parallel.use_orig_params", "parallel.backward_prefetch"});
    if (s.sharding == Sharding::HybridShard && s.shardGroup == s.gpusPerNode)
        o.said({"parallel.shard_group"});
    if (s.backwardPrefetch != BackwardPrefetch::None)
        o.changed("parallel.backward_prefetch", "is " +
                                                    std::string(choiceText(s.backwardPrefetch)) +
                                                    "; under axolotl nothing is prefetched.");
}

void writeSharding(Outline &o, YamlText &yaml)
{
    const Settings &s = o.settings();
    if (s.strategy == Strategy::Fsdp1) {
        writeFirstFsdp(o, yaml);
    } else if (s.strategy == Strategy::Fsdp2) {
        yaml.count("fsdp_version", 2);
        yaml.open("fsdp_config");
        writeFsdp(o, yaml, {.offload = "offload_params", .replicates = true});
        yaml.close();
    } else if (applies::zero.test(s)) {
        writeDeepSpeed(o, yaml);
    } else if (s.strategy == Strategy::None || s.strategy == Strategy::Ddp) {
        o.said({"parallel.strategy"});
    }
    writeAxolotlDegrees(o, yaml);
}

/// Kernels and losses that plugins switch on.
void writePlugins(Outline &o, YamlText &yaml)
{
    const Settings &s = o.settings();
    const bool blocks = s.kernels == Kernels::Fused;
    const bool head = s.loss == LossKind::LinearFused;
    const bool entropy = s.loss == LossKind::FusedUpcast;
    const bool chunked = s.loss == LossKind::Chunked;
    if (sayCompiled(o))
        yaml.flag("torch_compile", true);
    if (blocks || head || entropy)
        yaml.words("plugins", {"axolotl.integrations.liger.LigerPlugin"});
    if (blocks) {
        yaml.flag("liger_rope", true);
        yaml.flag("liger_rms_norm", true);
        yaml.flag("liger_glu_activation", true);
        o.said({"activations.kernels"});
    }
    if (head)
        yaml.flag("liger_fused_linear_cross_entropy", true);
    if (entropy)
        yaml.flag("liger_cross_entropy", true);
    if (chunked) {
        yaml.flag("chunked_cross_entropy", true);
        yaml.count("chunked_cross_entropy_num_chunks", s.lossChunks);
        o.said({"loss_chunks"});
    }
    if (head || entropy || chunked)
        o.said({"loss"});
    else
        sayOwnLoss(o);
}

void writeActivations(Outline &o, YamlText &yaml)
{
    const Settings &s = o.settings();
    yaml.word("attn_implementation", sayAttention(o));
    const bool recomputes = sayCheckpointing(o);
    yaml.flag("gradient_checkpointing", recomputes);
    if (recomputes || !s.activationOffload)
        o.said({"activations.offload"});
    if (recomputes && s.activationOffload)
        yaml.flag("activation_offloading", true);
    if (o.states("activations.experts"))
        yaml.word("experts_implementation",
                  s.expertKernels == ExpertKernels::Loop ? "eager" : "grouped_mm");
}

} // namespace

std::string axolotlText(Outline &o)
{
    const Settings &s = o.settings();
    YamlText yaml;
    sayRun(o, "axolotl");
    writeLaunch(o, yaml,
                {.before = "axolotl train THIS_FILE --launcher torchrun -- --nproc_per_node ",
                 .machines = " --nnodes ",
                 .all = false});
    if (s.allocConf.empty()) // set_pytorch_cuda_alloc_conf() of utils/__init__.py
        o.changed("overheads.alloc_conf", "is not stated; axolotl then sets "
                                          "expandable_segments:True by itself.");
    yaml.comment("Yours to add: datasets, learning_rate, num_epochs, output_dir.");
    writeModelName(o, yaml, "base_model");
    yaml.count("sequence_len", s.sequenceLength);
    yaml.count("micro_batch_size", s.microBatch);
    yaml.count("gradient_accumulation_steps", s.accumulationSteps);
    o.said({"batch.sequence_length", "batch.micro_batch", "batch.accumulation_steps"});
    writeLora(o, yaml);
    writePrecision(o, yaml);
    writeTrainerOptimizer(o, yaml, "optimizer", true);
    writeSharding(o, yaml);
    writeActivations(o, yaml);
    writePlugins(o, yaml);
    return yaml.text();
}

} // namespace vramscope
