// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/diffusion/gguf.h"

#include "core/model/diffusion/component.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string_view>

namespace vramscope {

namespace {

/// A type of ggml: bytes of 256 numbers, and sixteenths of a byte a number while diffusers restores
/// it (quantizers/gguf/utils.py, dequantize_functions; recorded by
/// tests/measure/record_diffusion.py).
struct GgufType
{
    std::int64_t bytes, restoring;
};
constexpr GgufType kQ2K = {84, 84}, kQ3K = {110, 85}, kQ4K = {144, 83}, kQ5K = {176, 115},
                   kQ6K = {210, 82}, kQ40 = {144, 64}, kQ41 = {160, 80}, kQ50 = {176, 160},
                   kQ51 = {192, 160}, kQ80 = {272, 64};

/// Types of a format: of all matrices, but of joined queries, keys and values, of the first
/// matrices of values, of the others, and of the way down of a feed-forward.
struct GgufMix
{
    GgufType all, joined;
    std::int64_t first;
    GgufType firstValues, values, down;
    bool rowsOf256 = true;
};

constexpr GgufMix uniform(GgufType type, bool rowsOf256)
{
    return {type, type, 0, type, type, type, rowsOf256};
}

constexpr GgufMix mixOf(DiffusionFormat format)
{
    switch (format) {
    case DiffusionFormat::Q2_K:
        return {kQ2K, kQ2K, 0, kQ3K, kQ3K, kQ2K};
    case DiffusionFormat::Q3_K_S:
        return uniform(kQ3K, true);
    case DiffusionFormat::Q3_K_M:
        return {kQ3K, kQ4K, 2, kQ5K, kQ4K, kQ4K};
    case DiffusionFormat::Q4_0:
        return {kQ40, kQ40, 0, kQ40, kQ40, kQ41, false};
    case DiffusionFormat::Q4_1:
        return uniform(kQ41, false);
    case DiffusionFormat::Q4_K_S:
        return {kQ4K, kQ4K, 4, kQ5K, kQ4K, kQ5K};
    case DiffusionFormat::Q4_K_M:
        return {kQ4K, kQ5K, 0, kQ6K, kQ6K, kQ6K};
    case DiffusionFormat::Q5_0:
        return {kQ50, kQ50, 0, kQ50, kQ50, kQ51, false};
    case DiffusionFormat::Q5_1:
        return uniform(kQ51, false);
    case DiffusionFormat::Q5_K_S:
        return uniform(kQ5K, true);
    case DiffusionFormat::Q5_K_M:
        return {kQ5K, kQ6K, 0, kQ6K, kQ6K, kQ6K};
    case DiffusionFormat::Q6_K:
        return uniform(kQ6K, true);
    case DiffusionFormat::Q8_0:
    case DiffusionFormat::Bf16:
    case DiffusionFormat::Fp8:
    case DiffusionFormat::Nf4:
        break;
    }
    return uniform(kQ80, false);
}

/// Elements as multiples of D² and of D F.
struct Area
{
    std::int64_t squares = 0, feeds = 0;
    [[nodiscard]] Exact of(const DiffusionComponent &it) const
    {
        return Exact(squares) * it.width * it.width + Exact(feeds) * it.width * it.ffn;
    }
};

/// A product, and the tensors that are there while its matrix is restored: of D a token of the
/// image and of the text, and of F a token of each, in 16 bit.
struct GgufProduct
{
    Area matrix;
    std::int64_t image = 0, text = 0, innerImage = 0, innerText = 0;
    bool isDown = false; ///< of the type of the way down
};

/// Quantised matrices of a class: of a block, and of these joined, values and the way down; of a
/// single block; once.
struct GgufClass
{
    std::string_view transformer;
    Area block{}, joined{};
    std::int64_t values = 0; ///< matrices of D²
    Area down{}, single{}, once{};
    std::int64_t dual = 0;       ///< D² more of a block whose image attends twice
    std::int64_t seen = 0;       ///< D² more of a block that sees an image
    std::int64_t modulation = 0; ///< times D more of a block
    bool isListed = true;        ///< by the converter
    std::int64_t turned = 0; ///< bytes of rotary tables, as multiples of a head's width and a token
    std::array<GgufProduct, 2> products = {};
};

constexpr GgufClass kGgufClasses[] = {
    {.transformer = "FluxTransformer2DModel",
     .block = {36, 0},
     .joined = {6, 0},
     .single = {15, 0},
     .turned = 8,
     .products = {{{{5, 0}, 13, 13}, {{6, 0}, 1, 1}}}},
    {.transformer = "Flux2Transformer2DModel",
     .block = {8, 6},
     .joined = {6, 0},
     .single = {4, 3},
     .once = {15, 0},
     .turned = 16,
     .products = {{{{3, 2}, 3, 1}, {{1, 1}, 8, 9, 4, 4}}}},
    {.transformer = "SD3Transformer2DModel",
     .block = {36, 0},
     .joined = {6, 0},
     .once = {-13, 0}, // nothing reads the text of the last block
     .dual = 7,
     .products = {{{{4, 0}, 9, 3}, {{6, 0}, 1, 1}}}},
    {.transformer = "WanTransformer3DModel",
     .block = {8, 2},
     .values = 2,
     .down = {0, 1},
     .seen = 2,
     .turned = 8,
     .products = {{{{0, 1}, 4, 1, 1, 0, true}}}},
    {.transformer = "ZImageTransformer2DModel",
     .block = {4, 3},
     .joined = {3, 0},
     .down = {0, 1},
     .modulation = 1'024, // of a time embedding 256 wide
     .turned = 8,
     .products = {{{{0, 1}, 5, 5, 1, 1, true}, {{0, 1}, 5, 5, 1, 1}}}},
    {.transformer = "QwenImageTransformer2DModel",
     .block = {36, 0},
     .values = 1,
     .isListed = false,
     .products = {{{{4, 0}, 11, 5}, {{6, 0}, 1, 1}}}},
    {.transformer = "LTXVideoTransformer3DModel",
     .block = {16, 0},
     .values = 2,
     .down = {4, 0},
     .products = {{{{4, 0}, 12, 1, 0, 0, true}}}},
    {.transformer = "HunyuanVideoTransformer3DModel",
     .block = {36, 0},
     .joined = {6, 0},
     .single = {15, 0},
     .turned = 12,
     .products = {{{{5, 0}, 14, 14}, {{6, 0}, 1, 1}}}},
};

const GgufClass *ggufClass(const DiffusionComponent &it)
{
    const auto *const found =
        std::ranges::find(kGgufClasses, it.kind->name, &GgufClass::transformer);
    return found == std::ranges::end(kGgufClasses) ? nullptr : found;
}

} // namespace

bool isGgufKnown(const DiffusionComponent &transformer)
{
    return ggufClass(transformer) != nullptr;
}

bool isGgufListed(const DiffusionComponent &transformer)
{
    const GgufClass *const known = ggufClass(transformer);
    return known && known->isListed;
}

bool fitsGgufBlocks(const DiffusionComponent &transformer, DiffusionFormat format)
{
    constexpr std::int64_t kBlock = 256;
    return !mixOf(format).rowsOf256 ||
           (transformer.width % kBlock == 0 && transformer.ffn % kBlock == 0);
}

BlockMatrices blockMatrices(const DiffusionComponent &it)
{
    const GgufClass *const known = ggufClass(it);
    if (!known)
        return {};
    const Exact square = Exact(it.width) * it.width;
    const Exact block = known->block.of(it) + square * (it.seenTokens > 0 ? known->seen : 0) +
                        Exact(known->modulation) * it.width;
    const Exact dual = square * (it.dualLayers > 0 ? known->dual : 0);
    const Exact single = it.singleLayers > 0 ? known->single.of(it) : Exact(0);
    // Refiners of the text have no modulation.
    const Exact refiners = excess(block * 2, Exact(known->modulation) * it.width) * it.refiners;
    const Exact all =
        block * it.layers + refiners + dual * it.dualLayers + single * it.singleLayers;
    const Exact missing = square * std::max<std::int64_t>(-known->once.squares, 0);
    return {excess(all, missing), std::max(block + dual, single)};
}

GgufWeights ggufWeights(const DiffusionComponent &it, DiffusionFormat format)
{
    const GgufClass *const known = ggufClass(it);
    if (!known)
        return {0, 0};
    const GgufMix mix = mixOf(format);
    const Exact square = Exact(it.width) * it.width;
    const Exact all = known->block.of(it) * it.layers + known->single.of(it) * it.singleLayers +
                      square * (known->dual * it.dualLayers) +
                      square * (it.seenTokens > 0 ? known->seen * it.layers : 0) +
                      Exact(known->modulation * it.layers) * it.width;
    const Exact once = square * std::abs(known->once.squares);
    const Exact elements = known->once.squares < 0 ? excess(all, once) : all + once;
    const Exact joined = known->joined.of(it) * it.layers;
    const Exact down = known->down.of(it) * it.layers;
    const std::int64_t values = known->values * it.layers;
    const std::int64_t first = std::min(mix.first, values);
    const Exact plain = excess(elements, joined + down + square * values);
    const Exact parts = plain * mix.all.bytes + joined * mix.joined.bytes + down * mix.down.bytes +
                        square * first * mix.firstValues.bytes +
                        square * (values - first) * mix.values.bytes;
    return {dividedUp(parts, 256), elements.value()};
}

Exact ggufProduct(const DiffusionComponent &it, const DiffusionLoad &load, DiffusionFormat format)
{
    const GgufClass *const known = ggufClass(it);
    Exact most;
    if (!known)
        return most;
    const GgufMix mix = mixOf(format);
    const Exact image = Exact(load.batch) * load.tokensOfImage();
    const Exact text = Exact(load.batch) * load.tokens;
    for (const GgufProduct &product : known->products) {
        const Exact elements = product.matrix.of(it);
        const std::int64_t restoring = product.isDown ? mix.down.restoring : mix.all.restoring;
        const Exact tensors =
            Exact(2) * it.width * (image * product.image + text * product.text) +
            Exact(2) * it.ffn * (image * product.innerImage + text * product.innerText);
        if (elements > Exact(0))
            most = std::max(most, dividedUp(elements * restoring, 16) + tensors);
    }
    return most + Exact(known->turned * it.headWidth) * (load.tokensOfImage() + load.tokens);
}

} // namespace vramscope
