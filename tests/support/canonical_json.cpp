// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/canonical_json.h"

#include <nlohmann/json.hpp>

#include <array>
#include <charconv>
#include <functional>

namespace vramscope::test {

namespace {

using Sorted = nlohmann::json;

Sorted sortedJson(std::string_view text)
{
    return Sorted::parse(text, nullptr, false);
}

/// Fractions as texts of six digits: one number has several texts.
void shortenFractions(Sorted &json)
{
    if (json.is_structured()) {
        for (Sorted &each : json)
            shortenFractions(each);
    } else if (json.is_number_float()) {
        std::array<char, 64> text{};
        const auto end = std::to_chars(text.data(), text.data() + text.size(), json.get<double>(),
                                       std::chars_format::general, 6);
        json = std::string(text.data(), end.ptr);
    }
}

} // namespace

std::string canonicalJson(std::string_view text)
{
    Sorted json = sortedJson(text);
    shortenFractions(json);
    return json.is_discarded() ? std::string() : json.dump();
}

std::string firstDifference(std::string_view a, std::string_view b)
{
    const Sorted one = sortedJson(a);
    const Sorted other = sortedJson(b);
    if (one.is_discarded() || other.is_discarded())
        return "one of them is no JSON";
    const Sorted changes = Sorted::diff(one, other);
    if (changes.empty())
        return {};
    const Sorted &first = changes.front();
    const Sorted::json_pointer path(first["path"].get<std::string>());
    return first["path"].get<std::string>() + ": " +
           (one.contains(path) ? one[path].dump() : "nothing") + " and " +
           (other.contains(path) ? other[path].dump() : "nothing");
}

std::string memberText(std::string_view object, const std::string &key)
{
    const Sorted json = sortedJson(object);
    return json.is_object() && json.contains(key) ? json[key].dump() : std::string();
}

std::string withoutMember(std::string_view text, const std::string &key)
{
    Sorted json = sortedJson(text);
    const std::function<void(Sorted &)> clean = [&](Sorted &value) {
        if (value.is_object())
            value.erase(key);
        if (value.is_structured()) {
            for (Sorted &each : value)
                clean(each);
        }
    };
    clean(json);
    return json.dump();
}

std::string withFirstRows(std::string_view object, std::size_t most)
{
    Sorted json = sortedJson(object);
    for (const char *key : {"kernels", "operators"}) {
        if (!json.is_object() || !json.contains(key))
            continue;
        Sorted &rows = json[key];
        while (rows.size() > most)
            rows.erase(rows.size() - 1);
    }
    return json.dump();
}

} // namespace vramscope::test
