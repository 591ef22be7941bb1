// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/planner/checks.h"

#include "core/base/format.h"
#include "core/planner/calibration_marks.h"
#include "core/planner/field.h"
#include "core/planner/field_conditions.h"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <string>
#include <string_view>
#include <type_traits>

namespace vramscope {

namespace {

using Severity = Issue::Severity;

/// Whether a stated value is more than a "no": off, none, one or nothing at all.
bool asksForSomething(const FieldValue &value)
{
    struct
    {
        bool operator()(std::monostate) const { return false; }
        bool operator()(bool on) const { return on; }
        bool operator()(std::int64_t count) const { return count > 1; }
        bool operator()(double number) const { return number > 0; }
        bool operator()(const std::string &text) const { return text != "none"; }
        bool operator()(const TextList &list) const { return !list.empty(); }
        bool operator()(const CountList &list) const { return list.size() > 1; }
    } constexpr asks;
    return std::visit(asks, value);
}

/// Goes through the rules of a plan; every check is one line that reads as its rule. Collects the
/// issues, or, without a list for them, only tells whether one of them bars the figures.
class Checker
{
public:
    Checker(const Plan &plan, const Settings &settings, std::vector<Issue> *issues)
        : m_plan(plan)
        , m_settings(settings)
        , m_issues(issues)
    {
    }

    /// Whether figures may be computed.
    bool run()
    {
        if (m_issues)
            marks();
        ranges();
        if (m_barred)
            return false; // divisions below need positive degrees
        degrees();
        if (m_settings.workload == Workload::Training) {
            strategies();
            memorySavers();
            adapters();
        } else {
            serving();
        }
        if (m_issues)
            withoutEffect();
        return !m_barred;
    }

private:
    /// `text` is a text, or what puts one together.
    template<class Text>
    void add(bool when, Severity severity, std::string_view field, const Text &text)
    {
        if (!when)
            return;
        m_barred |= severity == Severity::Blocking;
        if (!m_issues)
            return;
        if constexpr (std::is_invocable_v<Text>)
            m_issues->push_back({severity, std::string(field), text()});
        else
            m_issues->push_back({severity, std::string(field), std::string(text)});
    }
    template<class Text>
    void block(bool when, std::string_view field, const Text &text)
    {
        add(when, Severity::Blocking, field, text);
    }
    void note(bool when, std::string_view field, std::string_view text)
    {
        add(when, Severity::Note, field, text);
    }
    void atLeast(std::int64_t minimum, std::int64_t value, std::string_view field)
    {
        block(value < minimum, field, [&] {
            return "Must be at least " + formatCount(minimum) + ", not " + formatCount(value) + ".";
        });
    }

    void ranges();
    void degrees();
    void stages();
    void experts();
    void strategies();
    void memorySavers();
    void adapters();
    void withoutEffect();
    void serving();
    void marks();

    const Plan &m_plan;
    const Settings &m_settings;
    std::vector<Issue> *m_issues;
    bool m_barred = false;
};

void Checker::ranges()
{
    const Settings &s = m_settings;
    const std::array<std::pair<std::string_view, std::int64_t>, 19> positive = {{
        {"parallel.data", s.data},
        {"parallel.tensor", s.tensor},
        {"parallel.pipeline", s.pipeline},
        {"parallel.virtual_stages", s.virtualStages},
        {"parallel.context", s.context},
        {"parallel.expert", s.expert},
        {"parallel.expert_tensor", s.expertTensor},
        {"parallel.shard_group", s.shardGroup},
        {"hardware.gpus", s.gpus},
        {"hardware.gpus_per_node", s.gpusPerNode},
        {"batch.micro_batch", s.microBatch},
        {"batch.sequence_length", s.sequenceLength},
        {"batch.accumulation_steps", s.accumulationSteps},
        {"activations.every", s.every},
        {"loss_chunks", s.lossChunks},
        {"precision.weight_bytes", s.weightBytes},
        {"inference.block_size", s.blockSize},
        {"inference.max_num_seqs", s.maxNumSeqs},
        {"inference.max_num_batched_tokens", s.maxNumBatchedTokens},
    }};
    for (const auto &[field, value] : positive)
        atLeast(1, value, field);
    const std::array<std::pair<std::string_view, std::int64_t>, 11> notNegative = {{
        {"inference.concurrent_sequences", s.concurrentSequences},
        {"hardware.capacity_bytes", s.capacity},
        {"model.parameters_override", s.parametersOverride},
        {"model.parameters_per_rank_override", s.parametersPerRankOverride},
        {"model.buffer_bytes", s.bufferBytes},
        {"overheads.context_bytes", s.contextBytes},
        {"overheads.nccl_bytes", s.ncclBytes},
        {"overheads.cublas_workspace_bytes", s.cublasWorkspaceBytes},
        {"overheads.resident_bytes", s.residentBytes},
        {"precision.gradient_bytes", s.gradientBytes},
        {"precision.master_weight_bytes", s.masterWeightBytes},
    }};
    for (const auto &[field, value] : notNegative)
        atLeast(0, value, field);
    block(s.reservedFactor < 1, "overheads.reserved_factor",
          "Reserved memory is never below allocated memory: at least 1.");
}

void Checker::degrees()
{
    const Settings &s = m_settings;
    const Architecture &a = s.architecture;
    const std::optional<std::int64_t> world = worldSize(s);
    block(!world, "parallel", "The parallel degrees multiply to more GPUs than can be counted.");
    block(a.heads % s.tensor != 0, "parallel.tensor", [&] {
        return "The " + formatCount(a.heads) +
               " attention heads do not divide by tensor = " + formatCount(s.tensor) + ".";
    });
    const std::int64_t replica = world ? *world / s.data : 1;
    const bool divides = s.gpus % replica == 0;
    block(world && *world != s.gpus && !divides, "hardware.gpus", [&] {
        return "The " + formatCount(s.gpus) + (s.gpus == 1 ? " GPU does" : " GPUs do") +
               " not divide by tensor × pipeline × context = " + formatCount(replica) + '.';
    });
    block(world && *world != s.gpus && divides, "hardware.gpus", [&] {
        return "The degrees make data × tensor × pipeline × context = " + formatCount(*world) +
               ", but hardware.gpus is " + formatCount(s.gpus) + ".";
    });
    if (a.layers == 0)
        return; // the model itself is unknown and said so
    block(s.pipeline > a.layers, "parallel.pipeline", [&] {
        return "More pipeline stages than the model's " + formatCount(a.layers) + " layers.";
    });
    stages();
    block(s.stage >= s.pipeline, "parallel.stage",
          [&] { return "There are stages 0 to " + formatCount(s.pipeline - 1) + " only."; });
    block(s.sequenceLength % s.context != 0, "parallel.context", [&] {
        return "The sequence length does not divide by context = " + formatCount(s.context) + ".";
    });
    experts();
}

void Checker::stages()
{
    const Settings &s = m_settings;
    const Architecture &a = s.architecture;
    if (s.pipeline > a.layers)
        return; // said already
    const std::string_view field = "parallel.layers_per_stage";
    const bool counted = static_cast<std::int64_t>(s.layersPerStage.size()) == s.pipeline;
    const std::int64_t sum =
        std::accumulate(s.layersPerStage.begin(), s.layersPerStage.end(), std::int64_t(0));
    block(!counted, field, [&] {
        return "Lists the layers of " + formatCount(std::ssize(s.layersPerStage)) +
               " stages, but parallel.pipeline makes " + formatCount(s.pipeline) + ".";
    });
    block(counted && sum != a.layers, field, [&] {
        return "Adds up to " + formatCount(sum) + " layers, but the model has " +
               formatCount(a.layers) + ".";
    });
    block(
        counted && s.virtualStages > 1 &&
            std::ranges::any_of(s.layersPerStage,
                                [&](std::int64_t layers) { return layers % s.virtualStages != 0; }),
        "parallel.virtual_stages", "The layers of a stage do not divide by virtual_stages.");
}

void Checker::experts()
{
    const Settings &s = m_settings;
    const Architecture &a = s.architecture;
    if (s.expert == 1 && s.expertTensor == 1)
        return;
    block(s.expert > 1 && !a.moe(), "parallel.expert", "The model has no experts to spread.");
    block(a.moe() && a.experts % s.expert != 0, "parallel.expert", [&] {
        return "The " + formatCount(a.experts) +
               " experts do not divide by expert = " + formatCount(s.expert) + ".";
    });
    block(a.moe() && s.gpus / s.pipeline % s.expertTensor != 0, "parallel.expert_tensor",
          "The GPUs of a stage do not divide by expert_tensor.");
    block(a.moe() && s.gpus / s.pipeline % s.expertTensor == 0 &&
              s.gpus / s.pipeline / s.expertTensor % s.expert != 0,
          "parallel.expert", "The GPUs of a stage do not divide by expert × expert_tensor.");
}

void Checker::strategies()
{
    const Settings &s = m_settings;
    const bool fsdp = s.strategy == Strategy::Fsdp1 || s.strategy == Strategy::Fsdp2;
    block(s.strategy == Strategy::None && s.data > 1, "parallel.strategy", [&] {
        return "Data parallel is " + formatCount(s.data) +
               ", which needs a strategy: choose DDP, ZeRO or FSDP, or set data parallel to 1.";
    });
    block(m_plan.parallel.sharding && !fsdp, "parallel.sharding",
          "Sharding is a setting of FSDP: choose strategy fsdp1 or fsdp2, or leave it out.");
    block(s.cpuOffload && !fsdp, "parallel.cpu_offload",
          "This offload is FSDP's: choose strategy fsdp1 or fsdp2, or optimizer.offload.");
    block(s.regime == Regime::FsdpMixedBf16 && !fsdp, "precision.regime",
          "fsdp-mixed-bf16 needs strategy fsdp1 or fsdp2.");
    block(fsdp && s.sharding == Sharding::HybridShard && s.data * s.context % s.shardGroup != 0,
          "parallel.shard_group", [&] {
              return "The shard group does not divide the " + formatCount(s.data * s.context) +
                     " data-parallel GPUs.";
          });
    block(s.strategy == Strategy::Fsdp2 && s.sharding == Sharding::NoShard, "parallel.sharding",
          "FSDP2 has no no_shard: choose fsdp1, or ddp.");
    block(s.optimizer == OptimizerName::None && s.optimizerOffload, "optimizer.offload",
          "There is no optimizer to offload.");
    block(s.implementation == OptimizerImplementation::InBackward && s.accumulationSteps > 1,
          "optimizer.implementation",
          "An optimizer inside the backward pass leaves no gradients to accumulate.");
    note(m_plan.batch.noSync && s.noSync && s.accumulationSteps == 1, "batch.no_sync",
         "Without effect: there is one micro-batch a step.");
    note(s.noSync && s.accumulationSteps > 1 && s.data * s.context == 1, "batch.no_sync",
         "Without effect: one GPU has nothing to synchronise.");
    add(s.noSync && s.accumulationSteps > 1 && s.data * s.context > 1 && fsdp &&
            s.sharding != Sharding::NoShard,
        Severity::Warning, "batch.no_sync",
        "Under no_sync the gradients stay unsharded on every GPU until the last micro-batch.");
}

void Checker::memorySavers()
{
    const Settings &s = m_settings;
    const std::int64_t positions = s.architecture.learnedPositions;
    add(positions > 0 && s.sequenceLength > positions, Severity::Warning, "batch.sequence_length",
        [&] {
            return "The model has " + formatCount(positions) +
                   " learned positions: it cannot run longer sequences.";
        });
    add(s.loss == LossKind::CrossEntropyFp32 && s.computeBytes < 4, Severity::Warning, "loss",
        "cross-entropy-fp32 is for models whose logits are fp32; bf16 logits that are upcast are "
        "hf-upcast.");
    block(s.checkpointing == Checkpointing::Block &&
              (s.checkpointedBlocks < 0 || s.checkpointedBlocks > s.architecture.layers),
          "activations.blocks", [&] {
              return "Between 0 and the model's " + formatCount(s.architecture.layers) + " layers.";
          });
    note(
        s.linear == LinearFormat::Fp8, "precision.linear",
        "Linear layers that compute in fp8 save their inputs in 16 bit: torchtitan's recorded runs "
        "differ from bf16 by under half a percent.");
    note(s.linear == LinearFormat::NvFp4, "precision.linear",
         "Linear layers that compute in fp4 are taken to save their inputs in 16 bit, as those in "
         "fp8 do.");
    note(s.regime == Regime::Fp8, "precision.regime",
         "Activations are counted in bf16; fp8 weight copies are added.");
    block(!(s.dropout >= 0 && s.dropout < 1), "activations.dropout", "A rate from 0 to below 1.");
    block(!(s.attentionDropout >= 0 && s.attentionDropout < 1), "activations.attention_dropout",
          "A rate from 0 to below 1.");
    block(!(s.loadImbalance >= 1), "activations.load_imbalance", "1 is balanced; at least 1.");
    block(!(s.capacityFactor >= 0), "activations.capacity_factor", "0 (dropless) or above.");
    block(!(s.stateBytes >= 0), "optimizer.state_bytes", "0 or above.");
}

void Checker::adapters()
{
    const Settings &s = m_settings;
    const bool lora = s.adapters == AdapterKind::Lora;
    block(lora && s.adapterRank < 1, "adapters.rank", "LoRA needs a rank of at least 1.");
    block(lora && s.adapterTargets.empty(), "adapters.targets",
          "LoRA needs the matrices it adapts: q, k, v, o, gate, up, down, head or all-linear.");
    block(!lora && s.baseQuantization != BaseQuantization::None, "adapters.base_quantization",
          "Quantised weights cannot be trained themselves: choose adapters.kind lora.");
    block(lora && s.adapterWeightBytes < 1, "adapters.weight_bytes", "At least 1.");
    const bool latent =
        s.architecture.mla() && std::ranges::any_of(s.adapterTargets, [](auto &name) {
            return name == "q" || name == "k" || name == "v";
        });
    note(lora && latent, "adapters.targets",
         "In latent attention q adapts both projections of the queries, k and v those to and from "
         "the latent.");
}

void Checker::serving()
{
    const Settings &s = m_settings;
    const bool vllm = s.engine == Engine::Vllm;
    block(vllm && s.capacity == 0 && s.kvCacheMemoryBytes < 0, "hardware.gpu",
          "vLLM sizes its cache by the GPU's memory: name a GPU with known capacity, or state "
          "hardware.capacity_bytes.");
    block((vllm || s.engine == Engine::LlamaCpp) && s.maxModelLen < 1, "inference.max_model_len",
          "The model states no context length: say how long sequences may be.");
    block(vllm && !(s.gpuMemoryUtilization > 0 && s.gpuMemoryUtilization <= 1),
          "inference.gpu_memory_utilization", "Above 0 and at most 1.");
    block(!(s.kvBytesPerElement >= 0), "inference.kv_bytes_per_element", "0 or above.");
}

void Checker::marks()
{
    if (!m_plan.overheads.calibrated)
        return;
    for (const std::string &mark : *m_plan.overheads.calibrated)
        add(calibratedField(mark) == nullptr, Severity::Note, "overheads.calibrated", [&] {
            return '"' + mark +
                   "\" is ignored: a mark is \"FIELD from FILE\", with a field of overheads.";
        });
}

void Checker::withoutEffect()
{
    const Settings &s = m_settings;
    for (const Field &field : planFields()) {
        const Condition condition = conditionOf(field.path);
        if (condition == nullptr || condition(s) || !asksForSomething(field.get(m_plan)) ||
            std::ranges::find(*m_issues, field.path, &Issue::field) != m_issues->end())
            continue;
        // What is stated for the other workload waits there for its turn.
        const HiddenBecause because = hiddenBecause(condition, s);
        note(because != otherWorkload(s), field.path,
             "Without effect: a setting of " + std::string(because.subject) + " (" +
                 std::string(because.reason) + ").");
    }
    note(s.workload == Workload::Training && s.activationOffload &&
             (s.checkpointing == Checkpointing::None ||
              s.checkpointing == Checkpointing::SelectiveAttention),
         "activations.offload", "Without effect: only kept block inputs are moved to the host.");
}

} // namespace

std::optional<std::int64_t> worldSize(const Settings &s)
{
    std::int64_t world = 1;
    for (const std::int64_t degree : {s.data, s.tensor, s.pipeline, s.context})
        if (__builtin_mul_overflow(world, degree, &world))
            return std::nullopt;
    return world;
}

void checkPlan(const Plan &plan, ResolvedPlan &resolved)
{
    Checker(plan, resolved.settings, &resolved.issues).run();
}

bool soundPlan(const Plan &plan, const Settings &settings)
{
    return Checker(plan, settings, nullptr).run();
}

} // namespace vramscope
