// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/estimate/formulas/training.h"

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
    /// Subtracts `other`, term by term and never below zero.
    [[nodiscard]] TermSum without(const TermSum &other) const;
    /// The difference, whose terms may be below zero.
    [[nodiscard]] TermSum minus(const TermSum &other) const;

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
    static void append(std::string &text, const Term &term, bool numbers);
    void append(std::string &text, bool rows, bool numbers) const;
    [[nodiscard]] bool allGone(bool rows) const;
    std::vector<Term> m_terms;
};

/// Where a block's temporary tensors are largest.
enum class Highest {
    FeedForward,
    Combination, ///< the weighted rows of experts
    StateMixer,  ///< a mixer that keeps a state
    Index,       ///< the index for attention, before anything has run backward
    Scores,      ///< attention that is not fused
    Exchange     ///< attention, where keys and values of other GPUs pass
};

/// Tensors that one block keeps for its backward pass.
struct BlockMemory
{
    TermSum kept;        ///< without checkpointing
    TermSum input;       ///< the part of `kept` that is the block's own input, or nothing
    TermSum passed;      ///< kept by checkpointing in addition to the input, for later blocks
    TermSum survivor;    ///< kept by the checkpointing policy
    TermSum recomputed;  ///< recomputed by the policy for one block
    TermSum temporaries; ///< at the worst moment of its backward pass; terms below zero are gone
    TermSum working;     ///< while its forward pass runs, without its input or kept tensors
    Highest backward = Highest::FeedForward; ///< where `temporaries` are highest
    Highest forward = Highest::FeedForward;  ///< where `working` is highest
    /// Parameters whose gradients exist at the worst moment of backward, except the first that runs
    /// (fsdp.cpp counts that).
    Exact gradients;
    Exact experts;     ///< bytes of the running experts' gradients, less what the block has freed
    TermSum attention; ///< instead of `kept` at the worst moment of attention's backward pass
};

[[nodiscard]] BlockMemory blockMemory(const Training &training, const BlockKind &kind);
/// What a block takes while it runs backward, in addition to what blocks have saved: its temporary
/// tensors, with the gradient that is there, and tensors that it computes again.
[[nodiscard]] Exact backwardOfBlock(const Training &training, const BlockKind &kind);
/// torchtitan's experts and its dispatcher of tokens.
[[nodiscard]] bool runsTitanExperts(const Settings &settings);
/// torch's own context parallelism runs attention around a ring of GPUs, or over what it gathers.
[[nodiscard]] bool exchangesKeys(const Training &training);

/// Megatron with Transformer Engine (checked against the golden values of Megatron-LM's functional
/// tests), attention scores aside.
[[nodiscard]] BlockMemory transformerEngineBlock(const Training &training, bool moe);
/// Tensors that Transformer Engine's fused attention keeps for itself.
[[nodiscard]] TermSum fusedAttention(const Training &training);
/// Megatron-Core's own layers (`--transformer-impl local`) without apex, attention scores aside.
[[nodiscard]] BlockMemory megatronLocalBlock(const Training &training, bool moe);
/// Korthikanti et al. 2022: 34 h + 5 a s per token for a GELU block with f = 4 h.
[[nodiscard]] BlockMemory textbookBlock(const Training &training);
[[nodiscard]] TermSum textbookScores(const Training &training);

/// Tensors that adapters of a wider type than the activations keep in one block: each casts its
/// input and keeps the copy, and its first matrix's output (peft/tuners/lora/layer.py). Counts the
/// matrices before that of target `until`, or all.
[[nodiscard]] TermSum adapterInputs(const Training &training, const BlockKind &kind,
                                    std::string_view until = {});

/// Outputs that DoRA keeps of each adapted matrix: the frozen one's and the adapter's, which its
/// norms multiply (peft/tuners/lora/dora.py).
[[nodiscard]] TermSum doraOutputs(const Training &training, const BlockKind &kind);
/// What computing the norms of a matrix's rows takes while a block runs forward.
void addWeightNorms(const Training &training, Ledger &ledger);

/// Rows that this rank's experts work on for one micro-batch: k · T · imbalance, or the padded
/// capacity.
[[nodiscard]] Exact expertRows(const Training &training);

} // namespace vramscope
