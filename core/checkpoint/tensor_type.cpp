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

} // namespace

std::span<const TensorType> tensorTypes()
{
    return kTypes;
}

const TensorType *findTensorType(std::string_view name)
{
    const auto *const found = std::ranges::find(kTypes, name, &TensorType::name);
    return found == kTypes.end() ? nullptr : found;
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
    const Exact bits = elementsOf(shape) * type.bits;
    if (!bits.overflowed() && bits.value() % 8 != 0)
        return std::nullopt;
    return dividedUp(bits, 8);
}

} // namespace vramscope
