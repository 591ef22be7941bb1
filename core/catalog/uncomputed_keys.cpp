// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/catalog/uncomputed_keys.h"

#include "core/catalog/shipped_table.h"

#include <vector>

namespace vramscope {

std::span<const UncomputedKey> uncomputedKeys()
{
    static const std::vector<UncomputedKey> all = [] {
        std::vector<UncomputedKey> keys;
        readShippedTable("models/uncomputed_keys.csv", [&](const auto &cell) {
            keys.push_back({cell("key"), cell("types"), cell("where"), cell("part"),
                            numberIn<double>(cell("spread")), cell("why")});
        });
        return keys;
    }();
    return all;
}

} // namespace vramscope
