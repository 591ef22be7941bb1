// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json_text.h"
#include "core/ranks/run_records.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <limits>
#include <optional>
#include <string>

// What reading and writing records have in common. Not for headers.

namespace vramscope {

/// Its objects are sorted by key: each value has one text.
using RecordJson = nlohmann::json;

[[nodiscard]] inline std::string recordLine(const RecordJson &json)
{
    return json.dump(-1, ' ', false, RecordJson::error_handler_t::replace);
}

template<class T>
[[nodiscard]] RecordJson jsonOrNull(const std::optional<T> &value)
{
    return value ? RecordJson(*value) : RecordJson();
}

/// The record that an object is, which has a "kind" and a "source".
[[nodiscard]] RunRecord recordWithSource(const RecordJson &json, const SourceStamp &stamp,
                                         std::int64_t device);
/// … or that has no source.
[[nodiscard]] RunRecord recordWithoutSource(const RecordJson &json);
/// What tells records of one source apart; sorts by device.
[[nodiscard]] std::string recordKey(std::string_view kind, std::int64_t device,
                                    std::string_view moment);

/// Takes values out of an object, and remembers the first that is not what it should be.
class RecordFields
{
    static constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
    static constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();

public:
    explicit RecordFields(const RecordJson &object)
        : m_object(object)
    {
    }

    std::int64_t integer(const char *key, std::int64_t least = kLeast, std::int64_t most = kMost)
    {
        return integerIn(find(key), key, least, most);
    }
    std::optional<std::int64_t> maybe(const char *key, std::int64_t least = kLeast)
    {
        const RecordJson &value = find(key);
        return value.is_null() ? std::nullopt : std::optional(integerIn(value, key, least, kMost));
    }
    EventIndex event(const char *key)
    {
        return static_cast<EventIndex>(integer(key, -1, std::numeric_limits<EventIndex>::max()));
    }
    std::string text(const char *key)
    {
        const RecordJson &value = find(key);
        if (const auto *text = value.get_ptr<const std::string *>())
            return *text;
        return wrong(key, "a text"), std::string();
    }
    std::string textOrNull(const char *key)
    {
        return find(key).is_null() ? std::string() : text(key);
    }
    bool flag(const char *key)
    {
        const RecordJson &value = find(key);
        if (const auto *flag = value.get_ptr<const bool *>())
            return *flag;
        return wrong(key, "true or false"), false;
    }
    double share(const char *key)
    {
        const RecordJson &value = find(key);
        if (value.is_number())
            return value.get<double>();
        return wrong(key, "a number"), 0;
    }
    const RecordJson &array(const char *key)
    {
        const RecordJson &value = find(key);
        if (value.is_array())
            return value;
        static const RecordJson empty = RecordJson::array();
        return wrong(key, "a list"), empty;
    }
    RecordFields object(const char *key)
    {
        const RecordJson &value = find(key);
        if (value.is_object())
            return RecordFields(value);
        static const RecordJson empty = RecordJson::object();
        wrong(key, "an object");
        return RecordFields(empty);
    }
    std::optional<SiteId> siteOrNull(const char *key)
    {
        const RecordJson &value = find(key);
        return value.is_null() ? std::nullopt : std::optional(siteIn(value, key));
    }

    // The same of a value in a list.
    std::int64_t integerIn(const RecordJson &value, const char *key, std::int64_t least = kLeast,
                           std::int64_t most = kMost)
    {
        const bool fits = value.is_number_integer() &&
                          (!value.is_number_unsigned() ||
                           value.get<std::uint64_t>() <= static_cast<std::uint64_t>(kMost));
        const std::int64_t number = fits ? value.get<std::int64_t>() : 0;
        if (!fits || number < least || number > most)
            return wrong(key, "a whole number in its range"), std::clamp(number, least, most);
        return number;
    }
    SiteId siteIn(const RecordJson &value, const char *key)
    {
        const auto *text = value.get_ptr<const std::string *>();
        const auto site = text != nullptr ? SiteId::fromText(*text) : std::nullopt;
        if (!site)
            wrong(key, "a site of 32 hexadecimal digits");
        return site.value_or(SiteId{});
    }
    const std::string &textIn(const RecordJson &value, const char *key)
    {
        static const std::string empty;
        if (const auto *text = value.get_ptr<const std::string *>())
            return *text;
        return wrong(key, "a text"), empty;
    }
    /// A list in a list, with so many values.
    const RecordJson *row(const RecordJson &value, const char *key, std::size_t count)
    {
        if (value.is_array() && value.size() == count)
            return &value;
        return wrong(key, "lists of " + std::to_string(count) + " values"), nullptr;
    }

    void wrong(const char *key, const std::string &wanted)
    {
        if (m_error.empty())
            m_error = std::string("Its \"") + key + "\" should be " + wanted + ".";
    }
    void take(const RecordFields &other)
    {
        if (m_error.empty())
            m_error = other.m_error;
    }
    [[nodiscard]] Result<void> outcome() const
    {
        if (m_error.empty())
            return {};
        return invalid(m_error);
    }

private:
    const RecordJson &find(const char *key) const
    {
        static const RecordJson none;
        const auto found = m_object.find(key);
        return found == m_object.end() ? none : *found;
    }

    const RecordJson &m_object;
    std::string m_error;
};

} // namespace vramscope
