// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/formulas/block_activations.h"

#include <algorithm>

namespace vramscope {

namespace {

/// The rows of a matrix that DoRA works on, and the types of its tensors.
class WeightNorms
{
public:
    explicit WeightNorms(const Training &t)
        : m_t(t)
        , m_s(t.s)
        , m_adapter(t.s.adapters.weightBytes)
    {
    }

    /// For the norm of each row PEFT multiplies an identity by both factors of the adapter, casts
    /// the frozen weight to their type, and adds both: the identity stays while the weight, the
    /// product, its scaled copy and the sum are there. Autocast keeps the identity in 16 bit and
    /// multiplies while both copies of it are there.
    [[nodiscard]] Exact bytes(const Matrix &matrix) const
    {
        const Exact square = Exact(matrix.in) * matrix.in;
        const Exact whole = Exact(matrix.in) * matrix.out;
        const bool casts = m_t.autocast() && m_adapter > m_s.computeBytes;
        const std::int64_t kept = casts ? m_s.computeBytes : m_adapter;
        const bool copies = isQuantised() || weightBytes() != m_adapter;
        const Exact sum = square * kept + whole * ((copies ? 4 : 3) * m_adapter);
        const Exact product =
            casts ? square * (m_adapter + kept) + whole * m_s.computeBytes : Exact(0);
        return std::max(sum, product) + input(matrix);
    }

private:
    [[nodiscard]] bool isQuantised() const
    {
        return m_s.adapters.baseQuantization != BaseQuantization::None;
    }
    [[nodiscard]] std::int64_t weightBytes() const { return m_s.weightBytes; }
    /// The input itself is there until the module returns, where the adapter keeps a cast copy of
    /// it; under autocast that copy is one of the copy that PEFT makes.
    [[nodiscard]] Exact input(const Matrix &matrix) const
    {
        if (m_adapter <= m_s.computeBytes)
            return 0;
        const bool wide = m_t.residual == 4 && isQuantised();
        const std::int64_t bytes = wide             ? m_adapter
                                   : m_t.autocast() ? m_s.computeBytes + m_adapter
                                                    : m_s.computeBytes;
        return Exact(bytes) * matrix.in * m_t.tokens;
    }

    const Training &m_t;
    const Settings &m_s;
    std::int64_t m_adapter;
};

Exact largestWeightNorms(const Training &t)
{
    const WeightNorms norms(t);
    Exact largest;
    for (const RankGroup &group : t.rank.groups)
        for (const Matrix &matrix : group.matrices)
            if (adapted(t.s, matrix))
                largest = std::max(largest, norms.bytes(matrix));
    return largest;
}

/// Bytes a hidden element of what else a block has that runs forward again: the residual stream,
/// the feed-forward's input and copies of both in fp32. Read off recordings of three shapes.
std::int64_t aroundBytes(const Training &t)
{
    const bool quantised = t.s.adapters.baseQuantization != BaseQuantization::None;
    if (quantised && t.residual == 4)
        return 0;
    if (t.autocast())
        return 6;
    return !quantised && t.s.adapters.weightBytes > t.s.computeBytes ? 12 : 4;
}

constexpr std::string_view kSource =
    "peft/tuners/lora/dora.py, 0.21.2: get_lora_weight, get_weight_norm; measured: tests/measure, "
    "family \"dora\"";

} // namespace

TermSum doraOutputs(const Training &t, const BlockKind &kind)
{
    const std::int64_t w = t.s.computeBytes;
    const std::int64_t adapter = t.autocast() ? w : t.s.adapters.weightBytes;
    // A quantised layer gives its output in the type of its input, which of attention is in 16 bit.
    const bool wide = t.residual == 4 && t.s.adapters.baseQuantization != BaseQuantization::None;
    std::int64_t outputs = 0;
    std::int64_t ofAttention = 0;
    for (const RankGroup &group : t.rank.groups) {
        for (const Matrix &matrix : group.matrices) {
            if (group.kind == kind && adapted(t.s, matrix))
                (matrix.target == "o" ? ofAttention : outputs) += matrix.out;
        }
    }
    TermSum sum;
    if (wide)
        sum.add(4 + adapter, "O", outputs);
    sum.add(w + adapter, wide ? "O_o" : "O", ofAttention + (wide ? 0 : outputs));
    return sum;
}

void addWeightNorms(const Training &t, Ledger &ledger)
{
    if (!t.lora() || !t.s.adapters.dora)
        return;
    const Exact largest = largestWeightNorms(t);
    const Origin origin = {kSource, Evidence::Verified};
    ledger.add(Category::TemporaryBuffers, "Weight norms of DoRA", largest, {StepPhase::Forward},
               origin, {"largest of the adapted matrices = {}", {largest.value()}});
    if (t.s.checkpointing == Checkpointing::None)
        return;
    // A block runs forward again before anything of it runs backward.
    const Exact again = largest + Exact(aroundBytes(t)) * t.s.architecture.hidden * t.tokens;
    Exact backward;
    for (const RankGroup &group : t.rank.groups)
        backward = std::max(
            backward, blockMemory(t, group.kind).temporaries.bytes(t.tokensOf(group.kind), 0));
    const Exact more = excess(again, backward);
    ledger.add(Category::TemporaryBuffers, "Weight norms of DoRA, again", more,
               {StepPhase::Backward}, origin,
               {"largest of the adapted matrices with the block's input - backward temporaries = "
                "{} - {}",
                {again.value(), backward.value()}});
}

} // namespace vramscope
