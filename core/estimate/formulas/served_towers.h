// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/estimate/formulas/serving.h"

namespace vramscope {

/// Parameters of a model's towers on a rank. The first pipeline stage alone has them
/// (vllm/model_executor/models/interfaces.py, _mark_tower_model()). vLLM divides them among
/// tensor-parallel ranks as it does the text (--mm-encoder-tp-mode weights, its default) and loads
/// no layer that is not used; other engines hold them whole.
[[nodiscard]] std::int64_t towerParameters(const Settings &settings, const RankInventory &rank);

/// Adds them to the ledger, in 16 bits where the text is quantised. Returns their bytes.
Exact addTowers(const Serving &serving, Ledger &ledger);

} // namespace vramscope
