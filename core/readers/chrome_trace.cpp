// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/chrome_trace.h"

#include "core/readers/chrome_events.h"
#include "core/readers/decimal.h"
#include "core/readers/json_capture.h"
#include "core/readers/json_problems.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>

namespace vramscope {

namespace {

using Json = nlohmann::json;
using chrome::kNone;

/// Where a number of an event belongs: the key of the event, or of its arguments.
enum class Field { None, Phase, Category, Name, Time, Duration, Identity, Number };

struct Place
{
    Field field = Field::None;
    std::int64_t chrome::Event::*number = nullptr;
};

Place eventPlace(std::string_view key)
{
    switch (key.size()) {
    case 2:
        if (key == "ph")
            return {Field::Phase};
        return key == "ts" ? Place{Field::Time, &chrome::Event::time} : Place{};
    case 3:
        if (key == "pid")
            return {Field::Identity, &chrome::Event::process};
        if (key == "tid")
            return {Field::Identity, &chrome::Event::thread};
        if (key == "dur")
            return {Field::Duration, &chrome::Event::duration};
        return key == "cat" ? Place{Field::Category} : Place{};
    case 4:
        return key == "name" ? Place{Field::Name} : Place{};
    default:
        return {};
    }
}

Place argumentPlace(std::string_view key)
{
    struct Row
    {
        std::string_view key;
        std::int64_t chrome::Event::*number;
    };
    static constexpr Row kRows[] = {
        {"Bytes", &chrome::Event::bytes},
        {"Addr", &chrome::Event::address},
        {"Total Allocated", &chrome::Event::allocated},
        {"Total Reserved", &chrome::Event::reserved},
        {"Device Id", &chrome::Event::deviceId},
        {"Device Type", &chrome::Event::deviceType},
        {"Ev Idx", &chrome::Event::index},
        {"device", &chrome::Event::device},
        {"stream", &chrome::Event::stream},
        {"correlation", &chrome::Event::correlation},
    };
    for (const Row &row : kRows) {
        if (row.key == key)
            return {Field::Number, row.number};
    }
    return {};
}

/// Which keys of a file are of use: of events only some, and none once it shows that the event is
/// of a kind that is not kept.
class WantedKeys
{
public:
    bool operator()(const JsonKey &key)
    {
        const std::size_t event = key.open[0] == '{' ? 3 : 2; // brackets around an event's keys
        if (key.open.size() == 1)
            m_inEvents = key.name == "traceEvents";
        if (key.open.size() < event || !(m_inEvents || key.open[0] == '['))
            return true;
        if (key.open.size() > event)
            return argumentPlace(key.name).field != Field::None;
        if (key.first)
            m_useless = false;
        if (m_useless)
            return false;
        const Field field = eventPlace(key.name).field;
        m_useless = (field == Field::Phase && !isUsefulPhase(key.value)) ||
                    (field == Field::Category && isUselessCategory(key.value));
        return field != Field::None || key.name == "args";
    }

private:
    static bool isUsefulPhase(std::string_view value)
    {
        return value.starts_with("\"X\"") || value.starts_with("\"i\"") ||
               value.starts_with("\"I\"");
    }
    static bool isUselessCategory(std::string_view value)
    {
        constexpr std::string_view kUseless[] = {
            "\"cuda_runtime\"", "\"cuda_driver\"", "\"python_function\"",
            "\"overhead\"",     "\"Runtime\"",     "\"hip_runtime\"",
            "\"ac2g\"",         "\"fwdbwd\"",      "\"async_cpu_to_gpu\""};
        return std::ranges::any_of(kUseless,
                                   [&](std::string_view one) { return value.starts_with(one); });
    }

    bool m_inEvents = false;
    bool m_useless = false; // the event whose keys are read
};

std::int64_t numberOf(std::string_view text)
{
    std::int64_t number = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
    return read.ec == std::errc() && read.ptr == text.data() + text.size() ? number : kNone;
}

/// A process or thread that is not numbered still is one of its own.
std::int64_t identityOf(std::string_view text)
{
    const std::int64_t number = numberOf(text);
    return number != kNone
               ? number
               : -2 - static_cast<std::int64_t>(std::hash<std::string_view>()(text) >> 2);
}

/// Takes the tokens of the file: events to the store, other top-level values as facts.
class TraceHandler
{
public:
    TraceHandler(SeriesBuilder &builder, const JsonRepair &text)
        : m_events(builder)
        , m_builder(builder)
        , m_text(text)
    {
    }

    // What nlohmann's parser calls.
    bool null() { return word("null", kNone); }
    bool boolean(bool value) { return word(value ? "true" : "false", kNone); }
    bool number_integer(Json::number_integer_t value) { return integer(value); }
    bool number_unsigned(Json::number_unsigned_t value);
    bool number_float(Json::number_float_t, const std::string &text);
    bool string(std::string &text);
    bool binary(Json::binary_t &) { return true; }
    bool start_object(std::size_t);
    bool key(std::string &name);
    bool end_object();
    bool start_array(std::size_t);
    bool end_array();
    bool parse_error(std::size_t, const std::string &, const nlohmann::detail::exception &);

    [[nodiscard]] bool foundEvents() const { return m_eventDepth > 0; }
    [[nodiscard]] JsonOutcome outcome() const
    {
        if (!m_failed)
            return JsonOutcome::Read;
        return m_complete ? JsonOutcome::Surplus : JsonOutcome::Abandoned;
    }
    [[nodiscard]] chrome::EventStore &events() { return m_events; }
    [[nodiscard]] const std::string &deviceProperties() const { return m_deviceProperties; }
    [[nodiscard]] const std::string &distributedInfo() const { return m_distributedInfo; }
    [[nodiscard]] std::int64_t base() const { return m_base; }

private:
    bool integer(std::int64_t value);
    bool word(std::string_view text, std::int64_t value);
    void set(std::int64_t value);
    void finishFact();

    chrome::EventStore m_events;
    SeriesBuilder &m_builder;
    const JsonRepair &m_text;
    chrome::Event m_event;
    Place m_place;
    JsonCapture m_capture;
    std::string m_fact; // the top-level key whose value is captured
    std::string m_deviceProperties;
    std::string m_distributedInfo;
    std::int64_t m_base = kNone;
    std::int64_t m_factCount = 0;
    int m_depth = 0;
    int m_eventDepth = 0; // open brackets within an event; 0: the events have not begun
    bool m_inEvents = false;
    bool m_inArguments = false;
    bool m_capturing = false;
    bool m_failed = false;
    bool m_complete = false; // the outermost bracket was closed
};

void TraceHandler::set(std::int64_t value)
{
    if (m_place.number != nullptr)
        m_event.*m_place.number = value;
    m_place = {};
}

bool TraceHandler::integer(std::int64_t value)
{
    if (m_capturing)
        return word(std::to_string(value), value);
    if (m_place.field == Field::Time || m_place.field == Field::Duration) {
        if (__builtin_mul_overflow(value, std::int64_t(1000), &value))
            value = kNone;
    }
    set(value);
    return true;
}

bool TraceHandler::number_unsigned(Json::number_unsigned_t value)
{
    if (m_capturing)
        return word(std::to_string(value), kNone);
    const auto number = static_cast<std::int64_t>(value);
    // Addresses and what names a thread use all 64 bits; of sizes and times this is none.
    const bool usesAllBits =
        m_place.field == Field::Identity || m_place.number == &chrome::Event::address;
    if (number >= 0 || usesAllBits)
        return integer(number);
    set(kNone);
    return true;
}

bool TraceHandler::word(std::string_view text, std::int64_t value)
{
    if (m_capturing) {
        m_capture.word(text);
        finishFact();
    } else {
        set(value);
    }
    return true;
}

bool TraceHandler::number_float(Json::number_float_t, const std::string &text)
{
    if (m_capturing)
        return word(text, kNone);
    const bool isTime = m_place.field == Field::Time || m_place.field == Field::Duration;
    if (m_place.number != nullptr)
        set(scaledDecimal(text, isTime ? 3 : 0).value_or(kNone));
    return true;
}

bool TraceHandler::string(std::string &text)
{
    if (m_capturing) {
        m_capture.string(text);
        finishFact();
        return true;
    }
    switch (m_place.field) {
    case Field::Phase:
        m_event.phase = text.empty() ? '\0' : text[0];
        break;
    case Field::Category:
        m_event.category.swap(text);
        break;
    case Field::Name:
        m_event.name.swap(text);
        break;
    case Field::Time:
    case Field::Duration:
        set(scaledDecimal(text, 3).value_or(kNone));
        break;
    case Field::Identity:
        set(identityOf(text));
        break;
    case Field::Number:
        set(numberOf(text));
        break;
    case Field::None:
        break;
    }
    m_place = {};
    return true;
}

bool TraceHandler::start_object(std::size_t)
{
    ++m_depth;
    if (m_capturing) {
        m_capture.open('{');
    } else if (m_inEvents && m_depth == m_eventDepth) {
        m_event.clear();
        m_inArguments = false;
    }
    m_place = {};
    return true;
}

bool TraceHandler::key(std::string &name)
{
    if (m_capturing) {
        m_capture.key(name);
    } else if (m_inEvents && m_depth == m_eventDepth) {
        m_place = eventPlace(name);
        m_inArguments = name == "args";
    } else if (m_inEvents && m_depth == m_eventDepth + 1 && m_inArguments) {
        m_place = argumentPlace(name);
    } else if (m_depth == 1 && name != "traceEvents") {
        m_fact = name;
        m_capture.clear();
        m_capturing = true;
    } else {
        m_fact.clear();
    }
    return true;
}

bool TraceHandler::end_object()
{
    if (m_capturing) {
        m_capture.close('}');
        --m_depth;
        finishFact();
        return true;
    }
    if (m_inEvents && m_depth == m_eventDepth)
        m_events.add(m_event, m_text.offset());
    --m_depth;
    m_complete = m_depth == 0;
    return true;
}

bool TraceHandler::start_array(std::size_t)
{
    ++m_depth;
    m_place = {};
    if (m_capturing) {
        m_capture.open('[');
    } else if (m_depth <= 2 && !m_inEvents && m_eventDepth == 0) { // the file, or "traceEvents"
        m_inEvents = true;
        m_eventDepth = m_depth + 1;
    }
    return true;
}

bool TraceHandler::end_array()
{
    if (m_capturing) {
        m_capture.close(']');
        --m_depth;
        finishFact();
        return true;
    }
    if (m_inEvents && m_depth == m_eventDepth - 1)
        m_inEvents = false;
    --m_depth;
    m_complete = m_depth == 0;
    return true;
}

bool TraceHandler::parse_error(std::size_t, const std::string &,
                               const nlohmann::detail::exception &)
{
    m_failed = true;
    return false;
}

void TraceHandler::finishFact()
{
    constexpr std::size_t kLongestFact = 4096;
    constexpr std::int64_t kMostFacts = 1000;
    if (!m_capture.complete())
        return;
    m_capturing = false;
    const std::string &text = m_capture.text();
    if (m_fact == "deviceProperties")
        m_deviceProperties = text;
    else if (m_fact == "distributedInfo")
        m_distributedInfo = text;
    else if (m_fact == "baseTimeNanoseconds")
        m_base = scaledDecimal(text, 0).value_or(kNone);
    if (text.empty() || text.size() > kLongestFact)
        return;
    if (m_factCount == kMostFacts) {
        m_builder.addProblem("Of more than 1,000 keys beside the events the further ones were left "
                             "out.",
                             m_text.offset());
        return;
    }
    ++m_factCount;
    m_builder.addFact(m_fact, text);
}

template<class T>
std::optional<T> member(const Json &object, const char *key)
{
    const auto found = object.find(key);
    if (found == object.end() || !found->is_number_integer())
        return {};
    return found->template get<T>();
}

std::vector<DeviceDescription> describedDevices(const std::string &text)
{
    std::vector<DeviceDescription> devices;
    const Json list = Json::parse(text, nullptr, false);
    if (!list.is_array())
        return devices;
    for (const Json &one : list) {
        const auto id = one.is_object() ? member<std::int64_t>(one, "id") : std::nullopt;
        if (!id || *id < 0 || *id > 0x7FFF)
            continue;
        DeviceDescription device;
        device.ordinal = static_cast<int>(*id);
        const auto name = one.find("name");
        if (name != one.end() && name->is_string())
            device.name = name->get<std::string>();
        device.total = member<std::int64_t>(one, "totalGlobalMem").value_or(kNoBytes);
        devices.push_back(std::move(device));
    }
    return devices;
}

void addRank(SeriesBuilder &builder, const std::string &text)
{
    const Json info = Json::parse(text, nullptr, false);
    if (!info.is_object())
        return;
    const auto of = [&](const char *key) {
        const std::int64_t value = member<std::int64_t>(info, key).value_or(-1);
        return value >= 0 && value < (1 << 30) ? static_cast<int>(value) : -1;
    };
    builder.setRank(of("rank"), of("world_size"));
}

/// Of times without a base, those after the year 2001 count from 1970, as before PyTorch 2.3.
Clock clockOf(std::int64_t base, std::int64_t someTime)
{
    constexpr std::int64_t kYear2001 = 1'000'000'000'000'000'000;
    if (base != kNone)
        return Clock::Epoch;
    return someTime != kNone && someTime >= kYear2001 ? Clock::Epoch : Clock::Relative;
}

} // namespace

Result<std::shared_ptr<const Series>> readChromeTrace(ByteWindow &input, const Progress &progress)
{
    constexpr double kReading = 0.95; // of the work
    const Error cancelled{ErrorCode::Cancelled, "Reading was cancelled."};
    SeriesBuilder builder("chrome-trace");
    JsonRepair text(input, [&] { return !progress || progress(kReading * input.fraction()); });
    text.setKeyFilter(WantedKeys());
    TraceHandler handler(builder, text);
    (void)Json::sax_parse(text.begin(), text.end(), &handler);
    if (text.stopped())
        return cancelled;
    if (!input.status().ok() && input.status().error().code != ErrorCode::Truncated)
        return input.status().error();
    const auto stop = jsonStop(handler.outcome(), text);
    if (!handler.foundEvents())
        return stop ? Error{stop->code,
                            "The file ends or is damaged before its first event; record it again.",
                            stop->offset}
                    : Error{ErrorCode::NotRecognized, "This JSON holds no traceEvents; open what "
                                                      "export_chrome_trace() of torch.profiler "
                                                      "wrote."};
    addJsonProblems(builder, text, stop);

    const auto descriptions = describedDevices(handler.deviceProperties());
    addRank(builder, handler.distributedInfo());
    builder.setClock(clockOf(handler.base(), handler.events().someTime()));
    const std::int64_t base = handler.base() == kNone ? 0 : handler.base();
    if (!handler.events().finish(base, descriptions,
                                 [&] { return !progress || progress(kReading); }))
        return cancelled;
    for (const DeviceDescription &device : descriptions)
        builder.addDescription(device);
    for (const std::string &anomaly : input.anomalies())
        builder.addProblem(anomaly);
    return builder.finish();
}

} // namespace vramscope
