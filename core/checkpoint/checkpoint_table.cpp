// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/checkpoint_table.h"

#include "core/base/counted.h"
#include "core/base/format.h"
#include "core/base/json_text.h"
#include "core/base/text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>

namespace vramscope {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kLongestName = 512;
constexpr std::size_t kMostDimensions = 8;
constexpr std::int64_t kMostLayers = 100'000; ///< far above any model, and its square is countable
constexpr std::int64_t kMostEach = 1'000'000;

/// A name without its numbers.
struct Pattern
{
    std::string name;
    std::int64_t layer = -1; ///< the first of the numbers, or -1
};

Pattern patternOf(std::string_view name)
{
    constexpr std::size_t kLongestNumber = 6;
    Pattern pattern;
    while (true) {
        const std::size_t end = std::min(name.find('.'), name.size());
        const std::string_view word = name.substr(0, end);
        const bool number =
            !word.empty() && word.size() <= kLongestNumber && std::ranges::all_of(word, isDigit);
        if (number && pattern.layer < 0) {
            pattern.layer = 0;
            for (const char digit : word)
                pattern.layer = pattern.layer * 10 + (digit - '0');
        }
        pattern.name += number ? std::string_view("*") : word;
        if (end == name.size())
            return pattern;
        pattern.name += '.';
        name.remove_prefix(end + 1);
    }
}

/// A group while its tensors are still coming.
struct Collected
{
    const StoredTensor *first = nullptr;
    std::string name;
    std::map<std::int64_t, std::int64_t> layers; ///< a layer → its tensors
};

/// Layers with equally many tensors make one group.
void addGroups(std::vector<TensorGroup> &groups, const Collected &collected)
{
    const std::size_t before = groups.size();
    for (const auto &[layer, each] : collected.layers) {
        const auto same =
            std::find_if(groups.begin() + static_cast<std::ptrdiff_t>(before), groups.end(),
                         [each = each](const TensorGroup &group) { return group.each == each; });
        TensorGroup &group =
            same != groups.end()
                ? *same
                : groups.emplace_back(TensorGroup{
                      collected.name, collected.first->type, collected.first->shape, {}, each});
        if (layer < 0)
            continue;
        if (!group.layers.empty() && group.layers.back().second == layer - 1)
            group.layers.back().second = layer;
        else
            group.layers.emplace_back(layer, layer);
    }
}

class TableReader
{
public:
    Result<CheckpointTable> read(const Json &json);

private:
    bool readGroup(const Json &json);
    bool readLayers(const Json &json, TensorGroup &group);
    /// A whole number of an object, at most `most`; `absent` if it is missing.
    std::optional<std::int64_t> number(const Json &json, const char *key, std::int64_t least,
                                       std::int64_t most,
                                       std::optional<std::int64_t> absent = std::nullopt);
    bool onlyKeys(const Json &json, std::initializer_list<std::string_view> keys);
    bool fail(const std::string &text)
    {
        m_error = invalid(m_place + text);
        return false;
    }

    CheckpointTable m_table;
    std::string m_place;
    std::optional<Error> m_error;
    Exact m_bytes;
};

bool TableReader::onlyKeys(const Json &json, std::initializer_list<std::string_view> keys)
{
    for (const auto &[key, value] : json.items())
        if (std::ranges::find(keys, key) == keys.end())
            return fail(excerpt(key, 60) + " is not known; import the checkpoint again.");
    return true;
}

std::optional<std::int64_t> TableReader::number(const Json &json, const char *key,
                                                std::int64_t least, std::int64_t most,
                                                std::optional<std::int64_t> absent)
{
    const auto found = json.find(key);
    if (found == json.end() && absent)
        return absent;
    if (found != json.end() && found->is_number_integer() &&
        !(found->is_number_unsigned() && found->get<std::uint64_t>() > INT64_MAX)) {
        const auto value = found->get<std::int64_t>();
        if (value >= least && value <= most)
            return value;
    }
    fail(std::string(key) + " must be a whole number from " + formatCount(least) + " to " +
         formatCount(most) + '.');
    return std::nullopt;
}

bool TableReader::readLayers(const Json &json, TensorGroup &group)
{
    constexpr const char *kWanted =
        "layers must be a list of first and last layers, ascending: [[0, 31]].";
    if (!json.is_array() || json.empty())
        return fail(kWanted);
    for (const Json &range : json) {
        if (!range.is_array() || range.size() != 2 || !range[0].is_number_unsigned() ||
            !range[1].is_number_unsigned())
            return fail(kWanted);
        const auto first = range[0].get<std::uint64_t>();
        const auto last = range[1].get<std::uint64_t>();
        const bool ascends =
            group.layers.empty() || static_cast<std::int64_t>(first) > group.layers.back().second;
        if (first > last || last >= static_cast<std::uint64_t>(kMostLayers) || !ascends)
            return fail(kWanted);
        group.layers.emplace_back(first, last);
    }
    return true;
}

bool TableReader::readGroup(const Json &json)
{
    if (!json.is_object())
        return fail("must be an object.");
    if (!onlyKeys(json, {"name", "dtype", "shape", "layers", "each"}))
        return false;
    TensorGroup group;
    const auto name = json.find("name");
    if (name == json.end() || !name->is_string() || name->get_ref<const std::string &>().empty() ||
        name->get_ref<const std::string &>().size() > kLongestName)
        return fail("name must be a text of at most " + formatCount(kLongestName) + " bytes.");
    group.name = name->get<std::string>();
    const auto type = json.find("dtype");
    const TensorType *known = type != json.end() && type->is_string()
                                  ? findTensorType(type->get_ref<const std::string &>())
                                  : nullptr;
    if (!known)
        return fail("dtype must be one of safetensors or GGUF, such as BF16.");
    group.type = *known;
    const auto shape = json.find("shape");
    if (shape == json.end() || !shape->is_array() || shape->size() > kMostDimensions ||
        !std::ranges::all_of(*shape, [](const Json &size) {
            return size.is_number_unsigned() && size.get<std::uint64_t>() <= INT64_MAX;
        }))
        return fail("shape must be a list of at most " + formatCount(kMostDimensions) +
                    " whole numbers.");
    for (const Json &size : *shape)
        group.shape.push_back(size.get<std::int64_t>());
    if (json.contains("layers") && !readLayers(json["layers"], group))
        return false;
    const auto each = number(json, "each", 1, kMostEach, 1);
    if (!each)
        return false;
    group.each = *each;
    const std::optional<Exact> bytes = bytesOf(group.type, group.shape);
    if (!bytes)
        return fail("shape and dtype make no whole bytes.");
    m_bytes += *bytes * group.tensors();
    if (m_bytes.value() >= kMostTensorBytes)
        return fail("the tensors are larger than can be counted.");
    m_table.groups.push_back(std::move(group));
    return true;
}

Result<CheckpointTable> TableReader::read(const Json &json)
{
    if (!onlyKeys(json, {"files", "file_bytes", "largest_file_bytes", "tensors"}))
        return *m_error;
    const auto files = number(json, "files", 1, 1'000'000);
    const auto bytes = files ? number(json, "file_bytes", 1, kMostTensorBytes) : std::nullopt;
    const auto largest = bytes ? number(json, "largest_file_bytes", 1, *bytes) : std::nullopt;
    if (!largest)
        return *m_error;
    m_table.files = *files;
    m_table.fileBytes = *bytes;
    m_table.largestFileBytes = *largest;
    const auto tensors = json.find("tensors");
    if (tensors == json.end() || !tensors->is_array() || tensors->empty() ||
        tensors->size() > kMostGroups)
        return invalid("tensors must be a list of 1 to " + formatCount(kMostGroups) +
                       " kinds of tensors.");
    for (std::size_t i = 0; i < tensors->size(); ++i) {
        m_place = "tensors[" + std::to_string(i) + "]: ";
        if (!readGroup((*tensors)[i]))
            return *m_error;
    }
    if (m_bytes > Exact(m_table.fileBytes))
        return invalid("the tensors take " + counted(m_bytes.value(), "byte") +
                       ", more than their files (file_bytes).");
    return std::move(m_table);
}

} // namespace

std::int64_t TensorGroup::layerCount() const
{
    std::int64_t count = 0;
    for (const auto &[first, last] : layers)
        count += last - first + 1;
    return count;
}

std::int64_t TensorGroup::layersWithin(std::int64_t first, std::int64_t count) const
{
    std::int64_t within = 0;
    for (const auto &[from, to] : layers)
        within +=
            std::max<std::int64_t>(0, std::min(to, first + count - 1) - std::max(from, first) + 1);
    return within;
}

Bytes TensorGroup::bytesOfOne() const
{
    return bytesOf(type, shape).value_or(0).value();
}

std::int64_t CheckpointTable::tensors() const
{
    std::int64_t sum = 0;
    for (const TensorGroup &group : groups)
        sum += group.tensors();
    return sum;
}

Bytes CheckpointTable::bytes() const
{
    Bytes sum = 0;
    for (const TensorGroup &group : groups)
        sum += group.bytes();
    return sum;
}

std::vector<TypeBytes> bytesByType(const CheckpointTable &table)
{
    std::vector<TypeBytes> all;
    for (const TensorGroup &group : table.groups) {
        auto same = std::ranges::find(all, group.type, &TypeBytes::type);
        if (same == all.end())
            same = all.insert(all.end(), {group.type, 0, 0});
        same->bytes += group.bytes();
        same->tensors += group.tensors();
    }
    std::ranges::stable_sort(all, std::greater<>(), &TypeBytes::bytes);
    return all;
}

Result<std::vector<TensorGroup>> groupTensors(std::span<const StoredTensor> tensors)
{
    std::vector<Collected> all;
    std::map<std::tuple<std::string, std::string_view, std::vector<std::int64_t>>, std::size_t>
        known;
    for (const StoredTensor &tensor : tensors) {
        Pattern pattern = patternOf(tensor.name);
        const auto [at, isNew] =
            known.try_emplace({pattern.name, tensor.type.name, tensor.shape}, all.size());
        if (isNew) {
            if (all.size() == kMostGroups || pattern.name.size() > kLongestName ||
                tensor.shape.size() > kMostDimensions || pattern.layer >= kMostLayers)
                return Error{ErrorCode::Unsupported,
                             "The tensors have more than " + formatCount(kMostGroups) +
                                 " kinds of names, or a name, number or shape that no model has (" +
                                 excerpt(tensor.name, 120) + "): a plan cannot hold their table."};
            all.push_back({&tensor, std::move(pattern.name), {}});
        }
        ++all[at->second].layers[pattern.layer];
    }
    std::vector<TensorGroup> groups;
    for (const Collected &collected : all)
        addGroups(groups, collected);
    if (groups.size() > kMostGroups)
        return Error{ErrorCode::Unsupported, "The tensors have more than " +
                                                 formatCount(kMostGroups) +
                                                 " kinds: a plan cannot hold their table."};
    return groups;
}

std::string checkpointJson(const CheckpointTable &table)
{
    Json json;
    json["files"] = table.files;
    json["file_bytes"] = table.fileBytes;
    json["largest_file_bytes"] = table.largestFileBytes;
    Json &tensors = json["tensors"] = Json::array();
    for (const TensorGroup &group : table.groups) {
        Json one{{"name", group.name}, {"dtype", group.type.name}, {"shape", group.shape}};
        if (!group.layers.empty())
            one["layers"] = group.layers;
        if (group.each != 1)
            one["each"] = group.each;
        tensors.push_back(std::move(one));
    }
    return jsonText(json);
}

Result<CheckpointTable> parseCheckpoint(std::string_view text)
{
    if (const auto checked = checkJson(text); !checked)
        return checked.error();
    const Json json = parsedJson(text);
    if (!json.is_object())
        return invalid("must be the object that an import writes.");
    return TableReader().read(json);
}

} // namespace vramscope
