// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/outline.h"
#include "core/exchange/setting_values.h"
#include "core/planner/schedules/schedule.h"

namespace vramscope {

namespace {

/// Megatron-LM's arguments, one a line.
class MegatronText
{
public:
    explicit MegatronText(Outline &outline)
        : m_o(outline)
        , m_s(outline.settings())
        , m_a(m_s.architecture)
    {
    }

    std::string write();

private:
    void put(std::string_view flag) { m_text += " \\\n    " + std::string(flag); }
    void put(std::string_view flag, std::int64_t value)
    {
        put(std::string(flag) + ' ' + std::to_string(value));
    }
    void model();
    void feedForward();
    void vocabulary();
    void parallel();
    void step();
    void recompute();
    void attention();
    void activations();

    Outline &m_o;
    const Settings &m_s;
    const Architecture &m_a;
    std::string m_text;
};

void MegatronText::model()
{
    m_o.said({"model.preset", "model.config", "model.norm", "model.gated_mlp",
              "model.learned_positions", "model.qk_norm"});
    put("--num-layers", m_a.layers);
    put("--hidden-size", m_a.hidden);
    put("--num-attention-heads", m_a.heads);
    if (m_a.kvHeads != m_a.heads) {
        put("--group-query-attention");
        put("--num-query-groups", m_a.kvHeads);
    }
    if (m_a.mla()) {
        put("--multi-latent-attention");
        if (m_a.qLoraRank > 0)
            put("--q-lora-rank", m_a.qLoraRank);
        put("--kv-lora-rank", m_a.kvLoraRank);
        put("--qk-head-dim", m_a.qkNopeHeadDim);
        put("--qk-pos-emb-head-dim", m_a.qkRopeHeadDim);
        put("--v-head-dim", m_a.vHeadDim);
    } else {
        put("--kv-channels", m_a.headDim);
    }
    put(m_a.norm == NormKind::RmsNorm ? "--normalization RMSNorm" : "--normalization LayerNorm");
    const bool plain = m_a.bias.qkv == m_a.bias.o && m_a.bias.o == m_a.bias.mlp;
    if (!m_a.bias.mlp)
        put("--disable-bias-linear");
    if (m_a.bias.qkv && !m_a.bias.mlp)
        put("--add-qkv-bias");
    if ((plain || (m_a.bias.qkv && !m_a.bias.o && !m_a.bias.mlp)) && !m_a.bias.head &&
        !m_a.bias.expert && !m_a.bias.router)
        m_o.said({"model.bias"});
    if (m_a.qkNorm)
        put("--qk-layernorm");
    put(m_a.learnedPositions > 0 ? "--position-embedding-type learned_absolute"
                                 : "--position-embedding-type rope");
    const std::int64_t positions =
        m_a.learnedPositions > 0 ? m_a.learnedPositions : m_a.maxPositions;
    if (positions > 0)
        put("--max-position-embeddings", positions);
}

void MegatronText::feedForward()
{
    if (m_a.gatedMlp)
        put("--swiglu");
    put("--ffn-hidden-size", m_a.ffn > 0 ? m_a.ffn : m_a.expertFfn);
    if (!m_a.moe())
        return;
    put("--num-experts", m_a.experts);
    put("--moe-router-topk", m_a.expertsPerToken);
    put("--moe-ffn-hidden-size", m_a.expertFfn);
    if (m_a.sharedFfn > 0)
        put("--moe-shared-expert-intermediate-size", m_a.sharedFfn);
    if (m_a.denseLayers > 0)
        put("--moe-layer-freq \"([0]*" + std::to_string(m_a.denseLayers) + "+[1]*" +
            std::to_string(m_a.layers - m_a.denseLayers) + ")\"");
}

void MegatronText::vocabulary()
{
    // The catalogue's size before padding, and what the plan states of it.
    put("--padded-vocab-size", m_a.vocab);
    m_o.said({"model.vocab_size_padded"});
    if (!m_a.tiedEmbeddings)
        put("--untie-embeddings-and-output-weights");
}

void MegatronText::parallel()
{
    m_o.said({"parallel.data", "parallel.tensor", "parallel.pipeline", "parallel.context",
              "parallel.expert", "parallel.sequence", "hardware.gpus"});
    put("--tensor-model-parallel-size", m_s.tensor);
    put("--pipeline-model-parallel-size", m_s.pipeline);
    if (m_s.virtualStages > 1)
        put("--num-virtual-stages-per-pipeline-rank", m_s.virtualStages);
    m_o.said({"parallel.virtual_stages"});
    put("--context-parallel-size", m_s.context);
    put("--expert-model-parallel-size", m_s.expert);
    if (m_o.states("parallel.expert_tensor"))
        put("--expert-tensor-parallel-size", m_s.expertTensor);
    if (m_s.sequenceParallel)
        put("--sequence-parallel");
    if (m_s.strategy == Strategy::MegatronDistributedOptimizer)
        put("--use-distributed-optimizer");
    if (m_s.strategy == Strategy::Fsdp2)
        put("--use-torch-fsdp2");
    if (m_s.strategy == Strategy::MegatronDistributedOptimizer ||
        m_s.strategy == Strategy::Megatron || m_s.strategy == Strategy::Fsdp2)
        m_o.said({"parallel.strategy"});
    constexpr std::array<std::string_view, 3> kExchanges = {"p2p", "all_gather", "a2a"};
    if (m_o.states("parallel.context_exchange"))
        put("--cp-comm-type " +
            std::string(kExchanges[static_cast<std::size_t>(m_s.contextExchange)]));
}

void MegatronText::step()
{
    m_o.said({"batch.micro_batch", "batch.sequence_length", "batch.accumulation_steps"});
    put("--micro-batch-size", m_s.microBatch);
    put("--global-batch-size", m_s.microBatch * m_s.data * m_s.accumulationSteps);
    put("--seq-length", m_s.sequenceLength);
    if (m_s.optimizer == OptimizerName::Adam || m_s.optimizer == OptimizerName::SgdMomentum ||
        m_s.optimizer == OptimizerName::Muon) {
        m_o.said({"optimizer.name"});
        put(m_s.optimizer == OptimizerName::Adam   ? "--optimizer adam"
            : m_s.optimizer == OptimizerName::Muon ? "--optimizer muon"
                                                   : "--optimizer sgd");
    }
    if (m_s.implementation == OptimizerImplementation::Fused)
        m_o.said({"optimizer.implementation"});
    m_o.said({"optimizer.offload"});
    if (m_s.optimizerOffload)
        put("--optimizer-cpu-offload");
    if (m_s.regime == Regime::MegatronBf16 || m_s.regime == Regime::Fp8)
        put("--bf16");
    if (m_s.regime == Regime::Fp8)
        put("--fp8-format hybrid");
    if (m_s.regime == Regime::MegatronBf16 || m_s.regime == Regime::Fp8 ||
        m_s.regime == Regime::Fp32)
        m_o.said({"precision.regime"});
}

void MegatronText::recompute()
{
    const std::int64_t chunks = m_s.pipeline * m_s.virtualStages;
    const std::string full = "--recompute-granularity full --recompute-method ";
    switch (m_s.checkpointing) {
    case Checkpointing::None:
        break;
    case Checkpointing::Full:
        put(full + "uniform --recompute-num-layers 1");
        break;
    case Checkpointing::EveryK:
        put(full + "uniform --recompute-num-layers " + std::to_string(m_s.every));
        if (m_s.every > 1)
            m_o.said({"activations.every"});
        break;
    case Checkpointing::SelectiveAttention:
        put("--recompute-granularity selective");
        break;
    case Checkpointing::Block:
        if (m_s.checkpointedBlocks % chunks != 0)
            return;
        put(full + "block --recompute-num-layers " +
            std::to_string(m_s.checkpointedBlocks / chunks));
        m_o.said({"activations.blocks"});
        break;
    default:
        return;
    }
    if (m_s.checkpointing != Checkpointing::EveryK || m_s.every > 1)
        m_o.said({"activations.checkpointing"});
}

/// The local layers have one attention, which keeps its scores.
void MegatronText::attention()
{
    const bool wide = m_s.attention == AttentionKind::EagerFp32Softmax;
    const bool flash = m_s.attention == AttentionKind::Flash;
    if (m_s.kernels == Kernels::MegatronLocal) {
        put("--transformer-impl local");
        if (wide)
            put("--attention-softmax-in-fp32");
        if (!flash)
            m_o.said({"activations.attention"});
    } else if (!wide) {
        m_o.said({"activations.attention"});
        put(flash ? "--attention-backend flash" : "--attention-backend unfused");
    }
}

void MegatronText::activations()
{
    m_o.said({"activations.dropout", "activations.attention_dropout", "activations.offload"});
    put("--hidden-dropout " + shortestNumber(m_s.dropout));
    put("--attention-dropout " + shortestNumber(m_s.attentionDropout));
    if (m_s.activationOffload)
        put("--cpu-offloading");
    attention();
    if (hasMegatronLayers(m_s))
        m_o.said({"activations.kernels"});
    if (m_s.loss == LossKind::VocabParallel)
        m_o.said({"loss"});
    if (m_s.trainer == Trainer::Own)
        m_o.said({"trainer"});
    if (m_o.states("activations.capacity_factor"))
        put("--moe-expert-capacity-factor " + shortestNumber(m_s.capacityFactor));
}

std::string MegatronText::write()
{
    const bool whole = m_s.gpusPerNode > 0 && m_s.gpus % m_s.gpusPerNode == 0;
    m_text = m_o.allocatorLine();
    m_text += m_text.empty() ? "" : "\n";
    m_text += "torchrun --nproc_per_node " + std::to_string(whole ? m_s.gpusPerNode : m_s.gpus) +
              " --nnodes " + std::to_string(whole ? m_s.gpus / m_s.gpusPerNode : 1) +
              " pretrain_gpt.py";
    if (whole)
        m_o.said({"hardware.gpus_per_node"});
    model();
    feedForward();
    vocabulary();
    parallel();
    step();
    recompute();
    activations();
    return m_text + '\n';
}

} // namespace

std::string megatronText(Outline &outline)
{
    return MegatronText(outline).write();
}

} // namespace vramscope
