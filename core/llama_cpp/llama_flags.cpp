// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/llama_cpp/llama_flags.h"

#include "core/base/format.h"
#include "core/base/pattern.h"
#include "core/base/text.h"
#include "core/base/written_size.h"
#include "core/llama_cpp/llama_fit.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace vramscope {

namespace {

constexpr std::size_t kMostDevices = 64; ///< above GGML_CUDA_MAX_DEVICES, 16
/// Limits one pattern of -ot and all together, with braces expanded: each is searched in every
/// name. --fit writes a pattern of 40 for each layer.
constexpr std::size_t kLargestPattern = 500;
constexpr std::size_t kLargestPatterns = 10'000;
constexpr std::int64_t kMostContext = std::int64_t(1) << 31;
constexpr std::int64_t kMostBatch = std::int64_t(1) << 20;
constexpr std::int64_t kMostSequences = 4'096;

/// In the order of LlamaSplitMode.
constexpr std::array<std::string_view, 3> kSplitModes = {"none", "layer", "row"};

std::vector<std::string_view> partsOf(std::string_view text)
{
    std::vector<std::string_view> parts;
    while (true) {
        const std::size_t end = std::min(text.find(','), text.size());
        parts.push_back(trimmed(text.substr(0, end)));
        if (end == text.size())
            return parts;
        text.remove_prefix(end + 1);
    }
}

Error takes(std::string_view name, std::string_view what)
{
    return invalid(std::string(name) + " takes " + std::string(what) + '.');
}

/// -ctk and -ctv of llama.cpp (kv_cache_types in common/arg.cpp).
Result<TensorType> cacheType(std::string_view name, std::string_view value)
{
    constexpr auto kTypes = std::to_array<std::string_view>(
        {"f32", "f16", "bf16", "q8_0", "q4_0", "q4_1", "iq4_nl", "q5_0", "q5_1"});
    const std::string small = lowered(value);
    if (!isOneOf(small, kTypes))
        return takes(name, "f32, f16, bf16, q8_0, q4_0, q4_1, iq4_nl, q5_0 or q5_1");
    for (const GgmlType &each : ggmlTypes())
        if (lowered(each.type.name) == small)
            return each.type;
    return takes(name, "another type"); // not reached: the list is part of the table
}

Result<void> setTensorSplit(LlamaSettings &settings, std::string_view name, std::string_view value)
{
    std::vector<float> shares;
    for (const std::string_view part : partsOf(value)) {
        float share = 0;
        const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), share);
        if (error != std::errc() || end != part.data() + part.size() || !(share >= 0) ||
            share > 1e30F || shares.size() == kMostDevices)
            return takes(name, "shares of the devices, such as 3,1");
        shares.push_back(share);
    }
    settings.tensorSplit = std::move(shares);
    return {};
}

/// The device of a buffer by llama.cpp's name: "CPU" and "CUDA_Host" are the host, -1.
Result<std::int64_t> deviceOf(std::string_view buffer)
{
    std::int64_t device = -1;
    if (buffer.starts_with("CPU") || buffer.ends_with("_Host"))
        return device;
    const std::size_t digits = buffer.find_last_not_of("0123456789") + 1;
    if (digits == buffer.size() || buffer.size() - digits > 3)
        return takes("-ot", "a buffer as llama.cpp names it, CPU or CUDA0");
    std::from_chars(buffer.data() + digits, buffer.data() + buffer.size(), device);
    return device;
}

/// "PATTERN=CPU,PATTERN=CUDA1": patterns match a part of a tensor's name.
Result<void> addOverrides(LlamaSettings &settings, std::string_view name, std::string_view value)
{
    std::size_t size = 0;
    for (const std::string_view part : partsOf(value)) {
        const std::size_t equals = part.rfind('=');
        if (equals == part.npos || equals == 0)
            return takes(name, "PATTERN=BUFFER, such as \"ffn_.*_exps=CPU\"");
        const Result<std::int64_t> device = deviceOf(part.substr(equals + 1));
        if (!device)
            return device.error();
        Result<Pattern> pattern = Pattern::of(part.substr(0, equals));
        if (!pattern)
            return takes(name, "a regular expression before the last =; \"" +
                                   excerpt(part.substr(0, equals), 60) + "\" " +
                                   pattern.error().detail);
        size += pattern->size();
        if (pattern->size() > kLargestPattern || size > kLargestPatterns)
            return takes(name, "patterns of at most 500 characters each and 10,000 in all, with "
                               "what braces repeat written out");
        settings.overrides.push_back({std::string(part),
                                      [pattern = std::move(*pattern)](const LlamaTensor &tensor) {
                                          return pattern.isIn(tensor.stored.name);
                                      },
                                      *device});
    }
    return {};
}

Result<std::int64_t> wholeFlag(std::string_view name, std::string_view value, std::int64_t least,
                               std::int64_t most)
{
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
    if (error != std::errc() || end != value.data() + value.size() || number < least ||
        number > most)
        return takes(name,
                     "a whole number from " + formatCount(least) + " to " + formatCount(most));
    return number;
}

// How options set the settings

template<auto setting, std::int64_t least, std::int64_t most>
Result<void> setWhole(LlamaSettings &settings, std::string_view name, std::string_view value)
{
    const auto number = wholeFlag(name, value, least, most);
    settings.*setting = number ? *number : settings.*setting;
    return number ? Result<void>() : number.error();
}

template<auto setting>
Result<void> setType(LlamaSettings &settings, std::string_view name, std::string_view value)
{
    const auto type = cacheType(name, value);
    settings.*setting = type ? *type : settings.*setting;
    return type ? Result<void>() : type.error();
}

template<auto setting, bool on>
Result<void> setSwitch(LlamaSettings &settings, std::string_view, std::string_view)
{
    settings.*setting = on;
    return {};
}

Result<void> setGpuLayers(LlamaSettings &settings, std::string_view name, std::string_view value)
{
    settings.gpuLayersStated = value != "auto";
    if (value != "all" && value != "auto")
        return setWhole<&LlamaSettings::gpuLayers, -1, kMostContext>(settings, name, value);
    settings.gpuLayers = -1;
    return {};
}

Result<void> setSplitMode(LlamaSettings &settings, std::string_view name, std::string_view value)
{
    const auto *const mode = std::ranges::find(kSplitModes, value);
    if (mode == kSplitModes.end())
        return takes(name, "none, layer or row; how \"tensor\" divides is not known here");
    settings.splitMode = static_cast<LlamaSplitMode>(mode - kSplitModes.begin());
    return {};
}

Result<void> setHostExperts(LlamaSettings &settings, std::string_view, std::string_view)
{
    settings.overrides.push_back(expertsOnHost(-1));
    return {};
}

Result<void> setHostLayers(LlamaSettings &settings, std::string_view name, std::string_view value)
{
    const auto layers = wholeFlag(name, value, 0, 10'000);
    for (std::int64_t layer = 0; layers && layer < *layers; ++layer)
        settings.overrides.push_back(expertsOnHost(layer));
    return layers ? Result<void>() : layers.error();
}

Result<void> setFlashAttention(LlamaSettings &settings, std::string_view name,
                               std::string_view value)
{
    if (value != "on" && value != "off" && value != "auto")
        return takes(name, "on, off or auto");
    settings.flashAttention = value != "off";
    return {};
}

struct LlamaOption
{
    std::string_view name;
    Result<void> (*set)(LlamaSettings &settings, std::string_view name, std::string_view value);
};

constexpr auto kOptions = std::to_array<LlamaOption>({
    {"-ngl", setGpuLayers},
    {"-ts", setTensorSplit},
    {"-sm", setSplitMode},
    {"-mg", setWhole<&LlamaSettings::mainGpu, 0, std::int64_t(kMostDevices)>},
    {"-ot", addOverrides},
    {"--cpu-moe", setHostExperts},
    {"--n-cpu-moe", setHostLayers},
    {"-ctk", setType<&LlamaSettings::keyType>},
    {"-ctv", setType<&LlamaSettings::valueType>},
    {"-c", setWhole<&LlamaSettings::context, 0, kMostContext>},
    {"-ub", setWhole<&LlamaSettings::microBatch, 1, kMostBatch>},
    {"-np", setWhole<&LlamaSettings::sequences, 1, kMostSequences>},
    {"-fa", setFlashAttention},
    {"--no-kv-offload", setSwitch<&LlamaSettings::offloadCache, false>},
    {"--swa-full", setSwitch<&LlamaSettings::wholeWindow, true>},
    {"--kv-unified", setSwitch<&LlamaSettings::unified, true>},
});

} // namespace

Result<LlamaMachine> parseMachine(std::string_view text)
{
    LlamaMachine machine;
    for (const std::string_view part : partsOf(text)) {
        // The shortest suffix that is a size: a unit may be separate, as in "host 64 GiB".
        std::size_t cut = writtenBytes(part) ? part.npos : part.find_last_of("= ");
        while (cut != part.npos && !writtenBytes(trimmed(part.substr(cut + 1))))
            cut = cut == 0 ? part.npos : part.find_last_of("= ", cut - 1);
        const std::string_view name =
            cut == part.npos ? std::string_view() : trimmed(part.substr(0, cut));
        const std::string_view size = cut == part.npos ? part : trimmed(part.substr(cut + 1));
        const auto bytes = writtenBytes(size);
        if (!bytes || machine.devices.size() == kMostDevices)
            return invalid("\"" + excerpt(part, 60) +
                           "\" is no device: write their free memory, such as \"24GiB, 24GiB, "
                           "host 64GiB\".");
        if (lowered(name) == "host" || lowered(name) == "cpu")
            machine.host = *bytes;
        else
            machine.devices.push_back({name.empty()
                                           ? "device " + std::to_string(machine.devices.size())
                                           : printable(name),
                                       *bytes});
    }
    return machine;
}

Result<void> setLlamaFlag(LlamaSettings &settings, std::string_view name, std::string_view value)
{
    const auto *const option = std::ranges::find(kOptions, name, &LlamaOption::name);
    return option == kOptions.end() ? invalid(std::string(name) + " is not known.")
                                    : option->set(settings, name, value);
}

std::string llamaFlags(const LlamaSettings &settings)
{
    const LlamaSettings usual;
    std::string text;
    const auto add = [&text](std::string_view name, const std::string &value) {
        text += (text.empty() ? "" : " ") + std::string(name) + (value.empty() ? "" : " ") + value;
    };
    if (settings.gpuLayers >= 0)
        add("-ngl", std::to_string(settings.gpuLayers));
    if (settings.tensorSplit.size() > 1) {
        std::string shares;
        for (const float share : settings.tensorSplit)
            shares += (shares.empty() ? "" : ",") + formatNumber(static_cast<double>(share));
        add("-ts", shares);
    }
    if (settings.splitMode != usual.splitMode)
        add("-sm", std::string(kSplitModes[static_cast<std::size_t>(settings.splitMode)]));
    std::string overrides;
    for (const LlamaOverride &each : settings.overrides)
        overrides += (overrides.empty() ? "" : ",") + each.text;
    if (!overrides.empty())
        add("-ot", '"' + overrides + '"');
    if (settings.context > 0)
        add("-c", std::to_string(settings.context));
    if (settings.microBatch != usual.microBatch)
        add("-ub", std::to_string(settings.microBatch));
    if (settings.sequences != usual.sequences)
        add("-np", std::to_string(settings.sequences));
    if (settings.keyType != usual.keyType)
        add("-ctk", lowered(settings.keyType.name));
    if (settings.valueType != usual.valueType)
        add("-ctv", lowered(settings.valueType.name));
    if (!settings.offloadCache)
        add("--no-kv-offload", "");
    if (settings.wholeWindow)
        add("--swa-full", "");
    return text;
}

} // namespace vramscope
