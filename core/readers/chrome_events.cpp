// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/chrome_events.h"

#include "core/readers/chrome_names.h"

#include <algorithm>
#include <charconv>

namespace vramscope::chrome {

using json::Scan;
using json::Scanner;
using json::Value;
using json::ValueType;

namespace {

/// A token as the file writes it, a text with its quotes: 7 and "7" are different threads.
std::string_view written(const Value &value)
{
    return value.type == ValueType::Text
               ? std::string_view(value.text.data() - 1, value.text.size() + 2)
               : value.text;
}

/// Times and ends lie within, so that no difference of two overflows. In ns from 1970 this is the
/// year 2096.
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
    std::uint64_t number = 0;
    const char *const end = value.text.data() + value.text.size();
    const auto read = std::from_chars(value.text.data(), end, number);
    return read.ec == std::errc() && read.ptr == end ? static_cast<std::int64_t>(number)
                                                     : json::wholeNumber(value, kNotStated);
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

/// Lists that mean the same are one text, however they are spaced.
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

/// The fields of an event whose bracket was taken. Arguments are taken at once where it is known
/// what the event is, and else left for later in `arguments`.
Scan EventReader::readFields(Scanner &scanner, Value &arguments)
{
    if (scanner.peek() == '}')
        return scanner.take('}');
    for (;;) {
        std::string_view key;
        Scan read = scanner.key(key);
        if (read != Scan::Done)
            return read;
        Value other;
        Value *const value = field(key);
        const bool isArguments = value == nullptr && key == "args";
        if (isArguments && m_phase.type != ValueType::None && scanner.peek() == '{') {
            scanner.take('{');
            m_found = 0;
            read = readArguments(scanner);
        } else {
            read = scanner.value(value != nullptr ? *value : isArguments ? arguments : other);
        }
        if (read != Scan::Done)
            return read;
        if (value == &m_phase || value == &m_category) {
            m_isSkipped = !m_keepsPython && isText(m_category, "python_function");
            if (m_isSkipped)
                return scanner.skipContainer();
        }
        const char next = scanner.peek();
        if (next == '}')
            return scanner.take('}');
        if (read = scanner.take(','); read != Scan::Done)
            return read;
    }
}

/// Arguments whose bracket was taken.
Scan EventReader::readArguments(Scanner &scanner)
{
    if (scanner.peek() == '}')
        return scanner.take('}');
    for (;;) {
        std::string_view key;
        Scan read = scanner.key(key);
        if (read != Scan::Done)
            return read;
        const Argument argument = argumentOf(key);
        Value other;
        const auto at = static_cast<std::size_t>(argument);
        read = scanner.value(argument == Argument::None ? other : m_values[at]);
        if (read != Scan::Done)
            return read;
        if (argument != Argument::None)
            m_found |= std::uint64_t(1) << at;
        if (scanner.peek() == '}')
            return scanner.take('}');
        if (read = scanner.take(','); read != Scan::Done)
            return read;
    }
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
        if (const Value *const name = find(Argument::Name);
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
    m_event.stream = number(Argument::Stream);
    m_event.correlation = number(Argument::Correlation);
    m_event.hasExternalId = find(Argument::ExternalId) != nullptr;
    m_event.externalId =
        number(m_event.hasExternalId ? Argument::ExternalId : Argument::LowerExternalId);
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
        m_event.device = number(Argument::Device);
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
    m_event.device = number(Argument::Device);
    m_event.bytes = number(Argument::Bytes);
    const Value *const grid = find(Argument::Grid);
    const Value *const block = find(Argument::Block);
    if (grid != nullptr || block != nullptr) {
        m_event.hasShape = true;
        if (grid != nullptr)
            m_event.shape.grid = threeNumbers(grid->text);
        if (block != nullptr)
            m_event.shape.block = threeNumbers(block->text);
        m_event.shape.registers = number(Argument::Registers);
        m_event.shape.sharedMemory = number(Argument::SharedMemory);
        m_event.shape.occupancy = number(Argument::Occupancy);
    }
    constexpr std::uint64_t kOfCollectives =
        bit(Argument::CollectiveName) | bit(Argument::DataType) | bit(Argument::Sent) |
        bit(Argument::Received) | bit(Argument::GroupSize) | bit(Argument::GroupName) |
        bit(Argument::GroupRanks) | bit(Argument::SentSplits) | bit(Argument::Seq);
    if ((m_found & kOfCollectives) == 0)
        return;
    m_event.statesCollective = true;
    ProfileCollective &collective = m_event.collective;
    const Value *const name = find(Argument::CollectiveName);
    collective.isNamed = name != nullptr;
    // What Python takes as false names nothing.
    if (name != nullptr && name->text != "null" && name->text != "false" && name->text != "0")
        collective.name = textOf(*name);
    collective.dtype = text(Argument::DataType);
    collective.group = text(Argument::GroupName);
    collective.ranks = text(Argument::GroupRanks);
    collective.splits = text(Argument::SentSplits);
    collective.sent = number(Argument::Sent);
    collective.got = number(Argument::Received);
    collective.size = number(Argument::GroupSize);
    collective.number = number(Argument::Seq);
}

void EventReader::addOperatorArguments()
{
    const auto orElse = [&](Argument first, Argument second) {
        return find(first) != nullptr ? first : second;
    };
    m_event.shapes = list(orElse(Argument::InputDims, Argument::LowerInputDims));
    m_event.types = list(Argument::InputType);
    m_event.stack = text(Argument::CallStack);
    m_event.module = text(Argument::ModuleHierarchy);
    m_event.sequence = number(Argument::SequenceNumber);
    m_event.forwardThread = number(Argument::ForwardThread);
}

void EventReader::commitMemory(bool failed, std::int64_t offset)
{
    ProfileMemoryEvent event;
    event.time = nanoseconds(m_time);
    if (event.time != kNotStated)
        m_someTime = event.time;
    event.index = number(Argument::EventIndex);
    event.bytes = number(Argument::Bytes);
    if (const Value *const address = find(Argument::Address); address != nullptr)
        event.address = addressOf(*address);
    event.allocated = number(Argument::TotalAllocated);
    event.reserved = number(Argument::TotalReserved);
    event.deviceType = number(Argument::DeviceType);
    event.deviceId = number(Argument::DeviceId);
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
