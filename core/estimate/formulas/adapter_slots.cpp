// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/catalog/adapter_slots.h"
#include "core/estimate/formulas/serving.h"
#include "core/settings/engines/engine_version.h"
#include "core/settings/field_conditions.h"

#include <algorithm>

namespace vramscope {

namespace {

bool hasTarget(const Settings &s, std::string_view name)
{
    return s.loraTargets.empty() || std::ranges::find(s.loraTargets, name) != s.loraTargets.end();
}

bool isSince(const Settings &s, const EngineVersion &release)
{
    const auto version = engineVersion(s.engineVersion);
    return !version || !release.isNewerThan(*version);
}

/// Elements that a rank holds of an adapter, each divided by its rank.
class SlotElements
{
public:
    explicit SlotElements(const Settings &s)
        : m_s(s)
        , m_vllm(s.engine == Engine::Vllm)
        , m_class(m_vllm ? findAdapterSlots(s.architecture.modelType) : nullptr)
    {
    }

    [[nodiscard]] Exact block(const BlockKind &kind) const;
    [[nodiscard]] Exact ends(const RankInventory &rank) const;

private:
    /// Engines that pack matrices into one allocate all of them where one is a target.
    [[nodiscard]] bool isTarget(const Matrix &matrix) const;
    [[nodiscard]] Exact factors(const Matrix &matrix) const;
    [[nodiscard]] bool sharesFirstFactor(const Matrix &matrix) const;

    const Settings &m_s;
    bool m_vllm;
    const AdapterSlots *m_class;
};

bool SlotElements::isTarget(const Matrix &matrix) const
{
    if (matrix.module == "router") // under vLLM a linear layer like others
        return m_vllm && m_s.loraTargets.empty();
    const bool expert = matrix.module == "expert";
    if (expert && m_vllm) // since FusedMoEWithLoRA
        return hasTarget(m_s, "experts") && isSince(m_s, {0, 11, 1});
    if (expert && hasTarget(m_s, "experts"))
        return true;
    if (matrix.target == "gate" || matrix.target == "up")
        return hasTarget(m_s, "gate") || hasTarget(m_s, "up");
    if (matrix.target == "o" || matrix.target == "down")
        return hasTarget(m_s, matrix.target);
    return hasTarget(m_s, "q") || hasTarget(m_s, "k") || hasTarget(m_s, "v");
}

/// Whether the first factor is that of the matrix before, where vLLM's class takes both as one as
/// the checkpoint has them. SGLang always keeps one a matrix.
bool SlotElements::sharesFirstFactor(const Matrix &matrix) const
{
    const bool up = matrix.target == "up";
    if (matrix.module == "expert")
        return up && m_class && m_class->joinedExperts;
    return m_vllm && m_s.architecture.fusedQkv &&
           (up || matrix.target == "k" || matrix.target == "v");
}

/// Tensor parallelism divides the second factor of a matrix that is cut by columns and the first
/// one of a matrix that is cut by rows; with fully sharded adapters also the rank of the other.
Exact SlotElements::factors(const Matrix &matrix) const
{
    const bool expert = matrix.module == "expert";
    const bool spread = expert && m_s.expert > 1; // whole experts on each rank
    const std::int64_t ranks = spread ? 1 : m_s.tensor;
    const bool divides = m_s.fullyShardedLoras && m_vllm && // those of experts: vllm#28761
                         (!expert || isSince(m_s, {0, 12, 0}));
    const std::int64_t other = divides ? ranks : 1;
    const auto over = [](std::int64_t width, std::int64_t split) {
        return dividedUp(Exact(width), split);
    };
    Exact first = sharesFirstFactor(matrix) ? Exact(0) : Exact(matrix.in);
    Exact second = matrix.out;
    if (matrix.split == Split::Out) {
        first = over(first.value(), other);
        second = over(matrix.out, ranks);
    } else if (matrix.split == Split::In) {
        first = over(first.value(), ranks);
        second = over(matrix.out, other);
    }
    return (first + second) * over(matrix.count, spread ? m_s.expert : 1);
}

Exact SlotElements::block(const BlockKind &kind) const
{
    const Architecture &a = m_s.architecture;
    Exact sum;
    for (const Matrix &matrix : blockMatrices(m_s, kind))
        sum += isTarget(matrix) ? factors(matrix) : Exact(0);
    const bool gated = kind.feedForward == FeedForward::Experts && a.sharedGate;
    if (gated && m_vllm && m_s.loraTargets.empty())
        sum += Exact(a.hidden) + 1;
    return sum;
}

/// vLLM keeps both whole on every rank. SGLang divides the head alone, and where embedding and head
/// are targets it makes each of them twice: once more for the other one.
Exact SlotElements::ends(const RankInventory &rank) const
{
    const Architecture &a = m_s.architecture;
    const bool stated = !m_s.loraTargets.empty();
    const bool known = m_class && !m_s.hasVisionTower;
    const bool embedding =
        hasTarget(m_s, "embedding") && (m_vllm ? known && m_class->embedding : stated);
    const bool head = hasTarget(m_s, "head") && (m_vllm ? known && m_class->head : stated);
    const Exact first = embedding && rank.hasEmbedding ? Exact(a.vocab) + a.hidden : Exact(0);
    const Exact vocab = m_vllm ? Exact(a.vocab) : dividedUp(Exact(a.vocab), embeddingSplit(m_s));
    const Exact last = head && rank.hasHead ? vocab + a.hidden : Exact(0);
    return (first + last) * (!m_vllm && embedding && head ? 2 : 1);
}

/// vLLM: vllm/lora/layers, 0.33.0, whose own layers were counted (tests/measure/caches). SGLang:
/// python/sglang/srt/lora/mem_pool.py, 0.5.20.
std::string_view sourceOf(const Settings &s)
{
    return s.engine == Engine::Vllm
               ? "Every slot has room for an adapter of the largest rank at each linear layer, and "
                 "at embedding and head where the class has them, from loading on; vllm/lora/layers"
               : "Every slot has room for an adapter of the largest rank at each target; "
                 "sglang/srt/lora/mem_pool.py";
}

} // namespace

Exact addAdapterSlots(const Serving &serving, Ledger &ledger)
{
    const Settings &s = serving.s;
    if (!applies::servesAdapters(s))
        return 0;
    const SlotElements slot(s);
    Exact elements = slot.ends(serving.rank);
    for (std::int64_t i = 0; i < serving.rank.layers(); ++i)
        elements += slot.block(s.architecture.kindOf(serving.rank.firstLayer + i));
    const std::int64_t w = s.weightFormat == WeightFormat::Fp32 ? 4 : 2;
    const Exact bytes = Exact(w) * s.maxLoras * s.maxLoraRank * elements;
    ledger.add(Category::Parameters, "Adapter slots",
               {"{} slots · rank · Σ (in + out)", {w, s.maxLoras, s.maxLoraRank, elements}},
               throughout(s),
               {std::string(sourceOf(s)),
                s.engine == Engine::Vllm ? Evidence::Verified : Evidence::Sourced});
    return bytes;
}

} // namespace vramscope
