// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/planner/formulas/training.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace vramscope {

/// Bytes per token as a sum of terms: coefficient · value / divisor, as in "16 h + 4 A / t". A term
/// of experts counts rows (a token at one of its experts) instead of tokens.
class TermSum
{
public:
    struct Term
    {
        std::int64_t coefficient;
        std::string_view symbol;
        std::int64_t value;
        std::int64_t divisor;
        bool rows;
    };

    /// Adds coefficient · value / divisor; like terms join.
    void add(std::int64_t coefficient, std::string_view symbol, std::int64_t value,
             std::int64_t divisor = 1, bool rows = false);
    TermSum &operator+=(const TermSum &other);
    [[nodiscard]] TermSum times(std::int64_t factor) const;
    /// Takes away what `other` holds, term by term and never below zero.
    [[nodiscard]] TermSum without(const TermSum &other) const;

    [[nodiscard]] Exact perToken() const { return sum(false); }
    [[nodiscard]] Exact perRow() const { return sum(true); }
    [[nodiscard]] Exact bytes(Exact tokens, Exact rows) const
    {
        return perToken() * tokens + perRow() * rows;
    }
    /// "(16 h + 4 A) T = (16 × 4,096 + …) × 8,192", with a factor in front where it is not 1.
    [[nodiscard]] std::string formula(std::string_view factor, std::int64_t count, Exact tokens,
                                      Exact rows) const;

private:
    [[nodiscard]] Exact sum(bool rows) const;
    void append(std::string &text, bool rows, bool numbers) const;
    std::vector<Term> m_terms;
};

/// What one block keeps for its backward pass.
struct BlockMemory
{
    TermSum kept;        ///< without checkpointing
    TermSum input;       ///< the part of `kept` that is the block's own input, or nothing
    TermSum survivor;    ///< kept by the checkpointing policy
    TermSum recomputed;  ///< what the policy recomputes for one block
    TermSum temporaries; ///< at the worst moment of its backward pass
    TermSum working;     ///< while its forward pass runs without saving, beside its input
};

[[nodiscard]] BlockMemory blockMemory(const Training &training, bool moe);

/// Megatron with Transformer Engine (checked against the golden values of Megatron-LM's functional
/// tests), attention scores aside.
[[nodiscard]] BlockMemory transformerEngineBlock(const Training &training, bool moe);
/// Korthikanti et al. 2022: 34 h + 5 a s per token for a GELU block with f = 4 h.
[[nodiscard]] BlockMemory textbookBlock(const Training &training);
[[nodiscard]] TermSum textbookScores(const Training &training);

/// What adapters of a wider type than the activations keep in one block: each casts its input and
/// keeps the copy, and what leaves its first matrix (peft/tuners/lora/layer.py).
[[nodiscard]] TermSum adapterInputs(const Training &training, bool moe);

/// Rows that this rank's experts work on for one micro-batch: k · T · imbalance, or the padded
/// capacity.
[[nodiscard]] Exact expertRows(const Training &training);

} // namespace vramscope
