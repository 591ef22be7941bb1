// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/replayed/recorded_settings.h"

#include "core/base/json_text.h"
#include "core/trace/trace_format.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>

namespace vramscope {

namespace {

using Json = nlohmann::ordered_json;

Json valueOf(const Trace &trace, std::string_view name)
{
    for (const Setting &setting : trace.settings()) {
        if (setting.name == name)
            return parsedJson(setting.value);
    }
    return {};
}

// The number after "2." at `at`.
int minorAt(std::string_view producer, std::size_t at)
{
    int minor = 0;
    const std::size_t end = std::min(producer.size(), at == producer.npos ? 0 : at + 4);
    for (std::size_t digit = at + 2; digit < end && std::isdigit(producer[digit]) != 0; ++digit)
        minor = minor * 10 + (producer[digit] - '0');
    return minor;
}

} // namespace

std::string recordedConfiguration(const Trace &trace)
{
    const Json text = valueOf(trace, "PYTORCH_CUDA_ALLOC_CONF");
    return text.is_string() ? text.get<std::string>() : std::string();
}

ConfiguredSettings recordedSettings(const Trace &trace)
{
    ConfiguredSettings read = configuredSettings(recordedConfiguration(trace));
    AllocatorSettings &settings = read.settings;
    AllocatorRules &rules = settings.rules;
    // A setting that the file lists separately is the one in force.
    if (const Json split = valueOf(trace, "max_split_size"); split.is_number_integer())
        rules.maxSplit = split.get<Bytes>() > 0 ? split.get<Bytes>() : AllocatorRules::kUnlimited;
    if (const Json expandable = valueOf(trace, "expandable_segments"); expandable.is_boolean())
        rules.expandable = expandable.get<bool>();
    if (const Json threshold = valueOf(trace, "garbage_collection_threshold");
        threshold.is_number()) {
        const auto share = threshold.get<double>();
        settings.garbageCollectionThreshold = share > 0 && share < 1 ? share : 0;
    }
    if (const Json divisions = valueOf(trace, "roundup_power2_divisions"); divisions.is_object()) {
        for (std::size_t at = 0; at < rules.roundupDivisions.size(); ++at) {
            const auto found = divisions.find(std::to_string(std::int64_t(1) << at));
            if (found != divisions.end() && found->is_number_integer())
                rules.roundupDivisions[at] = found->get<std::int64_t>();
        }
    }
    if (trace.producer() == kAscendProducer)
        rules.requestPadding = kAscendPadding;
    const int minor = minorAt(trace.producer(), trace.producer().find("2."));
    settings.privatePoolsExpand = minor == 0 || minor > 6;
    return read;
}

std::optional<int> newestVersion(const Trace &trace)
{
    const std::string_view producer = trace.producer();
    const std::size_t last = producer.rfind("2.");
    if (last == producer.npos || producer.ends_with("or later"))
        return {};
    return minorAt(producer, last);
}

} // namespace vramscope
