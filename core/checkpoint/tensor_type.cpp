// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/tensor_type.h"

#include <algorithm>
#include <array>

namespace vramscope {

namespace {

constexpr std::array<TensorType, 22> kTypes = {{
    {"F64", 64, true},     {"F32", 32, true},         {"F16", 16, true},
    {"BF16", 16, true},    {"F8_E4M3", 8, false},     {"F8_E5M2", 8, false},
    {"F8_E8M0", 8, false}, {"F8_E4M3FNUZ", 8, false}, {"F8_E5M2FNUZ", 8, false},
    {"F6_E2M3", 6, false}, {"F6_E3M2", 6, false},     {"F4", 4, false},
    {"I64", 64, false},    {"I32", 32, false},        {"I16", 16, false},
    {"I8", 8, false},      {"U64", 64, false},        {"U32", 32, false},
    {"U16", 16, false},    {"U8", 8, false},          {"BOOL", 8, false},
    {"C64", 64, false},
}};

constexpr std::int64_t kByte = 8; ///< bits

constexpr std::array<GgmlType, 85> kGgmlTypes = {{
    {0, {"F32", 4 * kByte, true, 1, 0}, false},
    {1, {"F16", 2 * kByte, true, 1, 0}, false},
    {2, {"Q4_0", 18 * kByte, false, 32, 0}, false},
    {3, {"Q4_1", 20 * kByte, false, 32, 0}, false},
    {6, {"Q5_0", 22 * kByte, false, 32, 0}, false},
    {7, {"Q5_1", 24 * kByte, false, 32, 0}, false},
    {8, {"Q8_0", 34 * kByte, false, 32, 0}, false},
    {9, {"Q8_1", 36 * kByte, false, 32, 0}, false},
    {10, {"Q2_K", 84 * kByte, false, 256, 0}, false},
    {11, {"Q3_K", 110 * kByte, false, 256, 0}, false},
    {12, {"Q4_K", 144 * kByte, false, 256, 0}, false},
    {13, {"Q5_K", 176 * kByte, false, 256, 0}, false},
    {14, {"Q6_K", 210 * kByte, false, 256, 0}, false},
    {15, {"Q8_K", 292 * kByte, false, 256, 0}, false},
    {16, {"IQ2_XXS", 66 * kByte, false, 256, 0}, false},
    {17, {"IQ2_XS", 74 * kByte, false, 256, 0}, false},
    {18, {"IQ3_XXS", 98 * kByte, false, 256, 0}, false},
    {19, {"IQ1_S", 50 * kByte, false, 256, 0}, false},
    {20, {"IQ4_NL", 18 * kByte, false, 32, 0}, false},
    {21, {"IQ3_S", 110 * kByte, false, 256, 0}, false},
    {22, {"IQ2_S", 82 * kByte, false, 256, 0}, false},
    {23, {"IQ4_XS", 136 * kByte, false, 256, 0}, false},
    {24, {"I8", 1 * kByte, false, 1, 0}, false},
    {25, {"I16", 2 * kByte, false, 1, 0}, false},
    {26, {"I32", 4 * kByte, false, 1, 0}, false},
    {27, {"I64", 8 * kByte, false, 1, 0}, false},
    {28, {"F64", 8 * kByte, true, 1, 0}, false},
    {29, {"IQ1_M", 56 * kByte, false, 256, 0}, false},
    {30, {"BF16", 2 * kByte, true, 1, 0}, false},
    {34, {"TQ1_0", 54 * kByte, false, 256, 0}, false},
    {35, {"TQ2_0", 66 * kByte, false, 256, 0}, false},
    {39, {"MXFP4", 17 * kByte, false, 32, 0}, false},
    {40, {"NVFP4", 36 * kByte, false, 64, 0}, false},
    {41, {"Q1_0", 18 * kByte, false, 128, 0}, false},
    {42, {"Q2_0", 18 * kByte, false, 64, 0}, false},
    {97, {"Q8_0_X4", 34 * kByte, false, 32, 0}, true},
    {98, {"Q8_1_X4", 36 * kByte, false, 32, 0}, true},
    {99, {"Q8_2_X4", 36 * kByte, false, 32, 0}, true},
    {133, {"Q6_0", 26 * kByte, false, 32, 0}, true},
    {134, {"IQ1_BN", 13 * kByte, false, 64, 2}, true},
    {135, {"IQ2_BN", 16 * kByte, false, 64, 4}, true},
    {137, {"IQ2_K", 76 * kByte, false, 256, 0}, true},
    {138, {"IQ3_K", 110 * kByte, false, 256, 0}, true},
    {139, {"IQ4_K", 144 * kByte, false, 256, 0}, true},
    {140, {"IQ5_K", 176 * kByte, false, 256, 0}, true},
    {141, {"IQ6_K", 212 * kByte, false, 256, 0}, true},
    {144, {"IQ4_KS", 136 * kByte, false, 256, 4}, true},
    {145, {"IQ2_KS", 70 * kByte, false, 256, 2}, true},
    {146, {"IQ4_KSS", 128 * kByte, false, 256, 4}, true},
    {151, {"Q8_KV", 32 * kByte, false, 32, 8}, true},
    {152, {"IQ5_KS", 168 * kByte, false, 256, 4}, true},
    {153, {"IQ2_KT", 68 * kByte, false, 256, 4}, true},
    {154, {"IQ3_KT", 100 * kByte, false, 256, 4}, true},
    {155, {"IQ4_KT", 128 * kByte, false, 256, 4}, true},
    {156, {"IQ3_KS", 102 * kByte, false, 256, 2}, true},
    {157, {"IQ2_KL", 86 * kByte, false, 256, 2}, true},
    {158, {"IQ1_KT", 56 * kByte, false, 256, 4}, true},
    {202, {"Q4_0_R8", 18 * kByte, false, 32, 0}, true},
    {206, {"Q5_0_R4", 22 * kByte, false, 32, 0}, true},
    {208, {"Q8_0_R8", 34 * kByte, false, 32, 0}, true},
    {210, {"Q2_K_R4", 84 * kByte, false, 256, 0}, true},
    {211, {"Q3_K_R4", 110 * kByte, false, 256, 0}, true},
    {212, {"Q4_K_R4", 144 * kByte, false, 256, 0}, true},
    {213, {"Q5_K_R4", 176 * kByte, false, 256, 0}, true},
    {214, {"Q6_K_R4", 210 * kByte, false, 256, 0}, true},
    {216, {"IQ2_XXS_R4", 66 * kByte, false, 256, 0}, true},
    {217, {"IQ2_XS_R4", 74 * kByte, false, 256, 0}, true},
    {218, {"IQ3_XXS_R4", 98 * kByte, false, 256, 0}, true},
    {219, {"IQ1_S_R4", 6 * kByte, false, 32, 2}, true},
    {220, {"IQ4_NL_R4", 18 * kByte, false, 32, 0}, true},
    {221, {"IQ3_S_R4", 110 * kByte, false, 256, 0}, true},
    {222, {"IQ2_S_R4", 82 * kByte, false, 256, 0}, true},
    {223, {"IQ4_XS_R8", 136 * kByte, false, 256, 0}, true},
    {229, {"IQ1_M_R4", 7 * kByte, false, 32, 2}, true},
    {230, {"BF16_R16", 2 * kByte, false, 1, 0}, true},
    {233, {"Q6_0_R4", 26 * kByte, false, 32, 0}, true},
    {335, {"IQ2_BN_R4", 16 * kByte, false, 64, 4}, true},
    {337, {"IQ2_K_R4", 76 * kByte, false, 256, 0}, true},
    {338, {"IQ3_K_R4", 110 * kByte, false, 256, 0}, true},
    {339, {"IQ4_K_R4", 144 * kByte, false, 256, 0}, true},
    {340, {"IQ5_K_R4", 176 * kByte, false, 256, 0}, true},
    {344, {"IQ4_KS_R4", 136 * kByte, false, 256, 4}, true},
    {352, {"IQ5_KS_R4", 168 * kByte, false, 256, 4}, true},
    {398, {"Q8_KV_R8", 32 * kByte, false, 32, 4}, true},
    {399, {"Q8_K_R8", 258 * kByte, false, 256, 0}, true},
}};

} // namespace

std::span<const TensorType> tensorTypes()
{
    return kTypes;
}

const TensorType *findTensorType(std::string_view name)
{
    const auto *const found = std::ranges::find(kTypes, name, &TensorType::name);
    if (found != kTypes.end())
        return found;
    const auto *const ggml =
        std::ranges::find(kGgmlTypes, name, [](const GgmlType &each) { return each.type.name; });
    return ggml == kGgmlTypes.end() ? nullptr : &ggml->type;
}

std::span<const GgmlType> ggmlTypes()
{
    return kGgmlTypes;
}

const GgmlType *findGgmlType(std::int32_t number)
{
    const auto *const found = std::ranges::find(kGgmlTypes, number, &GgmlType::number);
    return found == kGgmlTypes.end() ? nullptr : found;
}

Exact elementsOf(std::span<const std::int64_t> shape)
{
    if (std::ranges::find(shape, 0) != shape.end())
        return 0;
    Exact elements = 1;
    for (const std::int64_t size : shape)
        elements *= size;
    return elements;
}

std::optional<Exact> bytesOf(const TensorType &type, std::span<const std::int64_t> shape)
{
    if (elementsOf(shape) == Exact(0))
        return 0;
    if (type.block > 1 || type.rowBytes > 0) {
        const std::int64_t row = shape.empty() ? 1 : shape.back();
        if (row % type.block != 0)
            return std::nullopt;
        const Exact rows = elementsOf(shape.first(shape.empty() ? 0 : shape.size() - 1));
        return rows * (Exact(row / type.block) * (type.bits / 8) + type.rowBytes);
    }
    const Exact bits = elementsOf(shape) * type.bits;
    if (!bits.overflowed() && bits.value() % 8 != 0)
        return std::nullopt;
    return dividedUp(bits, 8);
}

} // namespace vramscope
