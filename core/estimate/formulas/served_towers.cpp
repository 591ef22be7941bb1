// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/formulas/serving.h"

namespace vramscope {

namespace {

/// A rank's share of a tower.
struct TowerShare
{
    std::int64_t whole = 0;   ///< parameters on every rank
    std::int64_t divided = 0; ///< parameters that the ranks divide
    std::int64_t ranks = 1;

    [[nodiscard]] std::int64_t parameters() const
    {
        return whole + dividedUp(Exact(divided), ranks).value();
    }
};

TowerShare shareOf(const Settings &s, const Tower &tower)
{
    if (s.engine != Engine::Vllm)
        return {tower.parameters(), 0, 1};
    const std::int64_t divided = tower.split - tower.notLoadedSplit;
    return {tower.parameters() - tower.notLoaded - divided, divided, s.tensor};
}

/// Quantised checkpoints leave their towers as they are: modules_to_not_convert and ignore lists of
/// the published files.
std::int64_t weightBytes(const Settings &s)
{
    return s.weightFormat == WeightFormat::Fp32 ? 4 : 2;
}

} // namespace

std::int64_t towerParameters(const Settings &s, const RankInventory &rank)
{
    std::int64_t sum = 0;
    if (!rank.hasEmbedding || s.workload == Workload::Training) // the inventory has them there
        return sum;
    for (const Tower &tower : s.towers)
        sum += shareOf(s, tower).parameters();
    return sum;
}

Exact addTowers(const Serving &serving, Ledger &ledger)
{
    const Settings &s = serving.s;
    const std::int64_t w = weightBytes(s);
    Exact sum;
    if (!serving.rank.hasEmbedding)
        return sum;
    for (const Tower &tower : s.towers) {
        const TowerShare share = shareOf(s, tower);
        const Exact bytes = Exact(w) * share.parameters();
        sum += bytes;
        ledger.add(Category::Parameters,
                   tower.kind == TowerKind::Vision ? "Vision tower" : "Audio tower", bytes,
                   throughout(s),
                   {"Encoder and projector, counted as Transformers' class has them; divided as in "
                    "vllm/model_executor/models",
                    Evidence::Sourced},
                   {"{} (N_whole + N_divided / t) = {} × ({} + ⌈{} / {}⌉)",
                    {w, w, share.whole, share.divided, share.ranks}});
    }
    return sum;
}

} // namespace vramscope
