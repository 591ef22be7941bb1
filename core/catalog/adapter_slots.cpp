// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/catalog/adapter_slots.h"

#include "core/catalog/shipped_table.h"

#include <algorithm>
#include <vector>

namespace vramscope {

namespace {

const std::vector<AdapterSlots> &adapterSlots()
{
    static const std::vector<AdapterSlots> all = [] {
        std::vector<AdapterSlots> slots;
        readShippedTable("models/adapter_slots.csv", [&](const auto &cell) {
            const std::string_view ends = cell("ends");
            slots.push_back({cell("model_type"), ends == "none",
                             ends.find("embedding") != ends.npos, ends.find("head") != ends.npos,
                             cell("experts") == "joined"});
        });
        return slots;
    }();
    return all;
}

} // namespace

const AdapterSlots *findAdapterSlots(std::string_view modelType)
{
    const auto found = std::ranges::find(adapterSlots(), modelType, &AdapterSlots::modelType);
    return found == adapterSlots().end() ? nullptr : &*found;
}

} // namespace vramscope
