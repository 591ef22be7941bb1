// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/cancel_guard.h"
#include "core/readers/nsight_names.h"
#include "core/readers/nsight_reader.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

// What the host did: ranges, calls, and what the profiler itself cost.

namespace vramscope::nsight {

using namespace std::string_view_literals;

namespace {

/// Ranges that were pushed and popped, or started and ended. Marks last no time; categories and
/// domains are no events.
bool isRange(std::int64_t eventType)
{
    constexpr std::array<std::int64_t, 4> kTypes{59, 60, 70, 71};
    return std::ranges::find(kTypes, eventType) != kTypes.end();
}

} // namespace

Result<void> ExportReader::readRanges()
{
    enum : std::size_t { Start, End, Type, Text, TextId, Thread, Payload };
    constexpr std::array kColumns{"start"sv,  "end"sv,       "eventType"sv, "text"sv,
                                  "textId"sv, "globalTid"sv, "binaryData"sv};
    const auto layouts = PayloadLayouts::read(m_file);
    if (!layouts.ok())
        return layouts.error();
    NcclRanges nccl;
    const auto textOf = [&](SqliteRow row) {
        const std::string_view text = row.text(Text);
        return text.empty() ? m_strings.text(row.number(TextId)) : text;
    };
    const auto prepare = [&](SqliteRows &rows) {
        auto &texts = rows.made<RangeTexts>();
        texts.clear();
        for (std::size_t at = 0; at < rows.count(); ++at)
            texts.add(textOf(rows[at]));
    };
    const auto idOf = [&](RangeTexts::Text &text) {
        if (!text.id)
            text.id = m_builder.internText(text.text);
        return *text.id;
    };
    const auto visit = [&](SqliteRow row, const RangeTexts::Range &range, RangeTexts &texts) {
        if (!isRange(row.number(Type)))
            return;
        if (row.isNull(End)) {
            m_builder.addProblem("A range was still open when the recording ended; it was left "
                                 "out.");
            return;
        }
        if (!place(row.number(Start), row.number(End)))
            return;
        m_event.thread = thread(row.number(Thread));
        RangeTexts::Name &name = texts.name(range);
        if (name.text.starts_with("nccl"))
            nccl.add(textOf(row), m_event.start, m_event.end, m_event.thread,
                     layouts->nccl(row.text(Payload)));
        m_event.marksStep = name.isStep && isOfStepProcess(row.number(Thread));
        m_event.kind = range.isOperator ? ProfileEventKind::Operator : ProfileEventKind::Range;
        m_event.name = idOf(name);
        m_event.sequence = range.sequence;
        m_event.forwardThread = range.isOperator && name.isBackward ? 1 : kNotStated;
        m_event.shapes = range.shapes == kNoRow ? StringId::Empty : idOf(texts.shapes(range));
        m_builder.add(m_event);
    };
    m_builder.reserve(ProfileEventKind::Operator, m_file.mostRows(kRanges)); // most are
    m_event.range = RangeKind::User;
    const auto take = [&](SqliteRows &rows) {
        auto &texts = rows.made<RangeTexts>();
        for (std::size_t at = 0; at < rows.count(); ++at)
            visit(rows[at], texts.range(at), texts);
        m_count += static_cast<std::int64_t>(rows.count());
    };
    auto read = m_file.read(kRanges, kColumns, take, prepare);
    m_event = ProfileEvent();
    m_launches = nccl.launches();
    return read;
}

Result<void> ExportReader::readCalls()
{
    enum : std::size_t { Start, End, Thread, Correlation, Name };
    constexpr std::array kColumns{"start"sv, "end"sv, "globalTid"sv, "correlationId"sv, "nameId"sv};
    m_event.kind = ProfileEventKind::Call;
    const auto launchAt = [&](std::uint32_t of, std::int64_t time) {
        const auto next = std::ranges::upper_bound(
            m_launches, std::pair(of, time), {},
            [](const NcclLaunch &each) { return std::pair(each.thread, each.start); });
        if (next == m_launches.begin())
            return kNoRow;
        const auto found = std::prev(next);
        return found->thread == of && time <= found->end
                   ? static_cast<std::uint32_t>(found - m_launches.begin())
                   : kNoRow;
    };
    auto read = forEachRow(kCalls, kColumns, [&](SqliteRow row) {
        if (!place(row.number(Start), row.number(End)))
            return;
        const std::int64_t globalTid = row.number(Thread);
        m_event.thread = thread(globalTid);
        m_event.correlation = correlation(globalTid, row.number(Correlation));
        m_event.name = m_strings.name(row.number(Name), m_builder, callName);
        m_builder.add(m_event);
        if (m_launches.empty() || m_event.correlation == kNotStated)
            return;
        if (const std::uint32_t launch = launchAt(m_event.thread, m_event.start); launch != kNoRow)
            m_launchOf.try_emplace(m_event.correlation, launch);
    });
    m_event = ProfileEvent();
    if (read.ok() && !m_builder.finishHost(m_tick))
        return readingCancelled();
    return read;
}

Result<void> ExportReader::readOverhead(std::string_view table)
{
    enum : std::size_t { Start, End, Thread, Name };
    constexpr std::array kColumns{"start"sv, "end"sv, "globalTid"sv, "nameId"sv};
    m_event.kind = ProfileEventKind::Range;
    m_event.range = RangeKind::Overhead;
    auto read = forEachRow(table, kColumns, [&](SqliteRow row) {
        if (!place(row.number(Start), row.number(End)))
            return;
        m_event.thread = thread(row.number(Thread));
        m_event.name = m_strings.name(row.number(Name), m_builder, callName);
        m_builder.add(m_event);
    });
    m_event = ProfileEvent();
    return read;
}

Result<void> ExportReader::readOverheads()
{
    for (const std::string_view table : {"CUPTI_ACTIVITY_KIND_OVERHEAD"sv, "PROFILER_OVERHEAD"sv}) {
        if (auto read = readOverhead(table); !read.ok())
            return read;
    }
    return {};
}

} // namespace vramscope::nsight
