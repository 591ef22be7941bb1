// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/chrome_events.h"

#include "core/readers/decimal.h"

#include <algorithm>
#include <charconv>

namespace vramscope::chrome {

using json::Scan;
using json::Scanner;
using json::Value;
using json::ValueType;

namespace {

/// A token as written in the file, a text with its quotes: 7 and "7" are different threads.
std::string_view written(const Value &value)
{
    return value.type == ValueType::Text
               ? std::string_view(value.text.data() - 1, value.text.size() + 2)
               : value.text;
}

/// Times and ends are limited to this, so that no difference of two overflows. In ns from 1970 this
/// is the year 2096.
constexpr std::int64_t kLatest = 4'000'000'000'000'000'000;

/// Microseconds, a number or a text of one, as nanoseconds.
std::int64_t nanoseconds(const Value &value)
{
    const bool canBe = value.type == ValueType::Number || value.type == ValueType::Text;
    std::int64_t time = 0;
    const bool isTime = canBe && json::readDecimal(value.text, 3, time);
    return isTime && time >= -kLatest && time <= kLatest ? time : kNotStated;
}

/// Addresses use all 64 bits.
std::int64_t addressOf(const Value &value)
{
    const auto number = wholeNumber<std::uint64_t>(value.text);
    return number ? static_cast<std::int64_t>(*number) : json::wholeNumber(value, kNotStated);
}

bool isText(const Value &value, std::string_view text)
{
    return value.type == ValueType::Text && value.text == text;
}

std::int64_t endOf(std::int64_t start, std::int64_t duration)
{
    return duration <= 0 ? start : std::min(start + duration, kLatest);
}

constexpr std::uint64_t bit(Argument argument)
{
    return std::uint64_t(1) << static_cast<unsigned>(argument);
}

/// "[64, 1, 1]"
std::array<std::int64_t, 3> threeNumbers(std::string_view list)
{
    std::array<std::int64_t, 3> numbers{kNotStated, kNotStated, kNotStated};
    const char *at = list.data();
    const char *const end = at + list.size();
    for (std::int64_t &number : numbers) {
        while (at != end && !(*at >= '0' && *at <= '9') && *at != '-')
            ++at;
        const auto read = std::from_chars(at, end, number);
        if (read.ec != std::errc())
            return numbers;
        at = read.ptr;
    }
    return numbers;
}

} // namespace

const Value *EventReader::find(Argument argument) const
{
    const auto at = static_cast<std::size_t>(argument);
    return (m_found >> at & 1) != 0 ? &m_values[at] : nullptr;
}

Argument EventReader::either(Argument first, Argument second) const
{
    return find(first) != nullptr ? first : second;
}

std::int64_t EventReader::number(Argument argument) const
{
    const Value *const value = find(argument);
    return value != nullptr ? json::wholeNumber(*value, kNotStated) : kNotStated;
}

StringId EventReader::textOf(const Value &value)
{
    if (value.type == ValueType::Text && value.isPlain)
        return m_builder.internText(value.text);
    if (value.type == ValueType::Text) {
        bool isFlawed = false;
        const std::string plain = json::unescaped(value.text, isFlawed);
        if (isFlawed)
            m_builder.addProblem("A text holds bytes that are no UTF-8, or escapes that are none; "
                                 "they are shown as they can be.");
        return m_builder.internText(plain);
    }
    if (value.type == ValueType::Word)
        return m_builder.internText(value.text == "null"   ? "None"
                                    : value.text == "true" ? "True"
                                                           : "False");
    return m_builder.internText(value.text);
}

StringId EventReader::text(Argument argument)
{
    const Value *const value = find(argument);
    return value != nullptr ? textOf(*value) : StringId::Empty;
}

/// Lists with the same meaning are one text, whatever their spacing.
StringId EventReader::list(Argument argument)
{
    const Value *const value = find(argument);
    if (value == nullptr)
        return StringId::Empty;
    m_listKey.assign(written(*value));
    const auto [found, isNew] = m_lists.try_emplace(m_listKey, StringId::Empty);
    if (isNew)
        found->second = m_builder.internText(asPythonWrites(m_listKey));
    return found->second;
}

std::uint32_t EventReader::thread()
{
    return m_builder.thread(written(m_process), written(m_thread));
}

Scan EventReader::read(Scanner &scanner, std::int64_t offset)
{
    m_category = m_name = m_process = m_thread = m_time = m_duration = m_id = m_phase = {};
    m_found = 0;
    m_isSkipped = false;
    Value arguments;
    Scan read = scanner.take('{');
    if (read == Scan::Done)
        read = readFields(scanner, arguments);
    if (read == Scan::Done && arguments.type == ValueType::Object && !m_isSkipped) {
        const auto *const first = reinterpret_cast<const std::uint8_t *>(arguments.text.data());
        Scanner inside(first + 1, first + arguments.text.size());
        read = readArguments(inside) == Scan::Done ? Scan::Done : Scan::Flawed;
    }
    if (read == Scan::Done)
        commit(offset);
    return read;
}

Value *EventReader::field(std::string_view key)
{
    switch (key.size()) {
    case 2:
        return key == "ph" ? &m_phase : key == "ts" ? &m_time : key == "id" ? &m_id : nullptr;
    case 3:
        return key == "cat"   ? &m_category
               : key == "pid" ? &m_process
               : key == "tid" ? &m_thread
               : key == "dur" ? &m_duration
                              : nullptr;
    case 4:
        return key == "name" ? &m_name : nullptr;
    default:
        return nullptr;
    }
}

/// Calls take(key), which reads the value, for each key of an object after its bracket.
template<class Take>
Scan EventReader::forEachKey(Scanner &scanner, Take take)
{
    bool isEnd = scanner.peek() == '}';
    while (!isEnd) {
        std::string_view key;
        Scan read = scanner.key(key);
        if (read == Scan::Done)
            read = take(key);
        if (read != Scan::Done || m_isSkipped)
            return read;
        isEnd = scanner.peek() == '}';
        if (const Scan comma = isEnd ? Scan::Done : scanner.take(','); comma != Scan::Done)
            return comma;
    }
    return scanner.take('}');
}

/// Takes arguments at once if the kind of event is known, and otherwise leaves them for later in
/// `arguments`.
Scan EventReader::readFields(Scanner &scanner, Value &arguments)
{
    return forEachKey(scanner, [&](std::string_view key) {
        Value other;
        Value *const value = field(key);
        const bool isArguments = value == nullptr && key == "args";
        if (isArguments && m_phase.type != ValueType::None && scanner.peek() == '{') {
            scanner.take('{');
            m_found = 0;
            return readArguments(scanner);
        }
        const Scan read = scanner.value(value != nullptr ? *value
                                        : isArguments    ? arguments
                                                         : other);
        if (read != Scan::Done || (value != &m_phase && value != &m_category))
            return read;
        m_isSkipped = !m_keepsPython && isText(m_category, "python_function");
        return m_isSkipped ? scanner.skipContainer() : read;
    });
}

Scan EventReader::readArguments(Scanner &scanner)
{
    return forEachKey(scanner, [&](std::string_view key) {
        const Argument argument = argumentOf(key);
        Value other;
        const auto at = static_cast<std::size_t>(argument);
        const Scan read = scanner.value(argument == Argument::None ? other : m_values[at]);
        if (read == Scan::Done && argument != Argument::None)
            m_found |= std::uint64_t(1) << at;
        return read;
    });
}

void EventReader::commit(std::int64_t offset)
{
    if (m_isSkipped) {
        m_builder.skipPythonFunction();
        return;
    }
    if (isText(m_name, "[memory]") || isText(m_name, "[OutOfMemory]")) {
        commitMemory(m_name.text == "[OutOfMemory]", offset);
        return;
    }
    if (m_phase.type != ValueType::Text || m_phase.text.size() != 1)
        return;
    switch (m_phase.text[0]) {
    case 'X':
        commitComplete();
        break;
    case 's':
    case 'f':
        if (isText(m_category, "fwdbwd") || isText(m_name, "fwdbwd"))
            commitFlow();
        break;
    case 'M':
        if (const Value *const name = find("name"_arg);
            isText(m_name, "thread_name") && name != nullptr && name->type == ValueType::Text)
            m_builder.nameThread(written(m_process), written(m_thread), textOf(*name));
        break;
    default:
        break;
    }
}

void EventReader::commitComplete()
{
    const std::int64_t start = nanoseconds(m_time);
    if (start == kNotStated || m_category.type != ValueType::Text || m_category.text.empty())
        return;
    m_someTime = start;
    const Category category = categoryOf(m_category.text);
    m_event = ProfileEvent();
    m_event.kind = category.kind;
    m_event.work = category.work;
    m_event.range = category.range;
    m_event.name = m_name.type == ValueType::None ? StringId::Empty : textOf(m_name);
    m_event.start = start;
    const std::int64_t duration = nanoseconds(m_duration);
    m_event.end = endOf(start, duration);
    m_event.process = json::wholeNumber(m_process, kNotStated);
    m_event.threadNumber = json::wholeNumber(m_thread, kNotStated);
    m_event.stream = number("stream"_arg);
    m_event.correlation = number("correlation"_arg);
    m_event.hasExternalId = find("External id"_arg) != nullptr;
    m_event.externalId = number(either("External id"_arg, "external id"_arg));
    switch (category.kind) {
    case ProfileEventKind::Work:
        addWorkArguments();
        break;
    case ProfileEventKind::Operator:
        addOperatorArguments();
        m_event.thread = thread();
        break;
    case ProfileEventKind::Call:
        m_event.thread = thread();
        break;
    case ProfileEventKind::Range:
        m_event.device = number("device"_arg);
        if (category.range != RangeKind::Device && category.range != RangeKind::Sync)
            m_event.thread = thread();
        break;
    case ProfileEventKind::Other:
        break;
    }
    m_builder.add(m_event);
}

void EventReader::addWorkArguments()
{
    m_event.device = number("device"_arg);
    m_event.bytes = number(either("Bytes"_arg, "bytes"_arg));
    const Value *const grid = find("grid"_arg);
    const Value *const block = find("block"_arg);
    if (grid != nullptr || block != nullptr) {
        m_event.hasShape = true;
        if (grid != nullptr)
            m_event.shape.grid = threeNumbers(grid->text);
        if (block != nullptr)
            m_event.shape.block = threeNumbers(block->text);
        m_event.shape.registers = number("registers per thread"_arg);
        m_event.shape.sharedMemory = number("shared memory"_arg);
        m_event.shape.occupancy = number("est. achieved occupancy %"_arg);
    }
    constexpr std::uint64_t kOfCollectives =
        bit("Collective name"_arg) | bit("dtype"_arg) | bit("In msg nelems"_arg) |
        bit("Out msg nelems"_arg) | bit("Group size"_arg) | bit("Process Group Name"_arg) |
        bit("Process Group Ranks"_arg) | bit("In split size"_arg) | bit("Seq"_arg);
    if ((m_found & kOfCollectives) == 0)
        return;
    m_event.statesCollective = true;
    ProfileCollective &collective = m_event.collective;
    const Value *const name = find("Collective name"_arg);
    collective.isNamed = name != nullptr;
    // Python's false values name nothing.
    if (name != nullptr && name->text != "null" && name->text != "false" && name->text != "0")
        collective.name = textOf(*name);
    collective.dtype = text("dtype"_arg);
    collective.group = text("Process Group Name"_arg);
    collective.ranks = text("Process Group Ranks"_arg);
    collective.splits = text("In split size"_arg);
    collective.sent = number("In msg nelems"_arg);
    collective.got = number("Out msg nelems"_arg);
    collective.size = number("Group size"_arg);
    collective.number = number("Seq"_arg);
}

void EventReader::addOperatorArguments()
{
    m_event.shapes = list(either("Input Dims"_arg, "Input dims"_arg));
    m_event.types = list("Input type"_arg);
    m_event.stack = text("Call stack"_arg);
    m_event.module = text("Module Hierarchy"_arg);
    m_event.sequence = number("Sequence number"_arg);
    m_event.forwardThread = number("Fwd thread id"_arg);
}

void EventReader::commitMemory(bool failed, std::int64_t offset)
{
    ProfileMemoryEvent event;
    event.time = nanoseconds(m_time);
    if (event.time != kNotStated)
        m_someTime = event.time;
    event.index = number("Ev Idx"_arg);
    event.bytes = number(either("Bytes"_arg, "bytes"_arg));
    if (const Value *const address = find("Addr"_arg); address != nullptr)
        event.address = addressOf(*address);
    event.allocated = number("Total Allocated"_arg);
    event.reserved = number("Total Reserved"_arg);
    event.deviceType = number("Device Type"_arg);
    event.deviceId = number("Device Id"_arg);
    event.thread = thread();
    event.failed = failed;
    m_builder.addMemory(event, offset);
}

void EventReader::commitFlow()
{
    const std::int64_t id = json::wholeNumber(m_id, kNotStated);
    const std::int64_t time = nanoseconds(m_time);
    if (id != kNotStated && time != kNotStated)
        m_builder.addFlow(id, m_phase.text[0] == 's', thread(), time);
}

} // namespace vramscope::chrome
