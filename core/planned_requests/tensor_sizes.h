// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/estimate/estimate.h"
#include "core/estimate/formulas/training.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace vramscope {

/// The request sizes of a training step's parts: cuts the bytes in the ledger into tensors.
/// Weights, states and gradients are cut in proportion to the matrices of the model (the experts of
/// a layer as one, the norms and biases of a block as one), to the units of FSDP1, or not at all if
/// an engine keeps one flat buffer; activations into the outputs of the block's operators in their
/// order, logits into rows of the vocabulary, gathered weights into units, DDP's copies into its
/// buckets. Every other part is one tensor.
class TensorSizes
{
public:
    explicit TensorSizes(const Training &training);

    /// Where in the step the bytes are requested.
    struct Place
    {
        std::int64_t block = -1; ///< of the stage; -1: no block runs
        bool nothingYet = true;  ///< the part has no bytes so far
    };
    /// Sizes above 0 of tensors that add up to `bytes` exactly.
    [[nodiscard]] std::vector<Bytes> cut(Category category, std::string_view part, Bytes bytes,
                                         const Place &place) const;

private:
    using Sizes = std::vector<Bytes>;

    void addWeights(const Training &training);
    /// The sizes for the blocks of one kind.
    struct BlockSizes
    {
        BlockRange range;
        bool experts = false;
        Sizes weights;   ///< elements, of one block's tensors
        Sizes outputs;   ///< bytes, of one block's operators
        Bytes inner = 0; ///< of the tensor inside the feed-forward
    };
    static void addOperators(const Training &training, const RankGroup &group, BlockSizes &sizes);
    [[nodiscard]] const BlockSizes &sizesOf(std::int64_t block) const;
    [[nodiscard]] Sizes gradients(Bytes bytes, const Place &place) const;
    [[nodiscard]] Sizes activations(std::string_view part, Bytes bytes, const Place &place) const;
    [[nodiscard]] Sizes temporaries(std::string_view part, Bytes bytes, const Place &place) const;
    [[nodiscard]] Sizes messages(std::string_view part, Bytes bytes, const Place &place) const;

    bool m_fsdp2;                     ///< with sharded weights
    bool m_flatStates;                ///< one buffer for all gradients, one for each kind of state
    std::vector<BlockSizes> m_blocks; ///< one per kind
    Sizes m_model, m_trained;         ///< elements, of all tensors
    Sizes m_logits;                   ///< bytes
    Bytes m_message = 0;              ///< FSDP's unit, DDP's bucket; 0: all of a part
};

} // namespace vramscope
