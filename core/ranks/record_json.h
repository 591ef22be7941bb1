// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json_text.h"
#include "core/ranks/record_value.h"
#include "core/ranks/run_records.h"
#include "core/trace/trace.h"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace vramscope {

// What reading and writing records have in common. Not for headers.

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
    explicit RecordFields(RecordValue object)
        : m_members(object.members())
    {
    }

    [[nodiscard]] bool has(std::string_view key) const { return !find(key).isNone(); }
    [[nodiscard]] RecordValue value(std::string_view key) const { return find(key); }

    std::int64_t integer(const char *key, std::int64_t least = kLeast, std::int64_t most = kMost)
    {
        return integerIn(find(key), key, least, most);
    }
    std::optional<std::int64_t> maybe(const char *key, std::int64_t least = kLeast)
    {
        const RecordValue value = find(key);
        return value.isNull() ? std::nullopt : std::optional(integerIn(value, key, least, kMost));
    }
    EventIndex event(const char *key)
    {
        return static_cast<EventIndex>(integer(key, -1, std::numeric_limits<EventIndex>::max()));
    }
    std::string text(const char *key) { return textIn(find(key), key); }
    std::string textOrNull(const char *key)
    {
        return find(key).isNull() ? std::string() : text(key);
    }
    bool flag(const char *key) { return flagIn(find(key), key); }
    double share(const char *key)
    {
        if (const auto number = find(key).number())
            return *number;
        return wrong(key, "a number"), 0;
    }
    std::vector<RecordValue> array(const char *key)
    {
        const RecordValue value = find(key);
        if (!value.isList())
            wrong(key, "a list");
        return value.elements();
    }
    RecordFields object(const char *key)
    {
        const RecordValue value = find(key);
        if (!value.isObject())
            wrong(key, "an object");
        return RecordFields(value);
    }
    std::optional<SiteId> siteOrNull(const char *key)
    {
        const RecordValue value = find(key);
        return value.isNull() ? std::nullopt : std::optional(siteIn(value, key));
    }

    // The same of a value in a list.
    std::int64_t integerIn(RecordValue value, const char *key, std::int64_t least = kLeast,
                           std::int64_t most = kMost)
    {
        const auto number = value.integer();
        if (!number || *number < least || *number > most)
            return wrong(key, "a whole number in its range"),
                   std::clamp(number.value_or(0), least, most);
        return *number;
    }
    bool flagIn(RecordValue value, const char *key)
    {
        if (const auto flag = value.flag())
            return *flag;
        return wrong(key, "true or false"), false;
    }
    SiteId siteIn(RecordValue value, const char *key)
    {
        const auto text = value.plainText();
        const auto site = text ? SiteId::fromText(*text) : std::nullopt;
        if (!site)
            wrong(key, "a site of 32 hexadecimal digits");
        return site.value_or(SiteId{});
    }
    std::string textIn(RecordValue value, const char *key)
    {
        if (auto text = value.text())
            return *std::move(text);
        return wrong(key, "a text"), std::string();
    }
    /// A list in a list, with so many values; null where it is none. Holds until the next call.
    const std::vector<RecordValue> *row(RecordValue value, const char *key, std::size_t count)
    {
        value.elements(m_row);
        if (value.isList() && m_row.size() == count)
            return &m_row;
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
    /// None where there is no such key, which has no escapes.
    [[nodiscard]] RecordValue find(std::string_view key) const
    {
        for (const auto &[name, value] : m_members) {
            if (name.plainText() == key)
                return value;
        }
        return {};
    }

    std::vector<std::pair<RecordValue, RecordValue>> m_members;
    std::vector<RecordValue> m_row;
    std::string m_error;
};

/// The problems of a recording: [[kind, count, first offset or -1], …].
[[nodiscard]] inline RecordJson problemRows(const std::vector<Problem> &problems)
{
    RecordJson rows = RecordJson::array();
    for (const Problem &each : problems)
        rows.push_back({each.kind, each.count, each.firstOffset});
    return rows;
}
/// What problemRows() wrote, under "problems".
[[nodiscard]] inline std::vector<Problem> readProblems(RecordFields &fields)
{
    constexpr const char *kKey = "problems";
    std::vector<Problem> problems;
    for (const RecordValue value : fields.array(kKey)) {
        const auto *row = fields.row(value, kKey, 3);
        if (row == nullptr)
            break;
        problems.push_back({fields.textIn((*row)[0], kKey), fields.integerIn((*row)[1], kKey, 0),
                            fields.integerIn((*row)[2], kKey, -1)});
    }
    return problems;
}

// The records of a profiler trace. Not for headers.

/// Add the members of the records "profile" and "calls" to their heads.
void addProfile(RecordJson &json, const ProfileSummary &profile);
void addCalls(RecordJson &json, const ProfileSummary &profile);

/// What they hold; `fields` remembers what is wrong.
void readProfile(RecordFields &fields, ProfileSummary &profile);
void readCalls(RecordFields &fields, ProfileSummary &profile);

} // namespace vramscope
