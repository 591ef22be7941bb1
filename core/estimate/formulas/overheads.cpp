// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/catalog/empirical.h"
#include "core/estimate/formulas/training.h"
#include "core/plan/field_path.h"
#include "core/settings/usual_values.h"

#include <algorithm>

namespace vramscope {

void addPageCache(const Settings &s, Ledger &ledger)
{
    if (unifiedMemory(s))
        ledger.add(Category::Framework, "Page cache of the files", s.pageCacheBytes,
                   {StepPhase::Load}, {FieldPath("hardware.page_cache_bytes"), Evidence::Sourced},
                   {"hardware.page_cache_bytes = {}", {s.pageCacheBytes}});
}

namespace {

/// The masks that transformers makes of a batch, one for each kind of layer: a byte a pair of
/// tokens for torch's kernels, numbers of the hidden states' type for eager attention. Checkpoints
/// hold them till backward. transformers masking_utils.py, sdpa_mask and eager_mask.
void addMasks(const Training &t, Ledger &ledger)
{
    const Settings &s = t.s;
    // A loop of its own may keep its mask in a buffer, as GPT-2's of 2019 does.
    const bool transformers =
        s.trainer == Trainer::Hf || s.architecture.attentionSinks || s.architecture.scoreSoftCap;
    const bool eager = transformers && (s.attention == AttentionKind::Eager ||
                                        s.attention == AttentionKind::EagerFp32Softmax);
    const bool masked = s.attention == AttentionKind::MemoryEfficient && isMasked(s);
    if (s.kernels != Kernels::Eager || (!eager && !masked))
        return;
    const std::vector<bool> &sliding = s.architecture.slidingLayers;
    const bool mixed = std::ranges::find(sliding, true) != sliding.end() &&
                       std::ranges::find(sliding, false) != sliding.end();
    const std::int64_t masks = mixed && (eager || s.attentionMask) ? 2 : 1;
    ledger.add(
        Category::Activations, "Attention masks",
        {"{} b s²",
         {masks * (eager ? t.residual : 1), s.microBatch, s.sequenceLength, s.sequenceLength}},
        s.checkpointing == Checkpointing::None ? PhaseSet{StepPhase::Forward} : kForwardToBackward,
        {"Made once for all layers of a kind; measured: tests/measure", Evidence::Verified});
}

} // namespace

void addOverheads(const Training &t, Ledger &ledger)
{
    const Settings &s = t.s;
    addPageCache(s, ledger);
    const PhaseSet always = kWholeStep | PhaseSet{StepPhase::Load};
    ledger.add(
        Category::Framework, "cuBLAS workspace", s.cublasWorkspaceBytes, kWholeStep,
        calibratedOr(s.calibrated.cublasWorkspace,
                     {"Workspaces of the forward and backward handles, inside the allocator; "
                      "measured: fms-acceleration A100 benchmarks, GPT-2 small in fp32",
                      Evidence::Verified}),
        {"catalogue or overheads.cublas_workspace_bytes = {}", {s.cublasWorkspaceBytes}});
    const Empirical &engine = empirical(Measured::TransformerEngineWorkspace);
    const bool typicalEngine = s.engineWorkspaceBytes == engine.bytes();
    ledger.add(Category::Framework, "Transformer Engine workspaces", s.engineWorkspaceBytes,
               kWholeStep,
               typicalEngine ? Origin{engine.source, Evidence::Empirical, engine.spread()}
                             : Origin{"Transformer Engine's matrix products; measured: Megatron-LM "
                                      "functional tests (golden values)",
                                      Evidence::Verified},
               {"catalogue or overheads.engine_workspace_bytes = {}", {s.engineWorkspaceBytes}});
    if (s.attentionMask && (t.rank.hasEmbedding || t.rank.hasHead) && t.megatron())
        ledger.add(Category::Activations, "Attention mask of the data loader",
                   {"b s² / c", {s.microBatch, s.sequenceLength, s.sequenceLength / s.context}},
                   kForwardToBackward,
                   {"A byte a pair of tokens; Megatron-LM core/datasets/gpt_dataset.py",
                    Evidence::Verified});
    else
        addMasks(t, ledger);
    // Megatron-LM's loop drops its batch with the loss (pretrain_gpt.py, forward_step).
    const PhaseSet held =
        t.megatron() ? PhaseSet{StepPhase::Forward, StepPhase::Loss} : PhaseSet(kWholeStep);
    ledger.add(Category::Activations, "Input tokens, labels and mask", {"3 × 8 T", {24, t.tokens}},
               held,
               {"Three 64-bit integers a token, held by the training loop", Evidence::Verified});
    ledger.add(Category::Parameters, "Registered buffers", s.model.bufferBytes, always,
               {"model.buffer_bytes: causal masks, rotary tables", Evidence::Sourced},
               {"model.buffer_bytes = {}", {s.model.bufferBytes}});
    ledger.add(Category::Framework, "Other resident tensors", s.residentBytes, always,
               calibratedOr(s.calibrated.resident,
                            {FieldPath("overheads.resident_bytes"), Evidence::Sourced}),
               {"overheads.resident_bytes = {}", {s.residentBytes}});
}

} // namespace vramscope
