// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/formats.h"

#include "core/base/in_steps.h"
#include "core/readers/cancel_guard.h"
#include "core/readers/decimal.h"
#include "core/readers/json_problems.h"
#include "core/trace/series_builder.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <limits>
#include <span>

namespace vramscope {

namespace {

using Json = nlohmann::json;

/// In the order of the profiler's own numbers.
constexpr std::array<const char *, 8> kCategories = {
    "parameter",  "optimizer_state", "input",           "temporary",
    "activation", "gradient",        "autograd_detail", "unknown"};
constexpr std::size_t kUnknown = kCategories.size() - 1;
using Sizes = std::array<Bytes, kCategories.size()>;

// PREEXISTING, CREATE, INCREMENT_VERSION and DESTROY; an event's bytes are already signed.
constexpr std::int64_t kLeastAction = 1;
constexpr std::int64_t kLastAction = 4;

constexpr std::int64_t kNoWholeNumber = std::numeric_limits<std::int64_t>::min();

/// Bytes by category at a time in nanoseconds; for an event its changes.
struct Row
{
    std::int64_t time = 0;
    Sizes sizes{};
};

struct RawEvent
{
    std::int64_t time = 0; // nanoseconds; negative: before the recording
    Bytes bytes = 0;
    std::size_t category = kUnknown;
};

/// Takes the tokens of the file. The second inner list shows which of the two layouts it has: it
/// begins with a number, an event, or with a list, the first row of sizes.
class TimelineHandler
{
public:
    TimelineHandler(SeriesBuilder &builder, const JsonRepair &text)
        : m_builder(builder)
        , m_text(text)
    {
    }

    bool null() { return number(kNoWholeNumber); }
    bool boolean(bool) { return unexpected(); }
    bool number_integer(Json::number_integer_t value) { return number(value); }
    bool number_unsigned(Json::number_unsigned_t value)
    {
        return number(value > std::uint64_t(std::numeric_limits<std::int64_t>::max())
                          ? kNoWholeNumber
                          : static_cast<std::int64_t>(value));
    }
    bool number_float(Json::number_float_t, const std::string &text)
    {
        return number(scaledDecimal(text, 0).value_or(kNoWholeNumber));
    }
    bool string(std::string &) { return unexpected(); }
    bool binary(Json::binary_t &) { return unexpected(); }
    bool start_object(std::size_t) { return unexpected(); }
    bool key(std::string &) { return unexpected(); }
    bool end_object() { return unexpected(); }
    bool start_array(std::size_t);
    bool end_array();
    bool parse_error(std::size_t, const std::string &, const nlohmann::detail::exception &)
    {
        m_failed = true;
        return false;
    }

    [[nodiscard]] JsonOutcome outcome() const
    {
        if (!m_failed)
            return JsonOutcome::Read;
        if (m_complete)
            return JsonOutcome::Surplus;
        return m_text.ended() ? JsonOutcome::Ended : JsonOutcome::Abandoned;
    }
    /// True if the file had something that neither layout has.
    [[nodiscard]] bool foreign() const { return m_foreign; }
    /// The rows by time, as cumulated sizes. Empty without rows; false if `tick` stops it.
    [[nodiscard]] bool takeRows(std::vector<Row> &rows, const Tick &tick);

private:
    bool number(std::int64_t value);
    bool unexpected()
    {
        m_foreign = true;
        return false;
    }
    void addEvent();
    void addRow();
    bool addTable(std::vector<Row> &rows, const Tick &tick);
    bool replay(std::vector<Row> &rows, const Tick &tick);

    SeriesBuilder &m_builder;
    const JsonRepair &m_text;
    std::vector<std::int64_t> m_list;  // the inner list being read
    std::vector<std::int64_t> m_times; // microseconds
    std::vector<Sizes> m_sizes;
    std::vector<RawEvent> m_events;
    int m_depth = 0;
    int m_lists = 0; // inner lists so far
    bool m_isTable = false;
    bool m_failed = false;
    bool m_complete = false;
    bool m_foreign = false;
};

bool TimelineHandler::start_array(std::size_t)
{
    ++m_depth;
    if (m_depth == 2) {
        if (m_lists++ > 0 && m_isTable)
            return unexpected();
        if (m_lists != 2)
            m_list.clear();
    } else if (m_depth == 3) {
        if (m_lists != 2 || !m_events.empty())
            return unexpected();
        if (!std::exchange(m_isTable, true))
            m_times = std::move(m_list);
        m_list.clear();
    } else if (m_depth > 3) {
        return unexpected();
    }
    return true;
}

bool TimelineHandler::number(std::int64_t value)
{
    if (m_depth < 2 || (m_isTable && m_depth == 2))
        return unexpected();
    if (m_depth == 2 && m_lists == 2 && m_events.empty()) { // so the first list was an event
        addEvent();
        m_list.clear();
    }
    // An event has four numbers and a row nine; only a list of times has more.
    if (m_depth == 2 && m_lists > 1 && m_list.size() == 4)
        return unexpected();
    if (m_depth == 2 || m_list.size() <= kCategories.size())
        m_list.push_back(value);
    return true;
}

bool TimelineHandler::end_array()
{
    if (m_depth == 3) {
        addRow();
    } else if (m_depth == 2 && m_lists > 1 && !m_isTable) {
        if (m_list.empty() && m_lists == 2) { // times of nothing
            m_isTable = true;
        } else {
            addEvent();
            m_list.clear();
        }
    }
    --m_depth;
    m_complete = m_depth == 0;
    return true;
}

void TimelineHandler::addRow()
{
    Sizes sizes{};
    // The first number is the ground line of a stacked drawing.
    const bool isWhole = m_list.size() == kCategories.size() + 1 &&
                         std::ranges::find(m_list, kNoWholeNumber) == m_list.end();
    if (isWhole)
        std::copy(m_list.begin() + 1, m_list.end(), sizes.begin());
    else
        m_builder.addProblem("A row has other than nine numbers; it was taken as the row before.",
                             m_text.offset());
    m_sizes.push_back(isWhole || m_sizes.empty() ? sizes : Sizes(m_sizes.back()));
    m_list.clear();
}

void TimelineHandler::addEvent()
{
    RawEvent event;
    const bool isEvent = m_list.size() == 4 && m_list[0] != kNoWholeNumber &&
                         m_list[2] != kNoWholeNumber && m_list[1] >= kLeastAction &&
                         m_list[1] <= kLastAction;
    if (!isEvent) {
        m_builder.addProblem("An event has other than four numbers or an unknown action; it was "
                             "left out.",
                             m_text.offset());
        event.time = -1;
    } else {
        event.time = m_list[0];
        event.bytes = m_list[2];
        const bool known = m_list[3] >= 0 && m_list[3] < std::int64_t(kCategories.size());
        event.category = known ? static_cast<std::size_t>(m_list[3]) : kUnknown;
        if (!known)
            m_builder.addProblem("An event has an unknown category.", m_text.offset());
    }
    m_events.push_back(event);
}

bool TimelineHandler::takeRows(std::vector<Row> &rows, const Tick &tick)
{
    // The first list waits for the second one to show what it is.
    const bool waits = !m_isTable && m_events.empty() && (m_lists == 2 || m_depth < 2);
    if (waits && m_list.size() == 4)
        addEvent();
    return m_isTable ? addTable(rows, tick) : replay(rows, tick);
}

bool TimelineHandler::addTable(std::vector<Row> &rows, const Tick &tick)
{
    if (m_times.size() != m_sizes.size())
        m_builder.addProblem("There are not as many times as rows of sizes; the rest was left "
                             "out.");
    const std::size_t count = std::min(m_times.size(), m_sizes.size());
    rows.reserve(count);
    auto time = m_times.cbegin();
    const bool complete =
        forEachInSteps(std::span(m_sizes).first(count), tick, [&](const Sizes &sizes) {
            const std::int64_t microseconds = *time++;
            Row row{0, sizes};
            if (microseconds == kNoWholeNumber ||
                __builtin_mul_overflow(microseconds, std::int64_t(1000), &row.time))
                m_builder.addProblem("A time is no number; its row was left out.");
            else
                rows.push_back(row);
        });
    m_times = {};
    m_sizes = {};
    const auto earlier = [](const Row &a, const Row &b) { return a.time < b.time; };
    return complete && sortInSteps(rows, earlier, tick);
}

bool TimelineHandler::replay(std::vector<Row> &rows, const Tick &tick)
{
    const auto earlier = [](const RawEvent &a, const RawEvent &b) { return a.time < b.time; };
    if (!sortInSteps(m_events, earlier, tick))
        return false;
    const auto recorded =
        std::ranges::find_if(m_events, [](const RawEvent &event) { return event.time >= 0; });
    const std::int64_t begin = recorded == m_events.end() ? 0 : recorded->time;
    Sizes sizes{};
    const bool complete = forEachInSteps(m_events, tick, [&](const RawEvent &event) {
        const std::int64_t time = std::max(event.time, begin);
        if (rows.empty() || rows.back().time != time)
            rows.push_back({time, sizes});
        sizes[event.category] = wrappingSum(sizes[event.category], event.bytes);
        rows.back().sizes = sizes;
    });
    m_events = {};
    return complete;
}

/// Fills the columns of the one device; false if `tick` stops it.
bool fill(SeriesDevice &device, const std::vector<Row> &rows, const Tick &tick)
{
    device.kind = DeviceKind::Other;
    device.label = "device"; // the file does not say which
    device.bytes.push_back({"total", CurveRole::Allocated, {}});
    for (const char *name : kCategories)
        device.bytes.push_back({name, CurveRole::Category, {}});
    return forEachInSteps(rows, tick, [&](const Row &row) {
        device.time.push_back(row.time);
        Bytes total = 0;
        for (std::size_t at = 0; at < kCategories.size(); ++at) {
            total = wrappingSum(total, row.sizes[at]);
            device.bytes[at + 1].values.push_back(row.sizes[at]);
        }
        device.bytes[0].values.push_back(total);
    });
}

} // namespace

Result<std::shared_ptr<const Series>> readMemoryTimeline(ByteWindow &input,
                                                         const Progress &progress)
{
    constexpr std::int64_t kYear2001 = 1'000'000'000'000'000'000;
    SeriesBuilder builder("memory-timeline");
    const Tick tick = [&] { return !progress || progress(input.fraction()); };
    JsonRepair text(input, tick);
    TimelineHandler handler(builder, text);
    (void)Json::sax_parse(text.begin(), text.end(), &handler);
    if (text.stopped())
        return readingCancelled();
    if (!input.status().ok() && input.status().error().code != ErrorCode::Truncated)
        return input.status().error();
    if (handler.foreign())
        return Error{ErrorCode::Malformed,
                     "This is not what export_memory_timeline() of torch.profiler writes, a list "
                     "of times beside a list of sizes or a list of events; write it again.",
                     text.offset()};
    const auto stop = jsonStop(handler.outcome(), text.offset());
    std::vector<Row> rows;
    if (!handler.takeRows(rows, tick))
        return readingCancelled();
    if (rows.empty())
        return Error{stop ? stop->code : ErrorCode::Empty,
                     "The memory timeline has no complete sample; write it again."};
    addJsonProblems(builder, &text, stop);
    builder.setClock(rows.front().time >= kYear2001 ? Clock::Epoch : Clock::Relative);
    SeriesDevice device;
    if (!fill(device, rows, tick))
        return readingCancelled();
    builder.addDevice(std::move(device));
    for (const std::string &anomaly : input.anomalies())
        builder.addProblem(anomaly);
    return builder.finish();
}

} // namespace vramscope
