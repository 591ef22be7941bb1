// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/weights_report.h"

#include "core/base/counted.h"
#include "core/base/format.h"
#include "core/base/text.h"
#include "core/print/json_parts.h"
#include "core/table/text_table.h"

#include <algorithm>

namespace vramscope {

namespace {

Bytes allBytes(const Checkpoint &checkpoint)
{
    return checkpoint.table ? checkpoint.table->bytes() : 0;
}

Exact allElements(const Checkpoint &checkpoint)
{
    Exact sum;
    for (const StoredTensor &tensor : checkpoint.tensors)
        sum += elementsOf(tensor.shape);
    return sum;
}

std::vector<TypeBytes> typesOf(const Checkpoint &checkpoint)
{
    return checkpoint.table ? bytesByType(*checkpoint.table) : std::vector<TypeBytes>();
}

bool isValid(const Checkpoint &checkpoint)
{
    return std::ranges::none_of(checkpoint.findings, &Finding::isBad);
}

Json scalarJson(const GgufScalar &value)
{
    if (const auto *text = std::get_if<std::string>(&value))
        return firstBytes(*text, 256);
    if (const auto *number = std::get_if<std::int64_t>(&value))
        return *number;
    if (const auto *flag = std::get_if<bool>(&value))
        return *flag;
    return std::get<double>(value);
}

Json keysJson(const GgufFile &file)
{
    Json keys = Json::object();
    for (const auto &[key, value] : file.keys) {
        if (!value.isArray) {
            keys[key] = scalarJson(value.first.front());
            continue;
        }
        constexpr std::size_t kShown = 4;
        const std::span first(value.first.data(), std::min(kShown, value.first.size()));
        keys[key] = {{"count", value.count}, {"first", listJson(first, scalarJson)}};
    }
    return keys;
}

/// One number, or the least and the largest of one a layer.
std::string numberText(const GgufFile &file, const std::string &key)
{
    const auto found = file.keys.find(key);
    if (found == file.keys.end())
        return {};
    std::int64_t least = INT64_MAX;
    std::int64_t largest = INT64_MIN;
    for (const GgufScalar &each : found->second.first) {
        const auto *number = std::get_if<std::int64_t>(&each);
        if (!number)
            return {};
        least = std::min(least, *number);
        largest = std::max(largest, *number);
    }
    if (found->second.first.empty())
        return {};
    return least == largest ? formatCount(least)
                            : formatCount(least) + " to " + formatCount(largest);
}

std::string rangesText(const std::vector<LayerRange> &ranges)
{
    std::string text;
    for (const auto &[first, last] : ranges) {
        text += (text.empty() ? "" : ", ") + formatCount(first);
        if (last > first)
            text += (last == first + 1 ? ", " : " to ") + formatCount(last);
    }
    return text;
}

/// Layers that hold the same, as one row, in the order of the first of each.
TextTable layerTable(const LayerBytes &bytes)
{
    std::vector<std::pair<Bytes, std::vector<LayerRange>>> kinds;
    for (const auto &[layer, sum] : bytes.layers) {
        auto same = std::ranges::find(kinds, sum, [](const auto &kind) { return kind.first; });
        if (same == kinds.end())
            same = kinds.insert(kinds.end(), {sum, {}});
        std::vector<LayerRange> &ranges = same->second;
        if (!ranges.empty() && ranges.back().second == layer - 1)
            ranges.back().second = layer;
        else
            ranges.emplace_back(layer, layer);
    }
    TextTable table({Align::Right, Align::Right, Align::Left});
    table.addRow({"bytes of each", "", "layers"});
    for (const auto &[sum, ranges] : kinds)
        table.addRow({formatCount(sum), formatBytes(sum), rangesText(ranges)});
    table.addRow({formatCount(bytes.others), formatBytes(bytes.others), "beside the layers"});
    return table;
}

} // namespace

std::vector<std::pair<std::string, std::string>> modelFacts(const Checkpoint &checkpoint)
{
    std::vector<std::pair<std::string, std::string>> facts;
    if (!checkpoint.gguf)
        return facts;
    const GgufFile &file = *checkpoint.gguf;
    const auto add = [&facts](std::string name, std::string text) {
        if (!text.empty())
            facts.emplace_back(std::move(name), std::move(text));
    };
    const std::string architecture = file.text("general.architecture");
    add("Architecture", excerpt(architecture, 80));
    add("Name", excerpt(file.text("general.name"), 120));
    add("Size", excerpt(file.text("general.size_label"), 40));
    const auto number = [&](std::string name, std::string_view key) {
        add(std::move(name), numberText(file, architecture + '.' + std::string(key)));
    };
    number("Layers", "block_count");
    number("Width", "embedding_length");
    number("Trained context", "context_length");
    number("Feed-forward width", "feed_forward_length");
    number("Heads", "attention.head_count");
    number("Key-value heads", "attention.head_count_kv");
    number("Width of a key", "attention.key_length");
    number("Sliding window", "attention.sliding_window");
    number("Experts", "expert_count");
    number("Experts of a token", "expert_used_count");
    number("Prediction layers", "nextn_predict_layers");
    const std::int64_t tokens = file.countOf("tokenizer.ggml.tokens");
    add("Vocabulary",
        tokens > 0 ? formatCount(tokens) : numberText(file, architecture + ".vocab_size"));
    return facts;
}

std::string weightsSummary(const Checkpoint &checkpoint)
{
    const Bytes bytes = allBytes(checkpoint);
    const Exact elements = allElements(checkpoint);
    std::string text = (checkpoint.missing.empty() ? "" : "at least ") +
                       counted(std::ssize(checkpoint.tensors), "tensor") + ", ";
    text += counted(elements.value(), "value") + " in " + formatBytes(bytes);
    if (elements > Exact(0) && !elements.overflowed())
        text += ", " +
                formatNumber(static_cast<double>(bytes) * 8 / static_cast<double>(elements.value()),
                             4) +
                " bits a value";
    return text;
}

Json weightsJson(const Checkpoint &checkpoint)
{
    const auto typeJson = [](const TypeBytes &each) -> Json {
        return {{"type", each.type.name}, {"tensors", each.tensors}, {"bytes", each.bytes}};
    };
    const auto layerJson = [](const auto &layer) -> Json {
        return {{"layer", layer.first}, {"bytes", layer.second}};
    };
    const auto findingJson = [](const Finding &finding) -> Json {
        return {{"refused", finding.isBad()}, {"text", finding.sentence}};
    };
    const LayerBytes bytes = bytesByLayer(checkpoint.tensors);
    Json json{{"kind", checkpoint.kind},
              {"format", checkpoint.gguf ? "gguf" : "safetensors"},
              {"valid", isValid(checkpoint)},
              {"files", checkpoint.table ? checkpoint.table->files : 1},
              {"file_bytes", checkpoint.table  ? checkpoint.table->fileBytes
                             : checkpoint.gguf ? checkpoint.gguf->bytes
                                               : 0},
              {"tensors", checkpoint.tensors.size()},
              {"elements", allElements(checkpoint).value()},
              {"bytes", allBytes(checkpoint)},
              {"at_least", !checkpoint.missing.empty()},
              {"missing", checkpoint.missing},
              {"by_type", listJson(typesOf(checkpoint), typeJson)},
              {"by_layer", listJson(bytes.layers, layerJson)},
              {"other_bytes", bytes.others},
              {"findings", listJson(checkpoint.findings, findingJson)}};
    if (checkpoint.gguf) {
        const GgufFile &file = *checkpoint.gguf;
        json["version"] = file.version;
        json["endian"] = file.bigEndian ? "big" : "little";
        json["alignment"] = file.alignment;
        json["data_offset"] = file.dataAt;
        json["keys"] = keysJson(file);
    }
    return json;
}

std::string weightsText(const Checkpoint &checkpoint)
{
    std::string text = checkpoint.kind + ": " + weightsSummary(checkpoint) + ".\n";
    TextTable facts({Align::Left, Align::Left});
    for (const auto &[name, fact] : modelFacts(checkpoint))
        facts.addRow({name, fact});
    text += facts.text();
    if (const auto types = typesOf(checkpoint); !types.empty()) {
        TextTable table({Align::Left, Align::Right, Align::Right, Align::Right});
        table.addRow({"type", "tensors", "bytes", ""});
        for (const TypeBytes &each : types)
            table.addRow({std::string(each.type.name), formatCount(each.tensors),
                          formatCount(each.bytes), formatBytes(each.bytes)});
        text += "By type\n" + table.text();
        text += "By layer\n" + layerTable(bytesByLayer(checkpoint.tensors)).text();
    }
    if (!checkpoint.missing.empty()) {
        constexpr std::size_t kShown = 3;
        text += "Missing: ";
        for (std::size_t i = 0; i < std::min(kShown, checkpoint.missing.size()); ++i)
            text += (i > 0 ? ", " : "") + excerpt(checkpoint.missing[i], 120);
        if (checkpoint.missing.size() > kShown)
            text +=
                " and " +
                formatCount(std::ssize(checkpoint.missing) - static_cast<std::int64_t>(kShown)) +
                " more";
        text += ". The sums are at least these; fetch the rest.\n";
    }
    for (const Finding &finding : checkpoint.findings)
        text += (finding.isBad() ? "Refused: " : "Note: ") + finding.sentence + '\n';
    return text;
}

namespace {

/// Whether a person wrote the text of a key of GGUF, and not a program.
bool isWritten(std::string_view key)
{
    constexpr std::array<std::string_view, 4> kOfPrograms{"general.architecture", "general.type",
                                                          "general.size_label", "general.license"};
    return key.starts_with("general.") && std::ranges::find(kOfPrograms, key) == kOfPrograms.end();
}

/// Calls visit(key, text) for each text of a GGUF file's keys.
template<class File, class Visit>
void forEachText(File &file, Visit visit)
{
    for (auto &[key, value] : file.keys) {
        for (auto &each : value.first) {
            if (auto *text = std::get_if<std::string>(&each))
                visit(key, *text);
        }
    }
}

} // namespace

void gatherNames(Redaction &names, const Checkpoint &checkpoint)
{
    for (const Finding &finding : checkpoint.findings)
        names.gather(finding.sentence, Redaction::Kind::Prose);
    for (const std::string &file : checkpoint.missing)
        names.gatherFileName(file);
    if (!checkpoint.gguf)
        return;
    forEachText(*checkpoint.gguf, [&](const std::string &key, const std::string &text) {
        names.gatherValue(key, text);
        if (isWritten(key))
            names.gatherTitle(text);
    });
}

Checkpoint redacted(const Checkpoint &checkpoint, const Redaction &names)
{
    Checkpoint made = checkpoint;
    made.kind = names.text(made.kind, Redaction::Kind::Prose);
    for (Finding &finding : made.findings)
        finding.sentence = names.sentence(finding.sentence);
    for (std::string &file : made.missing)
        file = names.fileName(file);
    if (!made.gguf)
        return made;
    for (Finding &finding : made.gguf->findings)
        finding.sentence = names.sentence(finding.sentence);
    forEachText(*made.gguf, [&](const std::string &key, std::string &text) {
        text = isWritten(key) ? names.title(text) : names.value(key, text);
    });
    std::map<std::string, GgufValue, std::less<>> keys;
    for (auto &[key, value] : made.gguf->keys)
        keys.emplace(names.text(key, Redaction::Kind::Prose), std::move(value));
    made.gguf->keys = std::move(keys);
    return made;
}

} // namespace vramscope
