// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/page/plan_data.h"

#include "core/base/format.h"
#include "core/page/packed_columns.h"

#include <nlohmann/json.hpp>

#include <utility>

namespace vramscope {

std::string planData(const Estimate &estimate, const PlanDataOptions &options)
{
    nlohmann::ordered_json head{
        {"format", "vramscope-page"},
        {"version", 1},
        {"kind", "plan"},
        {"unit", options.unit == ByteUnit::Binary ? "binary" : "decimal"},
        {"capacity", estimate.capacity.value_or(0)},
        {"peak", estimate.peakMoment},
    };
    for (const NamedColor &part : options.parts)
        head["parts"].push_back({{"name", part.name}, {"color", part.color}});

    std::vector<std::int64_t> moments;
    std::vector<std::int64_t> parts;
    std::vector<std::int64_t> bytes;
    std::vector<std::string> names;
    std::vector<std::string> formulas;
    std::vector<std::string> sources;
    const auto add = [&](std::size_t moment, std::size_t part, const Component &component) {
        moments.push_back(static_cast<std::int64_t>(moment));
        parts.push_back(static_cast<std::int64_t>(part));
        bytes.push_back(component.bytes);
        names.push_back(printable(component.name));
        formulas.push_back(printable(component.formula));
        sources.push_back(printable(component.source));
    };
    for (std::size_t at = 0; at < estimate.moments.size(); ++at) {
        head["moments"].push_back(printable(estimate.moments[at].name));
        for (const Component &component : estimate.moments[at].components)
            add(at, static_cast<std::size_t>(component.category), component);
        if (at != estimate.peakMoment)
            continue;
        for (const Component &component : estimate.outside)
            add(at, kCategoryCount, component);
    }
    PackedColumns columns;
    columns.add("moment", PackedColumns::Coding::Delta, moments);
    columns.add("part", PackedColumns::Coding::Plain, parts);
    columns.add("bytes", PackedColumns::Coding::Signed, bytes);
    columns.addTexts("name", names);
    columns.addTexts("formula", formulas);
    columns.addTexts("source", sources);
    return columns.document(std::move(head));
}

} // namespace vramscope
