// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/estimate/formulas/serving.h"
#include "core/model/drafts/draft.h"

namespace vramscope {

// What speculative decoding adds to serving, on the rank that has the model's head: vLLM 0.33.0
// loads a draft there, divided as the model is (v1/worker/gpu/spec_decode). Its layers, states and
// pool are held against vLLM in tests/measure/drafts.

/// A draft as a rank holds it, and the settings that its own formulas read.
struct DraftRank
{
    Settings settings;
    RankInventory rank;
};

/// Needs settings.draft.
[[nodiscard]] DraftRank draftRankOf(const Settings &settings);

/// Puts the layers of the draft into the cache of the rank. Needs settings.draft.
void addDraft(const Settings &settings, KvCache &cache);

/// The draft's weights. Returns their bytes; none without a draft.
Exact addDraftWeights(const Serving &serving, Ledger &ledger);

/// vLLM: what a head reads of the model's hidden states, of a full batch. Returns its bytes.
Exact addDraftInputs(const Serving &serving, Ledger &ledger);

/// vLLM: what checking drafted tokens takes beyond the profile run, whose larger part is
/// `profiled`; vLLM does not take it off its cache.
void addCheckedTokens(const Serving &serving, Exact profiled, Ledger &ledger);

} // namespace vramscope
