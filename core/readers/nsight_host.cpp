// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/nsight_names.h"
#include "core/readers/nsight_pieces.h"
#include "core/readers/nsight_reader.h"

#include <algorithm>
#include <array>
#include <future>
#include <string_view>
#include <utility>

// Host activity: ranges, calls, and the profiler's own overhead.

namespace vramscope::nsight {

using namespace std::string_view_literals;

void ExportReader::note(const Piece &piece)
{
    m_count += piece.rowCount();
    for (const Piece::Problem &each : piece.problems())
        m_builder.addProblem(each.kind, -1, each.count);
}

Result<void> ExportReader::readRanges()
{
    const auto layouts = PayloadLayouts::read(m_file);
    if (!layouts.ok())
        return layouts.error();
    NcclRanges nccl;
    std::vector<StringId> ids; // of the texts of a piece
    std::vector<std::uint32_t> threads;
    std::vector<StringId> names;
    std::vector<StringId> shapes;
    const auto make = [&](const SqliteRows &rows, RangePiece &piece) {
        piece.add(rows, m_strings, *layouts);
    };
    const auto takeOperators = [&](std::uint32_t thread, RangePiece::Operators &all) {
        names.clear();
        for (const std::uint32_t name : all.name)
            names.push_back(ids[name]);
        shapes.clear();
        for (const std::uint32_t one : all.shapes.values())
            shapes.push_back(one == kNoRow ? StringId::Empty : ids[one]);
        m_builder.add(thread, OperatorRows{all.start, all.end, names, shapes, all.sequence.values(),
                                           all.forwardThread.values()});
    };
    const auto take = [&](RangePiece &piece) {
        note(piece);
        ids.clear();
        for (std::size_t text = 0; text < piece.textCount(); ++text)
            ids.push_back(m_builder.internText(piece.text(text)));
        threads.clear();
        for (const std::int64_t globalTid : piece.threads())
            threads.push_back(thread(globalTid));
        for (std::uint32_t at = 0; at < threads.size(); ++at)
            takeOperators(threads[at], piece.operators(at));
        for (const RangePiece::Range &range : piece.ranges()) {
            m_event.start = range.start;
            m_event.end = range.end;
            m_event.name = ids[range.name];
            m_event.thread = threads[range.thread];
            m_event.marksStep = range.isStep && isOfStepProcess(piece.threads()[range.thread]);
            m_builder.add(m_event);
        }
        for (const RangePiece::Nccl &range : piece.nccl())
            nccl.add(range.text, range.start, range.end, threads[range.thread], range.payload);
    };
    m_builder.reserve(ProfileEventKind::Operator, m_file.mostRows(kRanges)); // most are
    m_event.kind = ProfileEventKind::Range;
    m_event.range = RangeKind::User;
    auto read = m_file.readMade<RangePiece>(kRanges, RangePiece::kColumns.names, make, take);
    m_event = ProfileEvent();
    m_launches = nccl.launches();
    return read;
}

/// The launch of NCCL that runs at a moment of a thread; kNoRow without one.
std::uint32_t ExportReader::launchAt(std::uint32_t thread, std::int64_t time) const
{
    const auto next = std::ranges::upper_bound(
        m_launches, std::pair(thread, time), {},
        [](const NcclLaunch &each) { return std::pair(each.thread, each.start); });
    if (next == m_launches.begin())
        return kNoRow;
    const auto found = std::prev(next);
    return found->thread == thread && time <= found->end
               ? static_cast<std::uint32_t>(found - m_launches.begin())
               : kNoRow;
}

Result<void> ExportReader::readCalls()
{
    std::vector<StringId> names;
    const auto make = [&](const SqliteRows &rows, CallPiece &piece) { piece.add(rows, m_strings); };
    const auto takeCalls = [&](std::int64_t globalTid, CallPiece::Calls &all) {
        const std::uint32_t of = thread(globalTid);
        names.clear();
        for (const std::size_t name : all.name)
            names.push_back(m_strings.nameAt(name, m_builder, callName));
        for (std::int64_t &each : all.correlation)
            each = correlation(globalTid, each);
        m_builder.add(of, CallRows{all.start, all.end, names, all.correlation});
        for (std::size_t row = 0; row < names.size() && !m_launches.empty(); ++row) {
            if (all.correlation[row] == kNotStated)
                continue;
            if (const std::uint32_t launch = launchAt(of, all.start[row]); launch != kNoRow)
                m_launchOf.try_emplace(all.correlation[row], launch);
        }
    };
    const auto take = [&](CallPiece &piece) {
        note(piece);
        for (std::uint32_t at = 0; at < piece.threads().size(); ++at)
            takeCalls(piece.threads()[at], piece.calls(at));
    };
    m_builder.reserve(ProfileEventKind::Call, m_file.mostRows(kCalls));
    auto read = m_file.readMade<CallPiece>(kCalls, CallPiece::kColumns.names, make, take);
    if (!read.ok())
        return read;
    // Without a thread it runs when it is requested.
    m_host = std::async([this] { return m_builder.finishHost([this] { return !m_isGivenUp; }); });
    return read;
}

Result<void> ExportReader::readOverheads()
{
    ProfileEvent overhead;
    overhead.kind = ProfileEventKind::Range;
    overhead.range = RangeKind::Overhead;
    Result<void> read;
    for (const std::string_view table : {"CUPTI_ACTIVITY_KIND_OVERHEAD"sv, "PROFILER_OVERHEAD"sv}) {
        if (read.ok())
            read = readActivity(table, overhead, [&](SqliteRow row) {
                m_event.thread = thread(row.number(kActivity["globalTid"]));
                m_event.name = m_strings.name(row.number(kActivity["nameId"]), m_builder, callName);
            });
    }
    return read;
}

} // namespace vramscope::nsight
