// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/replayed/rehearsal.h"

#include "core/base/json_text.h"
#include "core/base/text.h"
#include "core/trace/trace_format.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace vramscope {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kLongestText = 400;
constexpr std::size_t kMostSentences = 200;

std::string textIn(const Json &json)
{
    return json.is_string()
               ? std::string(firstBytes(json.get_ref<const std::string &>(), kLongestText))
               : std::string();
}

std::string textOf(const Json &json, const char *key)
{
    const auto found = json.find(key);
    return found == json.end() ? std::string() : textIn(*found);
}

std::int64_t numberOf(const Json &json, const char *key, std::int64_t otherwise)
{
    const auto found = json.find(key);
    if (found == json.end() || !found->is_number_integer())
        return otherwise;
    const auto number = found->get<std::int64_t>(); // one beyond 63 bits becomes negative
    return number >= 0 ? number : otherwise;
}

std::vector<std::string> sentencesOf(const Json &json, const char *key)
{
    std::vector<std::string> sentences;
    const auto found = json.find(key);
    if (found == json.end() || !found->is_array())
        return sentences;
    for (const Json &each : *found) {
        std::string sentence = textIn(each);
        if (!sentence.empty() && sentences.size() < kMostSentences)
            sentences.push_back(std::move(sentence));
    }
    return sentences;
}

} // namespace

std::optional<Rehearsal> rehearsalOf(const Trace &trace)
{
    const auto extras = trace.extras();
    const auto found = std::ranges::find(extras, kRehearsedKey, &Setting::name);
    if (found == extras.end())
        return std::nullopt;
    const Json json = parsedJson(found->value);
    Rehearsal rehearsal;
    if (!json.is_object())
        return rehearsal;
    rehearsal.gpu = textOf(json, "gpu");
    rehearsal.torch = textOf(json, "torch");
    rehearsal.ended = textOf(json, "ended");
    rehearsal.rank = numberOf(json, "rank", 0);
    rehearsal.worldSize = numberOf(json, "world_size", 1);
    rehearsal.allocatorBytes = numberOf(json, "allocator_bytes", -1);
    rehearsal.lackedBytes = numberOf(json, "lacked_bytes", 0);
    if (const auto size = json.find("size"); size != json.end() && size->is_object()) {
        rehearsal.sizeName = textOf(*size, "name");
        rehearsal.size = numberOf(*size, "value", 0);
    }
    rehearsal.missing = sentencesOf(json, "missing");
    rehearsal.assumed = sentencesOf(json, "assumed");
    return rehearsal;
}

} // namespace vramscope
