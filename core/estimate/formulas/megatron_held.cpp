// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/formulas/training.h"
#include "core/settings/schedules/schedule.h"

#include <algorithm>

namespace vramscope {

namespace {

/// The optimizer steps on fp32 gradients. Copies of narrower ones are there until the next step's
/// zero_grad.
void addMainGradients(const Training &t, Ledger &ledger)
{
    if (!t.megatron() || t.s.masterWeightBytes == 0 || t.trainedGradient >= 4)
        return;
    constexpr PhaseSet kFromStep = {StepPhase::GradientNorm, StepPhase::Step, StepPhase::Rest};
    addSharded(t, t.trained,
               {Category::Gradients,
                named("Gradients in fp32 for the step", "Gradient shards in fp32 for the step",
                      t.dense.optimizer),
                kFromStep,
                {"Megatron-Core optimizer/distrib_optimizer.py, _copy_model_grads_to_main_grads; "
                 "measured: tests/measure",
                 Evidence::Verified}},
               4, &Degrees::optimizer, ledger);
}

/// Expert layers that are recomputed one by one.
std::int64_t recomputedExpertLayers(const Training &t)
{
    const BlockRange range = t.rank.expertRange();
    if (t.s.checkpointing == Checkpointing::Full)
        return range.blocks;
    if (t.s.checkpointing != Checkpointing::Block)
        return 0;
    return std::clamp<std::int64_t>(t.s.checkpointedBlocks - range.first, 0, range.blocks);
}

/// The dispatcher of an expert layer keeps the probabilities of its last pass until the next. Those
/// of a recomputed pass refer to the checkpoint's input, which thus stays with its gradient.
void addDispatchers(const Training &t, Ledger &ledger)
{
    const Settings &s = t.s;
    const Architecture &a = s.architecture;
    const BlockRange range = t.rank.expertRange();
    if (!hasMegatronLayers(s) || range.blocks == 0 || s.dispatcher != TokenDispatcher::AllToAll)
        return;
    const std::int64_t sp = s.sequenceParallel ? s.tensor : 1;
    // In forward they go while activations come; the loss is higher.
    constexpr PhaseSet kAfter = {StepPhase::Backward, StepPhase::EndOfBackward,
                                 StepPhase::GradientNorm, StepPhase::Step, StepPhase::Rest};
    constexpr Origin kSource = {"MoEAlltoAllTokenDispatcher holds the probabilities, and with them "
                                "the input of a recomputed pass and its gradient; Megatron-Core "
                                "transformer/moe/token_dispatcher.py; measured: tests/measure",
                                Evidence::Verified};
    const auto add = [&](std::string_view name, std::int64_t width, std::string_view pattern,
                         std::int64_t layers) {
        const Exact each = dividedUp(Exact(4) * width, sp) * t.tokens;
        ledger.add(Category::Activations, name, each * layers, kAfter, kSource,
                   FormulaText{pattern, {layers, width, sp, t.tokens.value()}}, 1,
                   Course::grown({range.first, layers}, each));
    };
    add("Probabilities that dispatchers hold", a.experts,
        "4 L E T / t_sp = {} × ⌈4 × {} / {}⌉ × {}", range.blocks);
    add("Inputs and their gradients that dispatchers hold", a.hidden,
        "2 · 2 L h T / t_sp = {} × ⌈4 × {} / {}⌉ × {}", recomputedExpertLayers(t));
}

/// Elements a token that an all-gather brings to experts, through the buffer that stays.
Exact gatheredForExperts(const Training &t)
{
    const Settings &s = t.s;
    const bool gathers = s.dispatcher == TokenDispatcher::AllGather &&
                         s.expert * s.expertTensor > 1 && t.rank.expertBlocks() > 0;
    return gathers ? gatheredRows(t) * s.architecture.hidden : Exact(0);
}

constexpr Origin kDispatcherBuffer = {
    "Tokens gathered for the experts: gather_from_sequence_parallel_region with use_global_buffer; "
    "Megatron-Core transformer/moe/token_dispatcher.py; measured: its functional tests",
    Evidence::Verified};

/// Transformer Engine's layers use the buffer for the tokens that experts gather.
void addGatheredTokens(const Training &t, Ledger &ledger)
{
    const Exact elements = gatheredForExperts(t);
    const std::int64_t w = t.s.computeBytes;
    ledger.add(Category::Framework, "GlobalMemoryBuffer", Exact(w) * elements, kWholeStep,
               kDispatcherBuffer, {"{} h T_g = {} × {}", {w, w, elements.value()}});
}

/// Megatron's own layers write scores and gathered inputs into one buffer, which grows to the
/// largest of them and stays.
void addGlobalBuffer(const Training &t, Ledger &ledger)
{
    const Settings &s = t.s;
    const Architecture &a = s.architecture;
    const std::int64_t w = s.computeBytes;
    const Exact scores = dividedUp(Exact(a.heads), s.tensor) * s.sequenceLength * t.tokens;
    if (gatheredForExperts(t) > scores)
        return addGatheredTokens(t, ledger);
    const Exact heads = dividedUp(Exact(a.heads), s.tensor);
    const bool gathers = s.sequenceParallel && heads * s.sequenceLength < Exact(a.hidden);
    const Exact width = gathers ? Exact(a.hidden) : heads * s.sequenceLength;
    ledger.add(Category::Framework, "GlobalMemoryBuffer", Exact(w) * width * t.tokens, kWholeStep,
               {"Scores of one attention, or under sequence parallelism the gathered input of one "
                "product where that is more; Megatron-Core utils.py, GlobalMemoryBuffer; "
                "measured: tests/measure",
                Evidence::Verified},
               {gathers ? "{} h T = {} × {} × {}" : "{} a s T / t = {} × {} × {}",
                {w, w, width.value(), t.tokens.value()}});
}

/// autograd sums both gradients of a tied embedding before it passes them on, so the head's waits
/// for the other.
void addTiedHead(const Training &t, Ledger &ledger)
{
    const Settings &s = t.s;
    const bool tied = s.architecture.tiedEmbeddings && t.rank.hasEmbedding && t.rank.hasHead;
    if (!tied || t.lora() || s.loss == LossKind::None)
        return;
    const std::int64_t w = s.computeBytes;
    const Exact head = dividedUp(Exact(s.architecture.vocab) * s.architecture.hidden, s.tensor);
    ledger.add(Category::Gradients, "Head's gradient of the tied embedding",
               {"{} V h / t", {w, head}}, {StepPhase::Backward, StepPhase::EndOfBackward},
               {"The gradient of the head's product, until that of the embedding joins it; "
                "measured: tests/measure",
                Evidence::Verified});
}

/// RotaryEmbedding.forward is cached.
void addRotaryCache(const Training &t, Ledger &ledger)
{
    const Architecture &a = t.s.architecture;
    if (a.learnedPositions > 0 || a.mla())
        return;
    ledger.add(Category::Parameters, "Cached rotary table",
               {"4 s d", {4, t.s.sequenceLength, a.headDim}}, kWholeStep,
               {"The angle of every position in fp32; Megatron-Core "
                "models/common/embeddings/rotary_pos_embedding.py; measured: tests/measure",
                Evidence::Verified});
}

} // namespace

void addMegatronHeld(const Training &t, Ledger &ledger)
{
    addMainGradients(t, ledger);
    addDispatchers(t, ledger);
    if (t.s.kernels == Kernels::MegatronTe)
        addGatheredTokens(t, ledger);
    if (t.s.kernels != Kernels::MegatronLocal)
        return;
    addGlobalBuffer(t, ledger);
    addRotaryCache(t, ledger);
    addTiedHead(t, ledger);
}

} // namespace vramscope
