// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/estimate/formulas/serving.h"
#include "core/model/drafts/draft.h"

namespace vramscope {

// Memory that speculative decoding adds to serving, on the rank that has the model's head: vLLM
// 0.33.0 loads a draft there, divided as the model is (v1/worker/gpu/spec_decode). Its layers,
// states and pool are compared with vLLM in tests/measure/drafts.

/// A rank's part of a draft, and the settings that its own formulas read.
struct DraftRank
{
    Settings settings;
    RankInventory rank;
};

/// Needs settings.draft.
[[nodiscard]] DraftRank draftRankOf(const Settings &settings);

/// Adds the draft's layers to the cache of the rank. Needs settings.draft.
void addDraft(const Settings &settings, KvCache &cache);

/// The draft's weights. Returns their bytes; none without a draft.
Exact addDraftWeights(const Serving &serving, Ledger &ledger);

/// vLLM: the model's hidden states that a head reads, for a full batch. Returns their bytes.
Exact addDraftInputs(const Serving &serving, Ledger &ledger);

/// vLLM: memory of verifying drafted tokens beyond the profile run, whose larger part is
/// `profiled`; vLLM does not subtract it from its cache.
void addCheckedTokens(const Serving &serving, Exact profiled, Ledger &ledger);

} // namespace vramscope
