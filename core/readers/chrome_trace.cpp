// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/formats.h"

#include "core/readers/cancel_guard.h"
#include "core/readers/chrome_events.h"
#include "core/readers/decimal.h"
#include "core/readers/json_problems.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstring>
#include <optional>
#include <string>

namespace vramscope {

namespace {

using Json = nlohmann::json;
using json::Scan;
using json::Scanner;
using json::Value;
using json::ValueType;

constexpr double kReading = 0.9; // of the work

/// JSON text without the white space between its tokens.
std::string compact(std::string_view text)
{
    std::string packed;
    bool inText = false;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const char c = text[at];
        if (inText && c == '\\' && at + 1 < text.size()) {
            packed += c;
            packed += text[++at];
            continue;
        }
        inText = inText != (c == '"');
        if (inText || (c != ' ' && c != '\n' && c != '\r' && c != '\t'))
            packed += c;
    }
    return packed;
}

/// A whole number, also written as a text.
std::int64_t numberOf(const Json &object, const char *key)
{
    const auto found = object.find(key);
    if (found == object.end())
        return kNotStated;
    if (found->is_number_integer() &&
        !(found->is_number_unsigned() && found->get<std::uint64_t>() > std::uint64_t(INT64_MAX)))
        return found->get<std::int64_t>();
    if (!found->is_string())
        return kNotStated;
    const auto &text = found->get_ref<const std::string &>();
    return json::wholeNumber({ValueType::Text, true, text}, kNotStated);
}

void addGpus(ProfileBuilder &builder, const std::string &text)
{
    const Json list = Json::parse(text, nullptr, false);
    if (!list.is_array())
        return;
    for (const Json &one : list) {
        if (!one.is_object())
            continue;
        ProfileGpu gpu;
        gpu.id = numberOf(one, "id");
        gpu.memory = numberOf(one, "totalGlobalMem");
        if (const auto name = one.find("name"); name != one.end() && name->is_string())
            gpu.name = name->get<std::string>();
        builder.addGpu(std::move(gpu));
    }
}

void addRank(ProfileBuilder &builder, const std::string &text)
{
    const Json info = Json::parse(text, nullptr, false);
    if (info.is_object())
        builder.setRank(numberOf(info, "rank"), numberOf(info, "world_size"));
}

/// Without a base, times after the year 2001 count from 1970, as before PyTorch 2.3.
Clock clockOf(std::int64_t base, std::int64_t someTime)
{
    constexpr std::int64_t kYear2001 = 1'000'000'000'000'000'000;
    if (base != kNotStated)
        return Clock::Epoch;
    return someTime >= kYear2001 ? Clock::Epoch : Clock::Relative;
}

/// Parses the file: events go to their reader, other top-level values become facts.
class TraceReader
{
public:
    TraceReader(ByteWindow &input, const Progress &progress, bool keepsPython)
        : m_file(input)
        , m_input(&input)
        , m_progress(progress)
        , m_events(m_builder, keepsPython)
    {
    }

    Result<std::shared_ptr<const Profile>> read();

private:
    enum class Step { Done, TooLong, Ended, Flawed, Cancelled };

    template<class Take>
    Step step(Take take);
    Step skipLong();
    bool fetchMore(std::size_t wanted);
    bool repairFromHere();
    [[nodiscard]] bool goesOn();
    [[nodiscard]] std::int64_t offset() const
    {
        return m_repaired ? m_repaired->offset() : m_file.offset();
    }

    JsonOutcome readAll();
    JsonOutcome readObject();
    JsonOutcome readEvents();
    JsonOutcome outcomeOf(Step step);
    void addFact(const std::string &name, const Value &value);

    ByteWindow &m_file;
    std::unique_ptr<JsonRepair> m_repaired; // from the first flaw on
    std::unique_ptr<ByteWindow> m_repairedInput;
    ByteWindow *m_input;
    const Progress &m_progress;
    std::int64_t m_nextAsked = 0;
    ProfileBuilder m_builder;
    chrome::EventReader m_events;
    std::string m_open; // brackets around the cursor
    bool m_foundEvents = false;
    bool m_isCancelled = false;
    std::int64_t m_eventCount = 0;
    std::int64_t m_factCount = 0;
    std::int64_t m_base = kNotStated;
    std::string m_gpus;
    std::string m_distributed;
};

bool TraceReader::goesOn()
{
    constexpr std::int64_t kEvery = std::int64_t(1) << 20; // bytes
    const std::int64_t at = m_input->offset();
    if (at >= m_nextAsked) {
        m_nextAsked = at + kEvery;
        m_isCancelled = m_progress && !m_progress(kReading * m_file.fraction());
    }
    return !m_isCancelled;
}

/// Reads until the window has `wanted` bytes or all that are left; false if nothing came.
bool TraceReader::fetchMore(std::size_t wanted)
{
    const std::size_t before = m_input->available();
    // The window cannot hold all of it: takes what there is.
    if (!m_input->ensure(wanted)) {
        while (m_input->available() < wanted && m_input->ensure(m_input->available() + 1)) {
        }
    }
    return m_input->available() > before;
}

/// Repairs the text from the cursor on as it is read; false if this is already so.
bool TraceReader::repairFromHere()
{
    if (m_repaired)
        return false;
    m_repaired = std::make_unique<JsonRepair>(m_file, JsonRepair::Tick(), m_open);
    m_repairedInput = std::make_unique<ByteWindow>(*m_repaired);
    m_input = m_repairedInput.get();
    m_nextAsked = 0;
    return true;
}

/// Lets `take` read something complete from the cursor on, with as much in the window as that
/// needs.
template<class Take>
TraceReader::Step TraceReader::step(Take take)
{
    constexpr std::size_t kLongest = JsonRepair::kLongestText;
    if (!goesOn())
        return Step::Cancelled;
    for (;;) {
        Scanner scanner(m_input->cursor(), m_input->end());
        scanner.skipSpace(); // which may be more than a window holds
        m_input->advance(static_cast<std::size_t>(scanner.at() - m_input->cursor()));
        const Scan scan = take(scanner);
        if (scan == Scan::Done) {
            m_input->advance(static_cast<std::size_t>(scanner.at() - m_input->cursor()));
            return Step::Done;
        }
        if (scan == Scan::Flawed && !repairFromHere())
            return Step::Flawed;
        if (scan == Scan::Flawed)
            continue;
        const std::size_t available = m_input->available();
        if (available > kLongest)
            return Step::TooLong;
        if (!fetchMore(std::max(2 * available, ByteWindow::kDefaultSize / 2)))
            return Step::Ended;
    }
}

/// Skips the value at the cursor, however long, keeping none of it.
TraceReader::Step TraceReader::skipLong()
{
    m_builder.addProblem(
        "A value is longer than 16 MiB, as none that is recorded; it was left out.", offset());
    std::size_t depth = 0;
    bool inText = false;
    bool isEscaped = false;
    for (;;) {
        if (m_input->available() == 0 && !fetchMore(1))
            return Step::Ended;
        if (!goesOn())
            return Step::Cancelled;
        for (const std::uint8_t *at = m_input->cursor(); at != m_input->end(); ++at) {
            const char c = static_cast<char>(*at);
            if (inText) {
                inText = isEscaped || c != '"';
                isEscaped = !isEscaped && c == '\\';
            } else if (c == '"') {
                inText = true;
            } else if (c == '{' || c == '[') {
                ++depth;
            } else if ((c == '}' || c == ']') && depth > 0) {
                --depth;
            }
            if (!inText && depth == 0 && (c == '"' || c == '}' || c == ']')) {
                m_input->advance(static_cast<std::size_t>(at + 1 - m_input->cursor()));
                return Step::Done;
            }
        }
        m_input->advance(m_input->available());
    }
}

JsonOutcome TraceReader::outcomeOf(Step step)
{
    return step == Step::Done    ? JsonOutcome::Read
           : step == Step::Ended ? JsonOutcome::Ended
                                 : JsonOutcome::Abandoned;
}

JsonOutcome TraceReader::readAll()
{
    constexpr std::string_view kMark = "\xEF\xBB\xBF"; // of UTF-8
    (void)m_input->ensure(kMark.size());
    if (m_input->available() >= kMark.size() &&
        std::memcmp(m_input->cursor(), kMark.data(), kMark.size()) == 0)
        m_input->advance(kMark.size());
    char first = '\0';
    const auto peek = [&](Scanner &scanner) {
        first = scanner.peek();
        return first == '\0' ? Scan::More : Scan::Done;
    };
    if (const Step begun = step(peek); begun != Step::Done)
        return outcomeOf(begun);
    if (first != '{' && first != '[')
        return JsonOutcome::Read;
    m_input->advance(1);
    m_open = first;
    const JsonOutcome outcome = first == '{' ? readObject() : readEvents();
    if (outcome != JsonOutcome::Read)
        return outcome;
    const Step more = step(peek);
    return more == Step::Done ? JsonOutcome::Surplus : JsonOutcome::Read;
}

/// Reads the keys of the file after its bracket.
JsonOutcome TraceReader::readObject()
{
    bool isFirst = true;
    std::string key;
    for (;;) {
        bool isEnd = false;
        char next = '\0';
        const Step named = step([&](Scanner &scanner) {
            isEnd = scanner.peek() == '}';
            if (isEnd)
                return isFirst ? scanner.take('}') : Scan::Flawed;
            std::string_view name;
            if (const Scan read = scanner.key(name); read != Scan::Done)
                return read;
            key = name;
            next = scanner.peek();
            return next == '\0' ? Scan::More : Scan::Done;
        });
        if (named != Step::Done)
            return outcomeOf(named);
        if (isEnd)
            return JsonOutcome::Read;
        isFirst = false;
        if (key == "traceEvents" && next == '[') {
            m_input->advance(1);
            m_open += '[';
            if (const JsonOutcome events = readEvents(); events != JsonOutcome::Read)
                return events;
            m_open.pop_back();
        } else {
            Value value;
            Step read = step([&](Scanner &scanner) {
                const Scan scan = scanner.value(value);
                if (scan == Scan::Done && key != "traceEvents")
                    addFact(key, value);
                return scan;
            });
            if (read == Step::TooLong)
                read = skipLong();
            if (read != Step::Done)
                return outcomeOf(read);
        }
        const Step passed = step([&](Scanner &scanner) {
            const char c = scanner.peek();
            isEnd = c == '}';
            return c == '\0' ? Scan::More : scanner.take(isEnd ? '}' : ',');
        });
        if (passed != Step::Done)
            return outcomeOf(passed);
        if (isEnd)
            return JsonOutcome::Read;
    }
}

/// Reads the events of a list after its bracket.
JsonOutcome TraceReader::readEvents()
{
    m_foundEvents = true;
    bool isFirst = true;
    for (;;) {
        bool isEnd = false;
        Step read = step([&](Scanner &scanner) {
            char next = scanner.peek();
            if (next == '\0')
                return Scan::More;
            isEnd = next == ']';
            if (isEnd)
                return scanner.take(']');
            if (!isFirst) {
                if (const Scan comma = scanner.take(','); comma != Scan::Done)
                    return comma;
                next = scanner.peek();
            }
            if (next == '{')
                return m_events.read(scanner, offset());
            Value other;
            return scanner.value(other);
        });
        if (read == Step::TooLong) {
            // The comma before it is still there.
            (void)step([&](Scanner &scanner) { return isFirst ? Scan::Done : scanner.take(','); });
            read = skipLong();
        }
        if (read != Step::Done)
            return outcomeOf(read);
        if (isEnd)
            return JsonOutcome::Read;
        isFirst = false;
        ++m_eventCount;
    }
}

void TraceReader::addFact(const std::string &name, const Value &value)
{
    constexpr std::size_t kLongestFact = 4096;
    constexpr std::size_t kLongestList = std::size_t(1) << 20;
    constexpr std::int64_t kMostFacts = 1000;
    std::string text;
    if (value.text.size() <= kLongestList)
        text = value.type == ValueType::Text ? '"' + std::string(value.text) + '"'
                                             : compact(value.text);
    if (name == "deviceProperties")
        m_gpus = text;
    else if (name == "distributedInfo")
        m_distributed = text;
    else if (name == "baseTimeNanoseconds")
        m_base = scaledDecimal(value.text, 0).value_or(kNotStated);
    if (text.empty() || text.size() > kLongestFact)
        return;
    if (m_factCount == kMostFacts) {
        m_builder.addProblem("Of more than 1,000 keys beside the events the further ones were left "
                             "out.",
                             offset());
        return;
    }
    ++m_factCount;
    m_builder.addFact(name, text);
}

Result<std::shared_ptr<const Profile>> TraceReader::read()
{
    const JsonOutcome outcome = readAll();
    if (m_isCancelled)
        return readingCancelled();
    if (!m_file.status().ok() && m_file.status().error().code != ErrorCode::Truncated)
        return m_file.status().error();
    const auto stop = jsonStop(outcome, offset());
    if (!m_foundEvents)
        return stop ? Error{stop->code,
                            "The file ends or is damaged before its first event; record it again.",
                            stop->offset}
                    : Error{ErrorCode::NotRecognized, "This JSON holds no traceEvents; open what "
                                                      "export_chrome_trace() of torch.profiler "
                                                      "wrote."};
    if (outcome == JsonOutcome::Ended || outcome == JsonOutcome::Abandoned)
        m_builder.setCut();
    addJsonProblems(m_builder, m_repaired.get(), stop);
    addGpus(m_builder, m_gpus);
    addRank(m_builder, m_distributed);
    m_builder.setBase(m_base == kNotStated ? 0 : m_base, clockOf(m_base, m_events.someTime()));
    m_builder.setEventCount(m_eventCount);
    for (const std::string &anomaly : m_file.anomalies())
        m_builder.addProblem(anomaly);
    auto profile = m_builder.finish([&] { return !m_progress || m_progress(kReading); });
    if (!profile)
        return readingCancelled();
    return profile;
}

} // namespace

Result<std::shared_ptr<const Profile>> readChromeTrace(ByteWindow &input, const Progress &progress,
                                                       PythonFunctions python)
{
    return TraceReader(input, progress, python == PythonFunctions::Kept).read();
}

} // namespace vramscope
