// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/catalog/published.h"

#include "core/base/parts.h"
#include "core/catalog/shipped_table.h"

#include <algorithm>

namespace vramscope {

const PublishedModel *findPublished(std::string_view preset)
{
    static const std::vector<PublishedModel> models = [] {
        std::vector<PublishedModel> all;
        readShippedTable("models/formats.csv", [&](const auto &cell) {
            const auto kept = partsOf(cell("in_16_bit"), '|');
            all.push_back(
                {cell("model"), cell("weight_format"), {kept.begin(), kept.end()}, cell("source")});
        });
        return all;
    }();
    const auto found = std::ranges::find(models, preset, &PublishedModel::preset);
    return found == models.end() ? nullptr : &*found;
}

} // namespace vramscope
