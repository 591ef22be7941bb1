// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/profile_builder.h"
#include "core/readers/json_scan.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

namespace vramscope::chrome {

/// The keys of an event's arguments that are used, by length. PyTorch 1.8 writes "external id" and
/// "Input dims".
inline constexpr std::array<std::string_view, 35> kArguments{"Seq",
                                                             "Addr",
                                                             "name",
                                                             "grid",
                                                             "Bytes",
                                                             "block",
                                                             "bytes",
                                                             "dtype",
                                                             "device",
                                                             "stream",
                                                             "Ev Idx",
                                                             "Device Id",
                                                             "Input Dims",
                                                             "Input dims",
                                                             "Input type",
                                                             "Call stack",
                                                             "Group size",
                                                             "correlation",
                                                             "External id",
                                                             "external id",
                                                             "Device Type",
                                                             "In split size",
                                                             "In msg nelems",
                                                             "Fwd thread id",
                                                             "shared memory",
                                                             "Out msg nelems",
                                                             "Total Reserved",
                                                             "Total Allocated",
                                                             "Sequence number",
                                                             "Collective name",
                                                             "Module Hierarchy",
                                                             "Process Group Name",
                                                             "Process Group Ranks",
                                                             "registers per thread",
                                                             "est. achieved occupancy %"};

/// A place in kArguments.
enum class Argument : std::uint8_t { None = kArguments.size() };

/// "Ev Idx"_arg; a key missing from kArguments does not compile.
[[nodiscard]] consteval Argument operator""_arg(const char *letters, std::size_t size)
{
    std::size_t at = 0;
    while (kArguments[at] != std::string_view(letters, size)) // past the end: no constant
        ++at;
    return static_cast<Argument>(at);
}

/// Where the keys of each length begin in kArguments; the last is longest.
inline constexpr auto kArgumentsByLength = [] {
    std::array<std::uint8_t, kArguments.back().size() + 2> first{};
    for (const std::string_view key : kArguments) {
        for (std::size_t length = key.size() + 1; length < first.size(); ++length)
            ++first[length];
    }
    return first;
}();
static_assert(std::ranges::is_sorted(kArguments, {},
                                     [](std::string_view key) { return key.size(); }));

[[nodiscard]] inline Argument argumentOf(std::string_view key)
{
    if (key.size() > kArguments.back().size())
        return Argument::None;
    const std::size_t last = kArgumentsByLength[key.size() + 1];
    for (std::size_t at = kArgumentsByLength[key.size()]; at < last; ++at) {
        if (kArguments[at] == key)
            return static_cast<Argument>(at);
    }
    return Argument::None;
}

/// What the category of an event means.
struct Category
{
    ProfileEventKind kind = ProfileEventKind::Other;
    WorkKind work = WorkKind::Kernel;
    RangeKind range = RangeKind::User;
};

/// Covers the names of PyTorch 1.8 to 1.11 and later ones, of every vendor.
[[nodiscard]] Category categoryOf(std::string_view category);

/// A JSON value in the format of Python's json.dumps(): one space after commas and colons, and
/// non-ASCII characters escaped. `value` is JSON already; numbers with a fraction stay unchanged.
[[nodiscard]] std::string asPythonWrites(std::string_view value);

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
