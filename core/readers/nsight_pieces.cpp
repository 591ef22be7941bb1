// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/nsight_pieces.h"

#include <algorithm>
#include <cstring>
#include <initializer_list>

namespace vramscope::nsight {

namespace {

/// Ranges that were pushed and popped, or started and ended. Marks have no duration; categories and
/// domains are not events.
bool isRange(std::int64_t eventType)
{
    return eventType == 59 || eventType == 60 || eventType == 70 || eventType == 71;
}

bool isAny(SqliteRow)
{
    return true;
}

std::size_t hashOf(std::initializer_list<std::int64_t> values)
{
    constexpr std::uint64_t kFactor = 0x9E3779B97F4A7C15ULL;
    std::uint64_t hash = 0;
    for (const std::int64_t value : values) {
        hash = (hash ^ static_cast<std::uint64_t>(value)) * kFactor;
        hash ^= hash >> 32;
    }
    return hash;
}

} // namespace

void Piece::addProblem(std::string_view kind)
{
    auto known = std::ranges::find(m_problems, kind, &Problem::kind);
    if (known == m_problems.end())
        known = m_problems.insert(known, {kind, 0});
    ++known->count;
}

void RangePiece::Operators::clear()
{
    start.clear();
    end.clear();
    name.clear();
    shapes.clear();
    sequence.clear();
    forwardThread.clear();
}

/// The position of a text among m_texts, added if the quick check finds another one.
std::uint32_t RangePiece::textOf(std::string_view text)
{
    std::uint64_t last = 0;
    const std::size_t size = std::min(text.size(), sizeof last);
    if (size > 0)
        std::memcpy(&last, text.data() + text.size() - size, size);
    constexpr std::uint64_t kFactor = 0x9E3779B97F4A7C15ULL;
    std::uint32_t &place = m_seen[((last ^ text.size()) * kFactor) >> 56];
    if (place < m_texts.size() && this->text(place) == text)
        return place;
    place = static_cast<std::uint32_t>(m_texts.size());
    m_texts.push_back({m_characters.size(), text.size(), text.starts_with("ProfilerStep#"),
                       isBackward(text), text.starts_with("nccl")});
    m_characters += text;
    return place;
}

void RangePiece::add(const SqliteRows &rows, const Strings &strings, const PayloadLayouts &layouts)
{
    const auto isWanted = [&](SqliteRow row) {
        const bool isWhole = !row.isNull(kColumns["end"]);
        if (!isRange(row.number(kColumns["eventType"])))
            return false;
        if (!isWhole)
            addProblem("A range was still open when the recording ended; it was left out.");
        return isWhole;
    };
    forEachPlaced(rows, isWanted, [&](SqliteRow row, std::int64_t start, std::int64_t end) {
        std::string_view text = row.text(kColumns["text"]);
        if (text.empty())
            text = strings.text(row.number(kColumns["textId"]));
        const OperatorText operation = operatorText(text);
        const std::uint32_t thread = m_threads.of(row.number(kColumns["globalTid"]));
        const std::uint32_t name = textOf(operation.name);
        const OwnText known = m_texts[name];
        if (known.isNccl)
            m_nccl.push_back({std::string(text), start, end, thread,
                              layouts.nccl(row.text(kColumns["binaryData"]))});
        if (!operation.isOperator || known.isStep) {
            m_ranges.push_back({start, end, name, thread, known.isStep});
            return;
        }
        Operators &to = m_operators.of(thread);
        const std::size_t place = to.start.size();
        to.start.push_back(start);
        to.end.push_back(end);
        to.name.push_back(name);
        if (!operation.shapes.empty())
            to.shapes.set(place, textOf(operation.shapes));
        to.sequence.set(place, operation.sequence);
        if (known.isBackward)
            to.forwardThread.set(place, 1);
    });
}

void RangePiece::clear()
{
    Piece::clear();
    m_characters.clear();
    m_texts.clear();
    m_threads.clear();
    m_operators.clear();
    m_ranges.clear();
    m_nccl.clear();
}

void CallPiece::Calls::clear()
{
    start.clear();
    end.clear();
    correlation.clear();
    name.clear();
}

void CallPiece::add(const SqliteRows &rows, const Strings &strings)
{
    forEachPlaced(rows, isAny, [&](SqliteRow row, std::int64_t start, std::int64_t end) {
        Calls &to = m_calls.of(m_threads.of(row.number(kColumns["globalTid"])));
        to.start.push_back(start);
        to.end.push_back(end);
        to.correlation.push_back(row.number(kColumns["correlationId"]));
        to.name.push_back(strings.find(row.number(kColumns["nameId"])));
    });
}

void CallPiece::clear()
{
    Piece::clear();
    m_threads.clear();
    m_calls.clear();
}

std::size_t KernelPiece::QueueHash::operator()(const Queue &of) const
{
    return hashOf({of.process, of.device, of.context, of.stream});
}

std::size_t KernelPiece::ShapeHash::operator()(const LaunchShape &of) const
{
    return hashOf({of.grid[0], of.grid[1], of.grid[2], of.block[0], of.block[1], of.block[2],
                   of.registers, of.sharedMemory});
}

void KernelPiece::add(const SqliteRows &rows, const Strings &strings)
{
    forEachPlaced(rows, isAny, [&](SqliteRow row, std::int64_t from, std::int64_t to) {
        start.push_back(from);
        end.push_back(to);
        correlation.push_back(row.number(kColumns["correlationId"]));
        queue.push_back(
            m_queues.of({row.number(kColumns["globalPid"]), row.number(kColumns["deviceId"]),
                         row.number(kColumns["contextId"]), row.number(kColumns["streamId"])}));
        std::size_t text = strings.find(row.number(kColumns["demangledName"]));
        if (strings.isEmpty(text))
            text = strings.find(row.number(kColumns["shortName"]));
        name.push_back(text);
        LaunchShape launch;
        launch.grid = {row.number(kColumns["gridX"]), row.number(kColumns["gridY"]),
                       row.number(kColumns["gridZ"])};
        launch.block = {row.number(kColumns["blockX"]), row.number(kColumns["blockY"]),
                        row.number(kColumns["blockZ"])};
        launch.registers = row.number(kColumns["registersPerThread"]);
        const std::int64_t fixed = row.number(kColumns["staticSharedMemory"]);
        const std::int64_t added = row.number(kColumns["dynamicSharedMemory"]);
        if (fixed == kNoNumber || added == kNoNumber ||
            __builtin_add_overflow(fixed, added, &launch.sharedMemory))
            launch.sharedMemory = kNotStated;
        shape.push_back(m_shapes.of(launch));
    });
}

void KernelPiece::clear()
{
    Piece::clear();
    start.clear();
    end.clear();
    correlation.clear();
    name.clear();
    queue.clear();
    shape.clear();
    m_queues.clear();
    m_shapes.clear();
}

} // namespace vramscope::nsight
