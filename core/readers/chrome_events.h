// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/profile_builder.h"
#include "core/readers/chrome_names.h"
#include "core/readers/json_scan.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

namespace vramscope::chrome {

/// Reads the events of a Chrome trace from their text, one at a time, and hands them to a
/// ProfileBuilder.
class EventReader
{
public:
    /// `keepsPython`: Python functions become ranges instead of only being counted.
    EventReader(ProfileBuilder &builder, bool keepsPython)
        : m_builder(builder)
        , m_keepsPython(keepsPython)
    {
    }

    /// Reads the object at `scanner`. Unless the result is Done nothing was handed over. `offset`:
    /// the approximate place in the file, for problems.
    json::Scan read(json::Scanner &scanner, std::int64_t offset);
    /// The text of a value; a value of another type as Python writes it.
    [[nodiscard]] StringId textOf(const json::Value &value);

    /// Some time on the clock of the events; kNotStated if none has a time.
    [[nodiscard]] std::int64_t someTime() const { return m_someTime; }

private:
    [[nodiscard]] json::Value *field(std::string_view key);
    template<class Take>
    json::Scan forEachKey(json::Scanner &scanner, Take take);
    json::Scan readFields(json::Scanner &scanner, json::Value &arguments);
    json::Scan readArguments(json::Scanner &scanner);

    void commit(std::int64_t offset);
    void commitComplete();
    void commitMemory(bool failed, std::int64_t offset);
    void commitFlow();
    void addWorkArguments();
    void addOperatorArguments();

    [[nodiscard]] const json::Value *find(Argument argument) const;
    [[nodiscard]] Argument either(Argument first, Argument second) const;
    [[nodiscard]] std::int64_t number(Argument argument) const;
    [[nodiscard]] StringId text(Argument argument);
    [[nodiscard]] StringId list(Argument argument);
    [[nodiscard]] std::uint32_t thread();

    ProfileBuilder &m_builder;
    bool m_keepsPython;
    std::int64_t m_someTime = kNotStated;
    ProfileEvent m_event;
    // The values of the current event, at their places in its text:
    bool m_isSkipped = false; // a Python function, which is not wanted
    json::Value m_phase;
    json::Value m_category;
    json::Value m_name;
    json::Value m_process;
    json::Value m_thread;
    json::Value m_time;
    json::Value m_duration;
    json::Value m_id;
    std::uint64_t m_found = 0; // a bit for each of m_values that the event has
    std::array<json::Value, kArguments.size()> m_values;
    std::unordered_map<std::string, StringId> m_lists; // as written, and as json.dumps() writes it
    std::string m_listKey;
};

} // namespace vramscope::chrome
