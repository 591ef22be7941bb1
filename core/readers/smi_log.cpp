// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/formats.h"

#include "core/readers/cancel_guard.h"
#include "core/readers/decimal.h"
#include "core/readers/detect_format.h"
#include "core/readers/line_reader.h"
#include "core/readers/log_time.h"
#include "core/readers/smi.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace vramscope {

namespace {

using smi::Column;
using smi::Kind;
using Cells = std::vector<std::string>;

struct Line
{
    Cells cells;
    std::int64_t offset = 0;
    bool cutOff = false; // the file's last one, without an end
};

constexpr std::size_t kSeenFirst = 512; // lines used to infer missing information

Cells wordsOf(std::string_view text)
{
    const auto words = smi::wordsOf(text);
    return {words.begin(), words.end()};
}

/// CSV of nvidia-smi, or the table of dmon. The first lines are kept until they show the columns
/// and which rows belong to one device.
class RowLog final : public smi::Layout
{
public:
    RowLog(LineReader &lines, SeriesBuilder &builder)
        : Layout(builder)
        , m_lines(lines)
    {
    }
    void takeLine(std::string_view text) override;

private:
    void end() override { settle(); }
    [[nodiscard]] Clock clock() const override { return m_clock.value_or(Clock::Relative); }
    [[nodiscard]] Error noMemory() const override;
    void takeTableHeader(std::string_view text);
    void useColumns(const Cells &names);
    void settle();
    void inferAll();
    void findIdentity();
    void findRounds();
    void findUnit();
    void addRow(const Line &line);
    void place(std::int64_t time);
    std::optional<LogTime> timeOf(const Cells &cells);
    void identify(const Cells &cells, smi::Sample &sample);
    [[nodiscard]] std::vector<std::int64_t> firstTimes();
    bool addValues(const Line &line, smi::Sample &sample);
    [[nodiscard]] std::optional<std::size_t> find(Kind kind) const;
    [[nodiscard]] bool varies(std::size_t column) const;

    LineReader &m_lines;
    std::vector<Column> m_columns;
    std::vector<Line> m_first;
    std::vector<bool> m_cellsHaveUnits;   // of each column, so far
    std::optional<std::size_t> m_key;     // the column that tells devices apart
    std::optional<std::size_t> m_ordinal; // the column with their numbers
    std::optional<std::int64_t> m_lastTime;
    Bytes m_plainUnit = kMiB; // of sizes without a unit
    std::optional<Clock> m_clock;
    std::int64_t m_rows = 0;
    smi::Rounds m_rounds; // of the devices, if only their order tells them apart
    std::size_t m_placeInRound = 0;
    bool m_settled = false;
    bool m_isDmon = false;
    bool m_afterTableHeader = false;
};

Error RowLog::noMemory() const
{
    return {ErrorCode::NotRecognized,
            "This log of nvidia-smi has no memory column: record memory.used, with nvidia-smi "
            "--query-gpu=timestamp,index,memory.used,memory.total --format=csv -l 1."};
}

void RowLog::takeLine(std::string_view text)
{
    if (text[text.find_first_not_of(" \t")] == '#') {
        takeTableHeader(text);
        return;
    }
    m_afterTableHeader = false;
    Line line{m_isDmon ? wordsOf(text) : smi::splitCells(text), m_lines.offset(), !m_lines.ended()};
    if (!m_isDmon && smi::isHeader(line.cells)) {
        useColumns(line.cells);
    } else if (m_settled) {
        addRow(line);
    } else {
        m_first.push_back(std::move(line));
        if (m_first.size() == kSeenFirst)
            settle();
    }
}

/// The two lines above a table of dmon: names, and below them units. They are repeated.
void RowLog::takeTableHeader(std::string_view text)
{
    const Cells words = wordsOf(text.substr(text.find('#') + 1));
    if (std::exchange(m_afterTableHeader, true)) {
        for (std::size_t at = 0; at < words.size() && at < m_columns.size(); ++at) {
            if (smi::bytesOfUnit(words[at]) > 0 || words[at] == "%" || words[at] == "W" ||
                words[at] == "C")
                m_columns[at].unit = words[at];
        }
        return;
    }
    m_isDmon = true;
    useColumns(words);
}

void RowLog::useColumns(const Cells &names)
{
    std::vector<Column> columns;
    std::ranges::transform(names, std::back_inserter(columns), smi::columnOf);
    const auto sameName = [](const Column &a, const Column &b) { return a.name == b.name; };
    if (std::ranges::equal(columns, m_columns, sameName))
        return; // repeated at every start of the program
    if (!m_columns.empty() || !m_first.empty())
        settle();
    m_columns = std::move(columns);
    m_cellsHaveUnits.assign(m_columns.size(), false);
    m_settled = false;
}

std::optional<std::size_t> RowLog::find(Kind kind) const
{
    const auto found = std::ranges::find(m_columns, kind, &Column::kind);
    if (found == m_columns.end())
        return {};
    return static_cast<std::size_t>(found - m_columns.begin());
}

bool RowLog::varies(std::size_t column) const
{
    const std::string *first = nullptr;
    for (const Line &line : m_first) {
        if (line.cells.size() != m_columns.size())
            continue;
        if (first != nullptr && line.cells[column] != *first)
            return true;
        first = &line.cells[column];
    }
    return false;
}

/// Infers missing information from the first lines, and takes them.
void RowLog::settle()
{
    if (m_settled)
        return;
    if (m_columns.empty())
        inferAll();
    m_settled = true;
    if (find(Kind::Used))
        m_foundMemory = true;
    findIdentity();
    findUnit();
    const std::vector<Line> lines = std::exchange(m_first, {});
    for (const Line &line : lines)
        addRow(line);
}

void RowLog::inferAll()
{
    std::vector<Cells> lines;
    for (Line &line : m_first)
        lines.push_back(std::move(line.cells));
    m_columns = smi::inferColumns(lines);
    for (std::size_t at = 0; at < lines.size(); ++at)
        m_first[at].cells = std::move(lines[at]);
    m_cellsHaveUnits.assign(m_columns.size(), false);
    std::string said;
    for (std::size_t at = 0; at < m_columns.size(); ++at) {
        if (m_columns[at].kind != Kind::Ignored && m_columns[at].kind != Kind::Number)
            said +=
                (said.empty() ? "" : ", ") + std::to_string(at + 1) + " as " + m_columns[at].name;
    }
    if (!said.empty())
        m_builder.addProblem("The log has no header; its columns were taken by content: " + said +
                             ".");
}

/// Devices are distinguished by UUID, bus or number, whichever varies; if none varies there is one
/// device, unless names differ or equal numbers of rows each share a time.
void RowLog::findIdentity()
{
    m_key = m_ordinal = {};
    m_rounds = {};
    std::vector<std::size_t> candidates;
    for (const Kind kind : {Kind::Uuid, Kind::Bus, Kind::Index, Kind::Name}) {
        for (std::size_t at = 0; at < m_columns.size(); ++at) {
            if (m_columns[at].kind != kind)
                continue;
            const bool numbered = std::ranges::all_of(m_first, [&](const Line &line) {
                return line.cells.size() != m_columns.size() || wholeNumber(line.cells[at]);
            });
            if (kind == Kind::Index && !numbered) {
                m_columns[at].kind = find(Kind::Name) ? Kind::Ignored : Kind::Name;
                continue;
            }
            candidates.push_back(at);
            if (kind == Kind::Index && (!m_ordinal || (!varies(*m_ordinal) && varies(at))))
                m_ordinal = at;
        }
    }
    const auto varying =
        std::ranges::find_if(candidates, [&](std::size_t at) { return varies(at); });
    if (varying != candidates.end())
        m_key = *varying;
    else if (!candidates.empty())
        m_key = candidates.front();
    if (m_key && m_columns[*m_key].kind == Kind::Index)
        m_ordinal = m_key;
    for (const std::size_t at : candidates) {
        if (m_key && at != *m_key && m_columns[at].kind == Kind::Index && !varies(at) &&
            varies(*m_key))
            m_builder.addProblem("The column " + m_columns[at].name +
                                 " is the same in every row; devices were told apart by " +
                                 m_columns[*m_key].name + ".");
    }
    if (!m_key || !varies(*m_key))
        findRounds();
}

/// The times of the first lines, as far as they can be read.
std::vector<std::int64_t> RowLog::firstTimes()
{
    std::vector<std::int64_t> times;
    for (const Line &line : m_first) {
        const auto time = line.cells.size() == m_columns.size() ? timeOf(line.cells) : std::nullopt;
        if (time)
            times.push_back(time->time);
    }
    return times;
}

void RowLog::findRounds()
{
    if (!find(Kind::Time) || find(Kind::Process))
        return;
    m_rounds = smi::roundsOf(firstTimes());
    const std::string count = std::to_string(m_rounds.size);
    if (m_rounds.size > 0 && m_rounds.gap == 0)
        m_builder.addProblem("No column tells devices apart, but " + count +
                             " rows share each time; they were taken as as many devices, in this "
                             "order.");
    else if (m_rounds.size > 0)
        m_builder.addProblem("No column tells devices apart, but " + count +
                             " rows follow each other at once, then comes a pause; they were taken "
                             "as as many devices, in this order. Record index or uuid as well.");
    const auto total = find(Kind::Total);
    if (m_rounds.size == 0 && (m_rounds.unequal || (total && varies(*total))))
        m_builder.addProblem("The rows are of several devices, and no column tells which row is of "
                             "which: the curve mixes them. Record index or uuid as well.");
}

/// Finds which device of its round a row belongs to.
void RowLog::place(std::int64_t time)
{
    if (m_rounds.size == 0)
        return;
    const std::int64_t passed = m_lastTime ? wrappingDifference(time, *m_lastTime) : -1;
    m_placeInRound = passed >= 0 && passed <= m_rounds.gap ? m_placeInRound + 1 : 0;
    m_lastTime = time;
}

/// Plain numbers too large for MiB are bytes.
void RowLog::findUnit()
{
    constexpr std::int64_t kTenTebibytes = 10 << 20; // in MiB
    std::int64_t largest = 0;
    for (const Line &line : m_first) {
        for (std::size_t at = 0; at < m_columns.size() && at < line.cells.size(); ++at) {
            const Kind kind = m_columns[at].kind;
            if ((kind == Kind::Used || kind == Kind::Total || kind == Kind::Free) &&
                m_columns[at].unit.empty())
                largest = std::max(largest, wholeNumber(line.cells[at]).value_or(0));
        }
    }
    if (largest > kTenTebibytes) {
        m_plainUnit = 1;
        m_builder.addProblem("Sizes have no unit and are too large for MiB; they were taken as "
                             "bytes.");
    }
}

std::optional<LogTime> RowLog::timeOf(const Cells &cells)
{
    constexpr std::int64_t kSecond = 1'000'000'000;
    std::string joined;
    std::optional<LogTime> single;
    bool hasColumn = false;
    for (std::size_t at = 0; at < m_columns.size(); ++at) {
        if (m_columns[at].kind != Kind::Time)
            continue;
        const bool isFirst = !std::exchange(hasColumn, true);
        if (isFirst)
            single = parseLogTime(cells[at]);
        const std::int64_t unit = smi::nanosecondsOfUnit(m_columns[at].unit);
        if (isFirst && unit > 0 && single && single->clock == Clock::Relative)
            return LogTime{single->time / (kSecond / unit), Clock::Relative};
        joined += (joined.empty() ? "" : " ") + cells[at];
    }
    if (!hasColumn) {
        if (m_rows == 0)
            m_builder.addProblem("The log has no times; its samples were taken to be a second "
                                 "apart.");
        return LogTime{m_rows * kSecond, Clock::Relative};
    }
    // A date and a time of day in two columns are one.
    const auto both = parseLogTime(joined);
    return both ? both : single;
}

void RowLog::identify(const Cells &cells, smi::Sample &sample)
{
    if (m_key)
        sample.device = cells[*m_key];
    if (m_ordinal)
        sample.ordinal = smi::ordinalOf(cells[*m_ordinal]).value_or(-1);
    if (m_rounds.size > 0) {
        sample.ordinal = static_cast<int>(m_placeInRound);
        sample.device += "#" + std::to_string(m_placeInRound);
    }
    if (const auto at = find(Kind::Name))
        sample.name = cells[*at];
    const auto identity = find(Kind::Uuid) ? find(Kind::Uuid) : find(Kind::Bus);
    if (identity)
        sample.identity = cells[*identity];
    if (const auto process = find(Kind::Process)) {
        const auto name = find(Kind::ProcessName);
        sample.process = cells[*process] + (name ? " " + cells[*name] : "");
    }
}

/// False if a size cannot be right.
bool RowLog::addValues(const Line &line, smi::Sample &sample)
{
    for (std::size_t at = 0; at < m_columns.size(); ++at) {
        const Column &column = m_columns[at];
        const std::string &cell = line.cells[at];
        const auto role = smi::roleOf(column.kind);
        if (!role && column.kind != Kind::Number)
            continue;
        const bool isTaken = sample.take(column, cell, m_plainUnit);
        if (!isTaken && !role && cell == "-") // as dmon prints it
            continue;
        if (!isTaken && !cell.empty() && smi::isNotReported(cell))
            sample.notReported.push_back(column.name);
        if (!role)
            continue;
        const auto quantity = smi::quantityOf(cell);
        const bool hasUnit = quantity && !quantity->unit.empty();
        if (!isTaken && smi::isNotReported(cell))
            sample.sizes.push_back({column.name, *role, kNoBytes});
        else if (!isTaken || (!hasUnit && m_cellsHaveUnits[at]))
            return false;
        if (hasUnit)
            m_cellsHaveUnits[at] = true;
    }
    return true;
}

void RowLog::addRow(const Line &line)
{
    if (m_columns.empty())
        return;
    const bool isWhole = line.cells.size() == m_columns.size();
    const auto time = isWhole ? timeOf(line.cells) : std::nullopt;
    const bool isOdd = time && m_clock.value_or(time->clock) != time->clock;
    smi::Sample sample;
    if (time && !isOdd) {
        place(time->time);
        sample.time = time->time;
        identify(line.cells, sample);
    }
    if (time && !isOdd && addValues(line, sample)) {
        m_clock = time->clock;
        ++m_rows;
        m_devices.add(sample);
        return;
    }
    m_builder.addProblem(
        isOdd         ? "A line has a time of another kind than the first; it was left out."
        : line.cutOff ? "The last line is cut off; it was left out."
        : !isWhole    ? "A line has not as many cells as there are columns; it was left out."
        : !time       ? "A line has no time that is known; it was left out."
                      : "A line has a size that is none; it was left out.",
        line.offset);
}

/// Reads into the builder, which takes the devices.
Result<void> readInto(LineReader &lines, bool hasScreens, SeriesBuilder &builder)
{
    const auto isBlank = [](const std::string &line) {
        return line.find_first_not_of(" \t") == std::string::npos;
    };
    std::string line;
    while (lines.next(line) && isBlank(line)) {
    }
    std::unique_ptr<smi::Layout> layout;
    if (hasScreens)
        layout = std::make_unique<smi::Screen>(builder);
    else if (smi::beginsQuery(line))
        layout = std::make_unique<smi::Query>(builder);
    else
        layout = std::make_unique<RowLog>(lines, builder);
    do {
        if (!isBlank(line))
            layout->takeLine(line);
    } while (lines.next(line));
    return lines.stopped() ? Result<void>(readingCancelled()) : layout->finish();
}

} // namespace

Result<void> smi::Layout::finish()
{
    end();
    if (!m_foundMemory)
        return noMemory();
    if (m_devices.empty())
        return Error{ErrorCode::Empty, "The log has no complete line; let nvidia-smi run longer."};
    m_builder.setClock(clock());
    m_devices.finish(m_builder);
    return {};
}

Result<std::shared_ptr<const Series>> readSmiLog(ByteWindow &input, const Progress &progress)
{
    if (!input.ensure(kDetectionBytes)) // then all there is
        (void)input.ensure(static_cast<std::size_t>(input.size() - input.offset()));
    const std::string_view start(reinterpret_cast<const char *>(input.cursor()),
                                 std::min(input.available(), kDetectionBytes));
    if (isRocmSmi(start))
        return readRocmSmi(input, progress);
    const bool hasScreens = looksLikeSmiScreen(start);
    SeriesBuilder builder("nvidia-smi");
    LineReader lines(input, [&] { return !progress || progress(input.fraction()); });
    const auto read = readInto(lines, hasScreens, builder);
    const bool cancelled = !read.ok() && read.error().code == ErrorCode::Cancelled;
    if (!cancelled && !input.status().ok() && input.status().error().code != ErrorCode::Truncated)
        return input.status().error();
    if (!read.ok())
        return read.error();
    for (const std::string &anomaly : input.anomalies())
        builder.addProblem(anomaly);
    return builder.finish();
}

} // namespace vramscope
