// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/catalog/formats.h"

#include "core/catalog/shipped_table.h"

#include <algorithm>
#include <vector>

namespace vramscope {

std::span<const WeightStorage> weightStorages()
{
    static const std::vector<WeightStorage> storages = [] {
        std::vector<WeightStorage> all;
        readShippedTable("models/weight_formats.csv", [&](const auto &cell) {
            all.push_back({.name = cell("name"),
                           .blockBytes = numberIn(cell("block_bytes")),
                           .blockElements = numberIn(cell("block_elements")),
                           .groupBits = numberIn(cell("group_bits")),
                           .rowBytes = numberIn(cell("row_bytes")),
                           .tensorBytes = numberIn(cell("tensor_bytes")),
                           .source = cell("source"),
                           .gguf = !cell("gguf").empty()});
        });
        return all;
    }();
    return storages;
}

const WeightStorage &fp8InBlocks()
{
    static const WeightStorage storage = {
        .name = "fp8",
        .blockBytes = 4097,
        .blockElements = 4096,
        .source = "one byte an element, one fp32 scale a block of 128 × 128"};
    return storage;
}

const WeightStorage *findWeightStorage(std::string_view name)
{
    const auto storages = weightStorages();
    const auto found = std::ranges::find(storages, name, &WeightStorage::name);
    return found == storages.end() ? nullptr : &*found;
}

} // namespace vramscope
