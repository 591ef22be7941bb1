// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/formulas/speculation.h"

#include <algorithm>

namespace vramscope {

namespace {

/// The engine's settings with the draft as the model.
Settings draftSettings(const Settings &s)
{
    Settings own = s;
    own.draft = nullptr;
    own.architecture = s.draft->architecture;
    own.towers.clear();
    own.pipeline = 1;
    own.layersPerStage = {own.architecture.layers};
    own.model.parametersOverride = own.model.parametersPerRankOverride = 0;
    if (s.speculative.method != SpeculativeMethod::Mtp) {
        own.weightFormat = s.speculative.weightFormat;
        own.notConverted = {"embedding", "head", "router"};
    }
    return own;
}

/// A draft head keeps embedding and head only where it cannot read the model's.
void leaveSharedEnds(const Draft &draft, const Settings &own, RankInventory &rank)
{
    const std::int64_t hidden = own.architecture.hidden;
    // Queries, keys and values of a first block that reads twice the width.
    const std::int64_t second =
        draft.readsTwoStreams ? hidden * (queryWidth(own) + 2 * keyValueWidth(own)) : 0;
    rank.hasHead = false;
    rank.hasEmbedding = draft.ownEmbedding;
    rank.embedding = draft.ownEmbedding ? rank.embedding : 0;
    rank.finalNorm = 0;
    rank.head = dividedUp(Exact(draft.headRows), embeddingSplit(own)).value() * hidden;
    rank.extra = draft.replicated + dividedUp(Exact(draft.divided), own.tensor).value() + second -
                 draft.missingNorms * hidden;
}

/// Positions of a draft's own table of cosines and sines; 0 where it reads the model's, or has
/// none.
std::int64_t ownPositions(const Settings &s)
{
    const Architecture &target = s.architecture;
    const Architecture &draft = s.draft->architecture;
    const bool shared =
        draft.headDim == target.headDim && draft.maxPositions == target.maxPositions;
    const bool none = s.engine != Engine::Vllm || draft.mla() || draft.learnedPositions > 0;
    return shared || none ? 0 : draft.maxPositions;
}

std::string_view draftName(SpeculativeMethod method)
{
    switch (method) {
    case SpeculativeMethod::Mtp:
        return "Prediction modules";
    case SpeculativeMethod::Eagle:
    case SpeculativeMethod::Eagle3:
        return "Weights of the draft head";
    default:
        return "Weights of the draft model";
    }
}

} // namespace

DraftRank draftRankOf(const Settings &s)
{
    const Draft &draft = *s.draft;
    DraftRank held{draftSettings(s), {}};
    held.rank = rankOf(held.settings, countParameters(draft.architecture), 0);
    if (!draft.whole)
        leaveSharedEnds(draft, held.settings, held.rank);
    return held;
}

void addDraft(const Settings &s, KvCache &cache)
{
    const DraftRank held = draftRankOf(s);
    const KvCache own = kvCacheOf(held.settings, held.rank);
    cache.draftLayers = own.fullLayers;
    cache.perDraftLayer = own.perFullLayer;
    cache.draftIndexBytes = own.indexBytes;
}

Exact addDraftWeights(const Serving &serving, Ledger &ledger)
{
    const Settings &s = serving.s;
    if (!s.draft || !serving.rank.hasHead)
        return 0;
    const DraftRank held = draftRankOf(s);
    const Exact weights = servedBytes(held.settings, held.rank);
    ledger.add(
        Category::Parameters, draftName(s.speculative.method), weights, throughout(s),
        {"Parameters as vLLM's classes of drafts allocate them, embedding and head read "
         "from the model where vLLM shares them; vllm/v1/worker/gpu/spec_decode",
         Evidence::Sourced},
        {"N_draft in their format, {} parameters = {}", {held.rank.parameters(), weights.value()}});
    const std::int64_t positions = ownPositions(s);
    const std::int64_t head = s.draft->architecture.headDim;
    const Exact tables = Exact(2) * positions * head + Exact(8) * s.draft->tableRows;
    ledger.add(
        Category::Parameters, "Tables of the draft", tables, throughout(s),
        {"Cosines and sines of its positions, and which token each of its vocabulary "
         "stands for; vllm/model_executor/models/llama_eagle3.py",
         Evidence::Sourced},
        {"2 s_max d + 8 V_draft = 2 × {} × {} + 8 × {}", {positions, head, s.draft->tableRows}});
    return weights + tables;
}

Exact addDraftInputs(const Serving &serving, Ledger &ledger)
{
    const Settings &s = serving.s;
    if (!s.draft || s.draft->whole || !serving.rank.hasHead)
        return 0;
    const std::int64_t kept = 1 + (s.draft->keptStates > 1 ? s.draft->keptStates : 0);
    const Exact bytes = Exact(2) * kept * s.architecture.hidden * s.maxNumBatchedTokens;
    ledger.add(Category::Activations, "Hidden states for the draft",
               {"2 · states · h T", {2, kept, s.architecture.hidden, s.maxNumBatchedTokens}},
               {StepPhase::Profile, StepPhase::Serve},
               {"The draft's input of a full batch, and the states of three layers for EAGLE-3; "
                "vllm/v1/worker/gpu/spec_decode/target_dependent_ar/speculator.py",
                Evidence::Sourced});
    return bytes;
}

void addCheckedTokens(const Serving &serving, Exact profiled, Ledger &ledger)
{
    const Settings &s = serving.s;
    const std::int64_t drafted = draftedTokens(s);
    if (drafted == 0 || !serving.rank.hasHead)
        return;
    const std::int64_t rows = std::min((Exact(1 + drafted) * s.maxNumSeqs).value(),
                                       std::max(s.maxNumBatchedTokens, s.maxNumSeqs));
    const std::int64_t vocab = s.architecture.vocab;
    const Exact logits = Exact(14) * rows * vocab;
    ledger.add(Category::LossAndLogits, "Logits of drafted tokens", excess(logits, profiled),
               {StepPhase::Serve},
               {"Each sequence has a row of logits for every drafted token beside its own, where "
                "that is more than the profile run held; derived from tensor shapes",
                Evidence::Derived},
               {"14 V rows - profiled = 14 × {} × {} - {}", {vocab, rows, profiled.value()}});
}

} // namespace vramscope
