// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/in_steps.h"
#include "core/trace/series_builder.h"

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace vramscope::chrome {

/// A number that an event does not have.
inline constexpr std::int64_t kNone = kNoBytes;

/// What one event of a Chrome trace says, as far as it is of use here. Times are nanoseconds.
struct Event
{
    char phase = 0;
    std::string category;
    std::string name;
    std::int64_t process = kNone;
    std::int64_t thread = kNone;
    std::int64_t time = kNone;
    std::int64_t duration = kNone;
    // Of its arguments:
    std::int64_t bytes = kNone;
    std::int64_t address = kNone;
    std::int64_t allocated = kNone;
    std::int64_t reserved = kNone;
    std::int64_t deviceId = kNone;
    std::int64_t deviceType = kNone;
    std::int64_t index = kNone; ///< "Ev Idx"
    std::int64_t device = kNone;
    std::int64_t stream = kNone;
    std::int64_t correlation = kNone;

    /// Empty again, keeping the memory of its texts.
    void clear();
};

/// Keeps what is wanted of the events, in any order, and makes the devices and spans of a Series of
/// it.
class EventStore
{
public:
    explicit EventStore(SeriesBuilder &builder)
        : m_builder(builder)
    {
    }

    /// `offset`: about where in the file, for problems.
    void add(const Event &event, std::int64_t offset);
    [[nodiscard]] std::int64_t count() const { return m_count; }
    /// Some time on the clock of the events; kNone where none has a time.
    [[nodiscard]] std::int64_t someTime() const { return m_someTime; }

    /// Adds devices and spans to the builder, times moved by `base`. Calls tick() every few
    /// milliseconds, and gives up, with false, when that says so.
    [[nodiscard]] bool finish(std::int64_t base, std::span<const DeviceDescription> descriptions,
                              const Tick &tick);

private:
    struct Operator
    {
        std::int64_t start;
        std::int64_t end;
        std::uint32_t thread;
        StringId name;
    };
    struct Sample
    {
        std::int64_t time;
        std::int64_t order; // of equal times
        Bytes bytes;
        std::int64_t address;
        Bytes allocated;
        Bytes reserved;
        std::uint32_t device;
        std::uint32_t thread;
        StringId operation;
        bool failed;
    };
    using DeviceKey = std::pair<std::int64_t, std::int64_t>; // type, id

    void addSample(const Event &event, bool failed, std::int64_t offset);
    void addSpan(const Event &event, SpanKind kind);
    std::uint32_t thread(const Event &event);
    bool findOperators(const Tick &tick);
    bool addDevice(DeviceKey key, std::span<const Sample> samples,
                   std::span<const DeviceDescription> descriptions, const Tick &tick);

    SeriesBuilder &m_builder;
    std::vector<Operator> m_operators;
    std::vector<Sample> m_samples;
    std::vector<Span> m_spans;
    std::map<DeviceKey, std::uint32_t> m_devices;
    std::map<std::pair<std::int64_t, std::int64_t>, std::uint32_t> m_threads;
    std::int64_t m_count = 0;
    std::int64_t m_someTime = kNone;
};

} // namespace vramscope::chrome
