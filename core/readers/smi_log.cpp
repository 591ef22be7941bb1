// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/smi_log.h"

#include "core/readers/detect_text.h"
#include "core/readers/line_reader.h"
#include "core/readers/log_time.h"
#include "core/readers/rocm_smi.h"
#include "core/readers/smi_columns.h"
#include "core/readers/smi_devices.h"
#include "core/readers/smi_inference.h"
#include "core/readers/smi_query.h"
#include "core/readers/smi_rounds.h"
#include "core/readers/smi_screen.h"

#include <algorithm>
#include <charconv>
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

constexpr std::size_t kSeenFirst = 512; // lines that decide what is not said

std::optional<std::int64_t> wholeNumber(const std::string &cell)
{
    std::int64_t number = 0;
    const auto read = std::from_chars(cell.data(), cell.data() + cell.size(), number);
    if (cell.empty() || read.ec != std::errc() || read.ptr != cell.data() + cell.size())
        return {};
    return number;
}

/// Whether a cell has a word for it, instead of nothing at all.
bool saysNotReported(const std::string &cell)
{
    return !cell.empty() && smi::isNotReported(cell);
}

/// Reads one log: the first lines are held back until they have told what the columns are and
/// which rows belong to one device.
class SmiLog
{
public:
    SmiLog(LineReader &lines, SeriesBuilder &builder)
        : m_lines(lines)
        , m_builder(builder)
    {
    }

    /// `text`: the first line. False when the tick of the lines said so.
    bool read(std::string text);
    [[nodiscard]] bool foundMemory() const { return m_foundMemory; }
    [[nodiscard]] bool hasSamples() const { return !m_devices.empty(); }
    void finish();

private:
    void takeLine(const std::string &text);
    void takeTableHeader(const std::string &text);
    void useColumns(std::vector<Column> columns);
    void settle();
    void inferAll();
    void findIdentity();
    void findRounds();
    void findUnit();
    void addRow(const Line &line);
    bool isUsable(const Line &line);
    void place(std::int64_t time);
    std::optional<LogTime> timeOf(const Cells &cells);
    void identify(const Cells &cells, smi::Sample &sample);
    std::optional<Bytes> sizeOf(const std::string &cell, std::size_t column) const;
    [[nodiscard]] std::vector<std::int64_t> firstTimes();
    bool addValues(const Line &line, smi::Sample &sample);
    [[nodiscard]] std::optional<std::size_t> find(Kind kind) const;
    [[nodiscard]] bool varies(std::size_t column) const;
    void problem(const char *kind, const Line &line) { m_builder.addProblem(kind, line.offset); }

    LineReader &m_lines;
    SeriesBuilder &m_builder;
    smi::Devices m_devices;
    std::vector<Column> m_columns;
    std::vector<Line> m_first;
    std::vector<bool> m_cellsHaveUnits;   // of each column, seen so far
    std::optional<std::size_t> m_key;     // the column that tells devices apart
    std::optional<std::size_t> m_ordinal; // the column with their numbers
    std::optional<std::int64_t> m_lastTime;
    Bytes m_plainUnit = kMiB; // of sizes without a unit
    std::optional<Clock> m_clock;
    std::int64_t m_rows = 0;
    smi::Rounds m_rounds; // of the devices, where only their order tells them apart
    std::size_t m_placeInRound = 0;
    bool m_settled = false;
    bool m_isDmon = false;
    bool m_afterTableHeader = false;
    bool m_foundMemory = false;
};

bool SmiLog::read(std::string text)
{
    do {
        if (text.find_first_not_of(" \t") != std::string::npos)
            takeLine(text);
    } while (m_lines.next(text));
    if (m_lines.stopped())
        return false;
    settle();
    return true;
}

void SmiLog::takeLine(const std::string &text)
{
    if (text[text.find_first_not_of(" \t")] == '#') {
        takeTableHeader(text);
        return;
    }
    m_afterTableHeader = false;
    Line line{m_isDmon ? smi::splitWords(text) : smi::splitCells(text), m_lines.offset(),
              !m_lines.ended()};
    if (!m_isDmon && smi::isHeader(line.cells)) {
        std::vector<Column> columns;
        for (const std::string &cell : line.cells)
            columns.push_back(smi::columnOf(cell));
        useColumns(std::move(columns));
    } else if (m_settled) {
        addRow(line);
    } else {
        m_first.push_back(std::move(line));
        if (m_first.size() == kSeenFirst)
            settle();
    }
}

/// The two lines above a table of dmon: names, and below them units. They are repeated.
void SmiLog::takeTableHeader(const std::string &text)
{
    Cells words = smi::splitWords(text.substr(text.find('#') + 1));
    if (std::exchange(m_afterTableHeader, true)) {
        for (std::size_t at = 0; at < words.size() && at < m_columns.size(); ++at) {
            if (smi::bytesOfUnit(words[at]) > 0 || words[at] == "%" || words[at] == "W" ||
                words[at] == "C")
                m_columns[at].unit = words[at];
        }
        return;
    }
    m_isDmon = true;
    std::vector<Column> columns;
    for (const std::string &word : words)
        columns.push_back(smi::columnOf(word));
    useColumns(std::move(columns));
}

void SmiLog::useColumns(std::vector<Column> columns)
{
    const auto sameName = [](const Column &a, const Column &b) { return a.name == b.name; };
    if (std::ranges::equal(columns, m_columns, sameName))
        return; // repeated at every start of the program
    if (!m_columns.empty() || !m_first.empty())
        settle();
    m_columns = std::move(columns);
    m_cellsHaveUnits.assign(m_columns.size(), false);
    m_settled = false;
}

std::optional<std::size_t> SmiLog::find(Kind kind) const
{
    const auto found = std::ranges::find(m_columns, kind, &Column::kind);
    if (found == m_columns.end())
        return {};
    return static_cast<std::size_t>(found - m_columns.begin());
}

bool SmiLog::varies(std::size_t column) const
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

/// Decides from the first lines what the file does not say, and takes them.
void SmiLog::settle()
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

void SmiLog::inferAll()
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

/// Devices are told apart by UUID, bus or number, whichever varies; where none does there is one
/// device, unless names differ or as many rows each share a time.
void SmiLog::findIdentity()
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

/// Of the first lines, as far as they can be read.
std::vector<std::int64_t> SmiLog::firstTimes()
{
    std::vector<std::int64_t> times;
    for (const Line &line : m_first) {
        const auto time = line.cells.size() == m_columns.size() ? timeOf(line.cells) : std::nullopt;
        if (time)
            times.push_back(time->time);
    }
    return times;
}

void SmiLog::findRounds()
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

/// Which of the devices of its round a row is of.
void SmiLog::place(std::int64_t time)
{
    if (m_rounds.size == 0)
        return;
    const std::int64_t passed = m_lastTime ? wrappingDifference(time, *m_lastTime) : -1;
    m_placeInRound = passed >= 0 && passed <= m_rounds.gap ? m_placeInRound + 1 : 0;
    m_lastTime = time;
}

/// Plain numbers too large for MiB are bytes.
void SmiLog::findUnit()
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

bool SmiLog::isUsable(const Line &line)
{
    if (line.cells.size() == m_columns.size())
        return true;
    if (line.cutOff)
        problem("The last line is cut off; it was left out.", line);
    else
        problem("A line has not as many cells as there are columns; it was left out.", line);
    return false;
}

std::optional<LogTime> SmiLog::timeOf(const Cells &cells)
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

void SmiLog::identify(const Cells &cells, smi::Sample &sample)
{
    if (m_key)
        sample.device = cells[*m_key];
    if (m_ordinal) {
        const std::int64_t number = wholeNumber(cells[*m_ordinal]).value_or(-1);
        sample.ordinal = number >= 0 && number < 4096 ? static_cast<int>(number) : -1;
    }
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

/// Nothing where the cell is neither a size nor a word for none.
std::optional<Bytes> SmiLog::sizeOf(const std::string &cell, std::size_t column) const
{
    const auto quantity = smi::quantityOf(cell);
    if (!quantity)
        return smi::isNotReported(cell) ? std::optional(kNoBytes) : std::nullopt;
    const std::string_view unit =
        quantity->unit.empty() ? std::string_view(m_columns[column].unit) : quantity->unit;
    const Bytes factor = unit.empty() ? m_plainUnit : smi::bytesOfUnit(unit);
    if (factor == 0 || (quantity->unit.empty() && m_cellsHaveUnits[column]))
        return {};
    return smi::bytesOf(quantity->number, factor);
}

/// False where a size cannot be right.
bool SmiLog::addValues(const Line &line, smi::Sample &sample)
{
    for (std::size_t at = 0; at < m_columns.size(); ++at) {
        const Column &column = m_columns[at];
        if (column.kind == Kind::Number) {
            const auto quantity = smi::quantityOf(line.cells[at]);
            if (!quantity) {
                if (saysNotReported(line.cells[at]) && line.cells[at] != "-") // dmon's word
                    sample.notReported.push_back(column.name);
                continue;
            }
            double number = 0;
            const char *const end = quantity->number.data() + quantity->number.size();
            (void)std::from_chars(quantity->number.data(), end, number);
            const std::string_view unit = quantity->unit.empty() ? column.unit : quantity->unit;
            sample.values.push_back({column.name, std::string(unit), number});
            continue;
        }
        if (column.kind < Kind::Used || column.kind > Kind::Reserved)
            continue;
        const auto bytes = sizeOf(line.cells[at], at);
        if (!bytes)
            return false;
        const auto quantity = smi::quantityOf(line.cells[at]);
        if (quantity && !quantity->unit.empty())
            m_cellsHaveUnits[at] = true;
        if (saysNotReported(line.cells[at]))
            sample.notReported.push_back(column.name);
        const CurveRole role = column.kind == Kind::Used    ? CurveRole::DeviceUsed
                               : column.kind == Kind::Free  ? CurveRole::DeviceFree
                               : column.kind == Kind::Total ? CurveRole::DeviceTotal
                                                            : CurveRole::DeviceReserved;
        sample.sizes.push_back({column.name, role, *bytes});
    }
    return true;
}

void SmiLog::addRow(const Line &line)
{
    if (m_columns.empty() || !isUsable(line))
        return;
    const auto time = timeOf(line.cells);
    if (!time) {
        problem(line.cutOff ? "The last line is cut off; it was left out."
                            : "A line has no time that is known; it was left out.",
                line);
        return;
    }
    if (m_clock.value_or(time->clock) != time->clock) {
        problem("A line has a time of another kind than the first; it was left out.", line);
        return;
    }
    place(time->time);
    smi::Sample sample;
    sample.time = time->time;
    identify(line.cells, sample);
    if (!addValues(line, sample)) {
        problem(line.cutOff ? "The last line is cut off; it was left out."
                            : "A line has a size that is none; it was left out.",
                line);
        return;
    }
    m_clock = time->clock;
    ++m_rows;
    m_devices.add(sample);
}

void SmiLog::finish()
{
    m_builder.setClock(m_clock.value_or(Clock::Relative));
    m_devices.finish(m_builder);
}

} // namespace

namespace {

/// Reads what nvidia-smi -q prints; false when the tick of the lines said so.
bool readQuery(LineReader &lines, std::string line, smi::Query &query)
{
    do {
        query.takeLine(line);
    } while (lines.next(line));
    query.finish();
    return !lines.stopped();
}

Error noMemory(const char *what, const char *record)
{
    return {ErrorCode::NotRecognized,
            std::string(what) + " of nvidia-smi has no memory column: record memory.used, with " +
                record + "."};
}

/// Reads the screens of nvidia-smi; false when the tick of the lines said so.
bool readScreens(LineReader &lines, smi::Screen &screen)
{
    std::string line;
    while (lines.next(line))
        screen.takeLine(line);
    return !lines.stopped();
}

Result<void> readScreensInto(LineReader &lines, SeriesBuilder &builder)
{
    smi::Devices devices;
    smi::Screen screen(devices, builder);
    if (!readScreens(lines, screen))
        return Error{ErrorCode::Cancelled, "Reading was cancelled."};
    if (!screen.foundMemory())
        return Error{ErrorCode::Empty, "No screen of nvidia-smi in this text is whole; record one "
                                       "again."};
    builder.setClock(screen.clock());
    devices.finish(builder);
    return {};
}

/// Reads into the builder, which takes the devices.
Result<void> readInto(LineReader &lines, SeriesBuilder &builder)
{
    const Error cancelled{ErrorCode::Cancelled, "Reading was cancelled."};
    const Error empty{ErrorCode::Empty, "The log has no complete line; let nvidia-smi run longer."};
    constexpr auto kLogCommand = "nvidia-smi --query-gpu=timestamp,index,memory.used,memory.total "
                                 "--format=csv -l 1";
    std::string line;
    while (lines.next(line) && line.find_first_not_of(" \t") == std::string::npos) {
    }
    if (!smi::beginsQuery(line)) {
        SmiLog log(lines, builder);
        if (!log.read(std::move(line)))
            return cancelled;
        if (!log.foundMemory())
            return noMemory("This log", kLogCommand);
        if (!log.hasSamples())
            return empty;
        log.finish();
        return {};
    }
    smi::Devices devices;
    smi::Query query(devices, builder);
    if (!readQuery(lines, std::move(line), query))
        return cancelled;
    if (!query.foundMemory())
        return noMemory("This report", "nvidia-smi -q -d MEMORY -l 1");
    if (devices.empty())
        return empty;
    builder.setClock(query.clock());
    devices.finish(builder);
    return {};
}

} // namespace

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
    const auto read = hasScreens ? readScreensInto(lines, builder) : readInto(lines, builder);
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
