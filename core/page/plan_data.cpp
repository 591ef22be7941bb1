// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/page/plan_data.h"

#include "core/base/format.h"
#include "core/page/packed_columns.h"

#include <nlohmann/json.hpp>

#include <map>
#include <tuple>
#include <utility>

namespace vramscope {

namespace {

/// The component of this name that has these bytes in some moment, else the largest; null: none.
const Component *componentNamed(const Estimate &estimate, const std::string &name, Bytes bytes)
{
    const Component *found = nullptr;
    for (const Moment &moment : estimate.moments) {
        for (const Component &each : moment.components) {
            if (each.name != name)
                continue;
            if (each.bytes == bytes)
                return &each;
            if (!found || each.bytes > found->bytes)
                found = &each;
        }
    }
    return found;
}

} // namespace

std::string dividedData(const DividedMemory &memory)
{
    nlohmann::ordered_json head{
        {"format", "vramscope-page"},
        {"version", 1},
        {"kind", "parts"},
        {"layout", memory.layout},
        {"subject", memory.subject},
        {"detail", memory.detail},
        {"unit", memory.unit == ByteUnit::Binary ? "binary" : "decimal"},
        {"capacity", memory.capacity},
        {"peak", memory.peak},
        {"keepsPicture", memory.keepsPicture},
    };
    auto &phases = head["phases"] = nlohmann::ordered_json::array();
    for (const auto &[at, name] : memory.phases)
        phases.push_back({{"at", at}, {"name", printable(name)}});
    for (const NamedColor &part : memory.parts)
        head["parts"].push_back({{"name", part.name}, {"color", part.color}});

    std::vector<std::int64_t> moments;
    std::vector<std::int64_t> bytes;
    std::vector<std::int64_t> components;
    // What many moments have in common is written once.
    std::map<std::tuple<std::size_t, std::string, std::string, std::string>, std::int64_t> known;
    std::vector<std::int64_t> parts;
    std::vector<std::string> names;
    std::vector<std::string> formulas;
    std::vector<std::string> sources;
    head["moments"] = nlohmann::ordered_json::array();
    for (std::size_t at = 0; at < memory.moments.size(); ++at) {
        head["moments"].push_back(printable(memory.moments[at].name));
        for (const DividedMoment::Component &each : memory.moments[at].components) {
            const auto [found, isNew] = known.try_emplace(
                {each.part, each.name, each.formula, each.source}, std::ssize(names));
            if (isNew) {
                parts.push_back(static_cast<std::int64_t>(each.part));
                names.push_back(printable(each.name));
                formulas.push_back(printable(each.formula));
                sources.push_back(printable(each.source));
            }
            moments.push_back(static_cast<std::int64_t>(at));
            bytes.push_back(each.bytes);
            components.push_back(found->second);
        }
    }
    PackedColumns columns;
    columns.add("moment", PackedColumns::Coding::Delta, moments);
    columns.add("bytes", PackedColumns::Coding::Signed, bytes);
    columns.add("component", PackedColumns::Coding::Plain, components);
    columns.add("part", PackedColumns::Coding::Plain, parts);
    columns.addTexts("name", names);
    columns.addTexts("formula", formulas);
    columns.addTexts("source", sources);
    return columns.document(std::move(head));
}

std::string planData(const Estimate &estimate, const PlanDataOptions &options)
{
    DividedMemory memory;
    memory.subject = "Memory of each moment by part";
    memory.unit = options.unit;
    memory.parts = options.parts;
    memory.peak = estimate.peakMoment;
    memory.capacity = estimate.capacity.value_or(0);
    for (std::size_t at = 0; at < estimate.moments.size(); ++at) {
        DividedMoment moment{estimate.moments[at].name, {}};
        for (const Component &each : estimate.moments[at].components)
            moment.components.push_back({static_cast<std::size_t>(each.category), each.bytes,
                                         each.name, each.formula, each.source});
        if (at == estimate.peakMoment) {
            moment.name += kAtPeak;
            for (const Component &each : estimate.outside)
                moment.components.push_back(
                    {kCategoryCount, each.bytes, each.name, each.formula, each.source});
        }
        memory.moments.push_back(std::move(moment));
    }
    return dividedData(memory);
}

std::vector<DividedMoment::Component> componentsAt(const Estimate &estimate,
                                                   const Lifecycle &lifecycle,
                                                   const LifecyclePoint &point, ByteUnit unit)
{
    std::vector<DividedMoment::Component> components;
    for (std::size_t at = 0; at < point.bytes.size(); ++at) {
        const Bytes bytes = point.bytes[at];
        if (bytes == 0)
            continue;
        const Lifecycle::Part &part = lifecycle.parts[at];
        DividedMoment::Component component{
            static_cast<std::size_t>(part.category), bytes, part.name, {}, {}};
        if (const Component *why = componentNamed(estimate, part.name, bytes)) {
            component.formula =
                why->bytes == bytes
                    ? why->formula
                    : "of at most " + formatBytes(why->bytes, unit) + ": " + why->formula;
            component.source = why->source;
        }
        components.push_back(std::move(component));
    }
    return components;
}

} // namespace vramscope
