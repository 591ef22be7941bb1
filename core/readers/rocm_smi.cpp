// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/json_text.h"
#include "core/readers/cancel_guard.h"
#include "core/readers/formats.h"
#include "core/readers/smi.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>
#include <string>

namespace vramscope {

namespace {

using Json = nlohmann::ordered_json;

/// The number of "card0".
std::optional<int> cardNumber(std::string_view key)
{
    constexpr std::string_view kCard = "card";
    return key.starts_with(kCard) ? smi::ordinalOf(key.substr(kCard.size())) : std::nullopt;
}

/// Takes the bytes of the next JSON object off the input; empty if none is left, and `longest`
/// bytes if it has no end.
std::string nextObject(ByteWindow &input, std::size_t longest)
{
    std::string text;
    int depth = 0;
    bool isQuoted = false;
    bool isEscaped = false;
    while (text.size() < longest && input.ensure(1)) {
        const char c = static_cast<char>(*input.cursor());
        input.advance(1);
        if (text.empty() && c != '{')
            continue;
        text.push_back(c);
        if (isEscaped || (isQuoted && c == '\\')) {
            isEscaped = !isEscaped;
        } else if (c == '"') {
            isQuoted = !isQuoted;
        } else if (!isQuoted && (c == '{' || c == '}')) {
            depth += c == '{' ? 1 : -1;
            if (depth == 0)
                break;
        }
    }
    return text;
}

/// A figure as a cell; its number is usually a text.
std::string cellOf(const Json &value)
{
    return value.is_string() ? value.get<std::string>() : value.is_number() ? value.dump() : "";
}

void addFigure(smi::Sample &sample, const std::string &name, const std::string &cell)
{
    smi::Column column = smi::columnOf(name);
    if (column.name == "gpu.use")
        column.name = "utilization.gpu";
    const bool isSize = column.kind == smi::Kind::Used || column.kind == smi::Kind::Total;
    if (column.kind == smi::Kind::Name)
        sample.name = cell;
    else if ((isSize || column.kind == smi::Kind::Number) && !sample.take(column, cell) && isSize)
        sample.notReported.push_back(column.name);
}

} // namespace

bool isRocmSmi(std::string_view start)
{
    const auto skip = [&start](char wanted) {
        start.remove_prefix(std::min(start.find_first_not_of(" \t\r\n"), start.size()));
        const bool found = start.starts_with(wanted);
        start.remove_prefix(found ? 1 : 0);
        return found;
    };
    return skip('{') && skip('"') && cardNumber(start.substr(0, start.find('"')));
}

Result<std::shared_ptr<const Series>> readRocmSmi(ByteWindow &input, const Progress &progress)
{
    constexpr std::int64_t kSecond = 1'000'000'000;
    SeriesBuilder builder("rocm-smi");
    smi::Devices devices;
    bool hasMemory = false;
    std::int64_t reports = 0;
    for (std::string text = nextObject(input, kLongestDocument); !text.empty();
         text = nextObject(input, kLongestDocument)) {
        if (progress && !progress(input.fraction()))
            return readingCancelled();
        if (!checkJson(text)) {
            builder.addProblem("A report is cut off or no JSON; it was left out.");
            continue;
        }
        const Json report = parsedJson(text);
        for (const auto &[key, figures] : report.items()) {
            const auto card = cardNumber(key);
            if (!card || !figures.is_object())
                continue;
            smi::Sample sample;
            sample.time = reports * kSecond;
            sample.ordinal = *card;
            sample.device = key;
            for (const auto &[name, value] : figures.items())
                addFigure(sample, name, cellOf(value));
            hasMemory = hasMemory || std::ranges::any_of(sample.sizes, [](const auto &size) {
                            return size.role == CurveRole::DeviceUsed;
                        });
            devices.add(sample);
        }
        ++reports;
    }
    if (!input.status().ok() && input.status().error().code != ErrorCode::Truncated)
        return input.status().error();
    if (!hasMemory)
        return Error{ErrorCode::NotRecognized,
                     "This JSON of rocm-smi has no used memory: record it with rocm-smi "
                     "--showmeminfo vram --json."};
    if (reports > 1)
        builder.addProblem("The reports have no times; they were taken to be a second apart.");
    devices.finish(builder);
    for (const std::string &anomaly : input.anomalies())
        builder.addProblem(anomaly);
    return builder.finish();
}

} // namespace vramscope
