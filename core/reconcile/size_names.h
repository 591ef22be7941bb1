// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/exact.h"
#include "core/estimate/formulas/training.h"
#include "core/reconcile/reconcile.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vramscope {

/// One side of a tensor: its symbol, its length, and what is counted. Of several ranks each has
/// ⌈value / divisor⌉.
struct Side
{
    std::string_view symbol; ///< "T", "V / t"
    Exact value;
    std::string_view counted; ///< "tokens", "entries of the vocabulary"
    std::int64_t divisor = 1;

    [[nodiscard]] Exact length() const { return dividedUp(value, divisor); }
};

/// Compares the tensors of a plan with one size of a recording and keeps the names of those that
/// are of this size. Only these are written out.
class SizeMatcher
{
public:
    /// `halfType` is what the plan's two-byte elements are: "bf16" or "fp16".
    SizeMatcher(Bytes bytes, std::string_view halfType);

    /// A tensor of `sides` with elements of `element` bytes. `usual`: the plan has it in this type;
    /// else it may be a copy in another one, which is less likely.
    void add(Category category, std::string_view what, std::span<const Side> sides,
             std::int64_t element, bool usual = true);
    /// A tensor without a type in its name, such as token ids.
    void addUntyped(Category category, std::string_view what, std::span<const Side> sides,
                    std::int64_t element);

    /// The names, the likeliest first: of exactly the size, then of what the allocator rounds up to
    /// it; the fewer sides, the better. Unusual types, and what fills whole segments, only where
    /// nothing likelier is found. At most `most`, each once.
    [[nodiscard]] std::vector<SizeName> best(std::size_t most) &&;

private:
    struct Match
    {
        SizeName name;
        int rounding; ///< 0: exactly
        bool unusual;
        std::size_t sides;
    };
    [[nodiscard]] int roundingTo(Bytes own) const; ///< -1: another size
    [[nodiscard]] std::string typed(std::string_view what, std::int64_t element) const;
    void match(Category category, const std::string &what, std::span<const Side> sides,
               std::int64_t element, bool usual);

    Bytes m_bytes;
    std::string_view m_halfType;
    std::vector<Match> m_matches;
};

// The tensors of a plan that namesOfSize() tells apart, by subject.

/// What a training step makes of its tokens: logits, what passes through a block, attention scores.
void addActivationSizes(const Training &training, SizeMatcher &matcher);
/// The same of an engine's batch, and the cache of a layer. `kvBlocks`: vLLM's, else 0.
void addServingSizes(const Training &training, std::int64_t kvBlocks, SizeMatcher &matcher);
/// Weights, gradients and states: of single tensors, of FSDP's units, and in flat buffers.
void addWeightSizes(const Training &training, SizeMatcher &matcher);
/// The buckets in which DDP and DeepSpeed's ZeRO reduce and gather.
void addBucketSizes(const Training &training, SizeMatcher &matcher);

/// What an allocation of `bytes` may be in a plan, from the shapes that its settings give: tensors
/// of the logits and of a block, attention scores, weights with their gradients and states, what
/// FSDP gathers and reduces, buckets of DDP and ZeRO, the key-value cache of a layer. The
/// likeliest first, at most four; none where nothing in the plan has this size, or the plan has no
/// figures, or is of a diffusion pipeline. A name is of exactly `bytes`, or of what the allocator
/// rounds up to them.
[[nodiscard]] std::vector<SizeName> namesOfSize(const Plan &plan, Bytes bytes);

} // namespace vramscope
