// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/exact.h"
#include "core/plan/choices.h"

#include <cstdint>

namespace vramscope {

struct DiffusionComponent;
struct DiffusionLoad;

/// A transformer in a GGUF file as ComfyUI-GGUF's converter writes it (795e451, tools/convert.py
/// and img_tensor_get_type in tools/lcpp.patch): matrices of blocks are quantised, by rules of
/// their names; embedders, modulations in fp32 and the output are not.
struct GgufWeights
{
    Exact bytes;           ///< of the quantised matrices
    std::int64_t elements; ///< in them
};

/// Whether the converter's rules for the class of the transformer are known.
[[nodiscard]] bool isGgufKnown(const DiffusionComponent &transformer);
/// Whether the converter lists the class: else its rules of names in general are taken.
[[nodiscard]] bool isGgufListed(const DiffusionComponent &transformer);
/// Whether each row of its matrices is whole blocks of the format; else the converter leaves it in
/// 16 bit.
[[nodiscard]] bool fitsGgufBlocks(const DiffusionComponent &transformer, DiffusionFormat format);
[[nodiscard]] GgufWeights ggufWeights(const DiffusionComponent &transformer,
                                      DiffusionFormat format);
/// Elements of matrices in the blocks of a transformer, and in its largest block.
struct BlockMatrices
{
    Exact all, largest;
};
[[nodiscard]] BlockMatrices blockMatrices(const DiffusionComponent &transformer);
/// What is there while the matrix is restored to 16 bit with which most is: the matrix, what
/// diffusers' dequantisation makes of it, and activations.
[[nodiscard]] Exact ggufProduct(const DiffusionComponent &transformer, const DiffusionLoad &load,
                                DiffusionFormat format);

} // namespace vramscope
