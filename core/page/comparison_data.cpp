// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/page/comparison_data.h"

#include "core/base/format.h"
#include "core/page/packed_columns.h"

#include <nlohmann/json.hpp>

#include <utility>

namespace vramscope {

std::string comparisonData(std::span<const ComparedLine> lines, ByteUnit unit)
{
    nlohmann::ordered_json head{{"format", "vramscope-page"},
                                {"version", 1},
                                {"kind", "comparison"},
                                {"unit", unit == ByteUnit::Binary ? "binary" : "decimal"}};
    for (const ComparedLine &line : lines) {
        head["of"].push_back(line.figure);
        head["series"].push_back(
            {{"name", printable(line.name)}, {"color", line.color}, {"strokes", line.strokes}});
    }
    return PackedColumns().document(std::move(head));
}

} // namespace vramscope
