// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/smi_columns.h"

#include "core/readers/decimal.h"
#include "core/readers/log_time.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <utility>

namespace vramscope::smi {

namespace {

std::string_view trimmed(std::string_view text)
{
    const std::size_t first = text.find_first_not_of(" \t\r");
    if (first == std::string_view::npos)
        return {};
    return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

std::string lowered(std::string_view text)
{
    std::string lower(text);
    for (char &c : lower) {
        if (c >= 'A' && c <= 'Z')
            c = static_cast<char>(c + ('a' - 'A'));
    }
    return lower;
}

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

/// The words of nvidia-smi for the many ways to write a name: lower case, parted by dots.
std::string normalName(std::string_view text)
{
    std::string name = lowered(trimmed(text));
    for (char &c : name) {
        if (c == '_' || c == ' ' || c == '-' || c == '/')
            c = '.';
    }
    const auto replace = [&](std::string_view prefix, std::string_view with) {
        if (name.starts_with(prefix))
            name = std::string(with) + name.substr(prefix.size());
    };
    if (name.starts_with("gpu.memory") || name.starts_with("gpu.mem.") ||
        name.starts_with("gpu.vram"))
        replace("gpu.", "");
    replace("mem.", "memory.");
    replace("vram.", "memory.");
    if (name == "used.memory" || name == "used.gpu.memory" || name == "memory.usage" ||
        name == "memoryused" || name == "vram" || name == "fb")
        name = "memory.used";
    return name;
}

struct KnownName
{
    std::string_view name;
    Kind kind;
};

constexpr KnownName kNames[] = {
    {"timestamp", Kind::Time},
    {"time", Kind::Time},
    {"date", Kind::Time},
    {"datetime", Kind::Time},
    {"date.time", Kind::Time},
    {"ts", Kind::Time},
    {"epoch", Kind::Time},
    {"unix.time", Kind::Time},
    {"elapsed", Kind::Time},
    {"index", Kind::Index},
    {"gpu", Kind::Index},
    {"gpu.index", Kind::Index},
    {"gpu.id", Kind::Index},
    {"gpu.idx", Kind::Index},
    {"idx", Kind::Index},
    {"device", Kind::Index},
    {"device.id", Kind::Index},
    {"device.index", Kind::Index},
    {"uuid", Kind::Uuid},
    {"gpu.uuid", Kind::Uuid},
    {"pci.bus.id", Kind::Bus},
    {"gpu.bus.id", Kind::Bus},
    {"bus.id", Kind::Bus},
    {"pci.bus", Kind::Ignored},
    {"name", Kind::Name},
    {"gpu.name", Kind::Name},
    {"product.name", Kind::Name},
    {"memory.used", Kind::Used},
    {"memory.free", Kind::Free},
    {"memory.total", Kind::Total},
    {"pid", Kind::Process},
    {"process.id", Kind::Process},
    {"process.name", Kind::ProcessName},
    {"memory.reserved", Kind::Reserved},
    {"driver.version", Kind::Ignored},
    {"vbios.version", Kind::Ignored},
    {"serial", Kind::Ignored},
    {"gpu.serial", Kind::Ignored},
    {"count", Kind::Ignored},
    {"utilization.gpu", Kind::Number},
    {"utilization.memory", Kind::Number},
    {"gpu.utilization", Kind::Number},
    {"power.draw", Kind::Number},
    {"temperature.gpu", Kind::Number},
};

const KnownName *knownName(const std::string &name)
{
    const auto *found = std::ranges::find(kNames, name, &KnownName::name);
    return found == std::end(kNames) ? nullptr : found;
}

/// Takes a unit off the end of a name: "memory.used [MiB]", "memory (MB)", "memory_used_mb".
std::string takeUnit(std::string_view &cell)
{
    for (const auto &[open, close] : {std::pair('[', ']'), std::pair('(', ')')}) {
        const std::size_t first = cell.rfind(open);
        if (cell.ends_with(close) && first != std::string_view::npos) {
            std::string unit(trimmed(cell.substr(first + 1, cell.size() - first - 2)));
            cell = trimmed(cell.substr(0, first));
            return unit;
        }
    }
    const std::size_t last = cell.find_last_of("_. ");
    if (last != std::string_view::npos && last > 0) {
        const std::string_view word = cell.substr(last + 1);
        if (bytesOfUnit(word) > 0) {
            cell = cell.substr(0, last);
            return std::string(word);
        }
    }
    return {};
}

enum class Content { Nothing, Time, Uuid, Bus, Memory, WithUnit, Index, Number, Text };
constexpr std::size_t kContentCount = 9;

Content contentOf(const std::string &cell)
{
    if (cell.starts_with("GPU-") || cell.starts_with("MIG-"))
        return Content::Uuid;
    const auto colons = std::ranges::count(cell, ':');
    if (colons == 2 && cell.ends_with(".0") && cell.find(' ') == std::string::npos)
        return Content::Bus;
    const auto quantity = quantityOf(cell);
    if (!quantity) {
        const bool isNone = cell.empty() || cell.starts_with('[') || lowered(cell) == "n/a";
        return isNone ? Content::Nothing : parseLogTime(cell) ? Content::Time : Content::Text;
    }
    if (!quantity->unit.empty())
        return bytesOfUnit(quantity->unit) > 0 ? Content::Memory
               : parseLogTime(cell)            ? Content::Time
               : quantity->unit.size() <= 4    ? Content::WithUnit
                                               : Content::Text;
    const auto time = parseLogTime(cell);
    if (time && time->clock == Clock::Epoch)
        return Content::Time;
    const bool isShort = cell.size() <= 2 && std::ranges::all_of(cell, isDigit);
    return isShort ? Content::Index : Content::Number;
}

/// Between which numbers a column lies.
struct Candidate
{
    std::size_t column = 0;
    double least = 0;
    double most = 0;
};

/// What the cells of one column are, and between which numbers they lie.
struct ColumnContent
{
    std::array<std::size_t, kContentCount> counts{};
    Candidate range{0, std::numeric_limits<double>::max(), std::numeric_limits<double>::lowest()};
    std::string unit;

    [[nodiscard]] bool has(Content content) const
    {
        return counts[static_cast<std::size_t>(content)] > 0;
    }
};

ColumnContent contentOf(const std::vector<std::vector<std::string>> &lines, std::size_t column,
                        std::size_t width)
{
    ColumnContent content;
    content.range.column = column;
    for (const auto &line : lines) {
        if (line.size() != width)
            continue;
        ++content.counts[static_cast<std::size_t>(contentOf(line[column]))];
        if (const auto quantity = quantityOf(line[column])) {
            double value = 0;
            std::from_chars(quantity->number.data(),
                            quantity->number.data() + quantity->number.size(), value);
            content.range.least = std::min(content.range.least, value);
            content.range.most = std::max(content.range.most, value);
            content.unit = quantity->unit;
        }
    }
    return content;
}

/// Whether a column of small numbers tells devices apart: its values are 0 … n - 1 and come round
/// in this order. Rows of one round share their time, or else several rounds must be seen, as an
/// idle device's utilization may well read 0, 1. One number alone tells nothing apart.
bool countsDevices(const std::vector<std::vector<std::string>> &lines, std::size_t column,
                   std::optional<std::size_t> time, std::size_t width)
{
    std::vector<const std::vector<std::string> *> rows;
    std::size_t devices = 0;
    for (const auto &line : lines) {
        if (line.size() != width || line[column].empty() ||
            !std::ranges::all_of(line[column], isDigit) || line[column].size() > 2)
            continue;
        rows.push_back(&line);
        devices = std::max(devices, static_cast<std::size_t>(std::stoi(line[column])) + 1);
    }
    if (devices < 2 || rows.size() < devices)
        return false;
    std::size_t inOrder = 0;
    bool shareTime = time.has_value();
    for (std::size_t at = 1; at < rows.size(); ++at) {
        const auto before = static_cast<std::size_t>(std::stoi((*rows[at - 1])[column]));
        const auto now = static_cast<std::size_t>(std::stoi((*rows[at])[column]));
        inOrder += now == (before + 1) % devices ? std::size_t(1) : std::size_t(0);
        if (now == before + 1 && time)
            shareTime = shareTime && (*rows[at - 1])[*time] == (*rows[at])[*time];
    }
    const bool mostlyInOrder = inOrder * 10 >= (rows.size() - 1) * 9; // a line may be missing
    return mostlyInOrder && (shareTime || rows.size() >= 3 * devices);
}

/// What has been found to the left of a column.
struct Inferred
{
    bool time = false;
    bool index = false;
    bool number = false;
    int utilizations = 0;
};

/// A column that is not memory.
Column inferColumn(const ColumnContent &content, std::size_t at, bool isIndex, Inferred &inferred)
{
    const std::string number = "column " + std::to_string(at + 1);
    if (content.has(Content::Time))
        return std::exchange(inferred.time, true) ? Column{} : Column{Kind::Time, "timestamp", {}};
    if (content.has(Content::Uuid))
        return {Kind::Uuid, "uuid", {}};
    if (content.has(Content::Bus))
        return {Kind::Bus, "pci.bus.id", {}};
    if (content.has(Content::Text))
        return {Kind::Name, "name", {}};
    if (content.has(Content::WithUnit)) {
        inferred.number = true;
        if (content.unit != "%" || ++inferred.utilizations > 2)
            return {Kind::Number, number, content.unit};
        return {Kind::Number, inferred.utilizations == 1 ? "utilization.gpu" : "utilization.memory",
                "%"};
    }
    if (isIndex && !content.has(Content::Number) && !inferred.number &&
        !std::exchange(inferred.index, true))
        return {Kind::Index, "index", {}};
    inferred.number = true;
    return content.has(Content::Index) || content.has(Content::Number)
               ? Column{Kind::Number, number, {}}
               : Column{};
}

/// Which of some columns of memory is which: a constant one at or above the others is the total,
/// and of two more the first is what is used, as people ask for it.
void nameMemory(std::vector<Column> &columns, std::vector<Candidate> memory)
{
    const auto total = std::ranges::max_element(memory, {}, &Candidate::least);
    const bool hasTotal =
        memory.size() > 1 && total->least == total->most &&
        std::ranges::all_of(memory, [&](const Candidate &one) { return one.most <= total->least; });
    if (hasTotal) {
        columns[total->column] = {Kind::Total, "memory.total", {}};
        memory.erase(total);
    }
    if (!memory.empty())
        columns[memory[0].column] = {Kind::Used, "memory.used", {}};
    if (memory.size() == 2)
        columns[memory[1].column] = {Kind::Free, "memory.free", {}};
}

} // namespace

std::vector<std::string> splitCells(std::string_view line)
{
    std::vector<std::string> cells;
    std::string cell;
    bool quoted = false;
    for (std::size_t at = 0; at <= line.size() && cells.size() < kMostCells; ++at) {
        if (at == line.size() || (line[at] == ',' && !quoted)) {
            cells.emplace_back(trimmed(cell));
            cell.clear();
        } else if (line[at] == '"') {
            if (quoted && at + 1 < line.size() && line[at + 1] == '"')
                cell.push_back(line[++at]);
            else
                quoted = !quoted;
        } else {
            cell.push_back(line[at]);
        }
    }
    return cells;
}

std::vector<std::string> splitWords(std::string_view line)
{
    std::vector<std::string> words;
    for (std::size_t at = 0;
         words.size() < kMostCells &&
         (at = line.find_first_not_of(" \t\r", at)) != std::string_view::npos;) {
        const std::size_t stop = std::min(line.find_first_of(" \t\r", at), line.size());
        words.emplace_back(line.substr(at, stop - at));
        at = stop;
    }
    return words;
}

Column columnOf(std::string_view cell)
{
    cell = trimmed(cell);
    Column column;
    column.unit = takeUnit(cell);
    column.name = normalName(cell);
    const KnownName *known = knownName(column.name);
    column.kind = known ? known->kind : Kind::Number;
    return column;
}

bool isHeader(const std::vector<std::string> &cells)
{
    bool known = false;
    for (const std::string &cell : cells) {
        if (!cell.empty() && (isDigit(cell[0]) || cell[0] == '-' || cell.starts_with("[N")))
            return false;
        std::string_view name = cell;
        (void)takeUnit(name);
        known = known || knownName(normalName(name)) != nullptr;
    }
    return known;
}

std::optional<Quantity> quantityOf(std::string_view cell)
{
    const std::size_t size = std::min(cell.find_first_not_of("0123456789.-+"), cell.size());
    const std::string_view number = cell.substr(0, size);
    if (number.empty() || !scaledDecimal(number, 0))
        return {};
    return Quantity{number, trimmed(cell.substr(size))};
}

Bytes bytesOfUnit(std::string_view unit)
{
    struct Unit
    {
        std::string_view name;
        Bytes bytes;
    };
    constexpr Unit kUnits[] = {{"b", 1},     {"bytes", 1},       {"byte", 1},  {"kib", kKiB},
                               {"kb", kKiB}, {"mib", kMiB},      {"mb", kMiB}, {"gib", kGiB},
                               {"gb", kGiB}, {"tib", kGiB << 10}};
    const std::string lower = lowered(unit);
    const auto *found = std::ranges::find(kUnits, std::string_view(lower), &Unit::name);
    return found == std::end(kUnits) ? 0 : found->bytes;
}

std::optional<Bytes> bytesOf(std::string_view number, Bytes unit)
{
    const std::size_t point = std::min(number.find('.'), number.size());
    const auto whole =
        point == 0 ? std::optional<std::int64_t>(0) : scaledDecimal(number.substr(0, point), 0);
    Bytes bytes = 0;
    if (!whole || *whole < 0 || __builtin_mul_overflow(*whole, unit, &bytes))
        return {};
    if (point + 1 >= number.size())
        return bytes;
    // A fraction has few digits: billionths of a unit are exact to the byte below a GiB's worth.
    const auto fraction = scaledDecimal("0" + std::string(number.substr(point)), 9);
    if (!fraction || *fraction < 0)
        return {};
    const double part = static_cast<double>(*fraction) * 1e-9 * static_cast<double>(unit);
    return wrappingSum(bytes, std::llround(part));
}

std::vector<Column> inferColumns(const std::vector<std::vector<std::string>> &lines)
{
    std::vector<Column> columns(lines.empty() ? 0 : lines.front().size());
    std::vector<Candidate> memory;  // by their unit
    std::vector<Candidate> numbers; // without a unit
    std::vector<ColumnContent> contents;
    std::optional<std::size_t> time;
    for (std::size_t at = 0; at < columns.size(); ++at) {
        contents.push_back(contentOf(lines, at, columns.size()));
        if (!time && contents.back().has(Content::Time))
            time = at;
    }
    Inferred inferred;
    for (std::size_t at = 0; at < columns.size(); ++at) {
        const ColumnContent &content = contents[at];
        if (content.has(Content::Memory))
            memory.push_back(content.range);
        else if (content.has(Content::Number) && !content.has(Content::Text) &&
                 !content.has(Content::Time))
            numbers.push_back(content.range);
        const bool isIndex =
            content.has(Content::Index) && countsDevices(lines, at, time, columns.size());
        columns[at] = inferColumn(content, at, isIndex, inferred);
    }
    // Without units memory is what is large: in MiB it has more digits than any percentage.
    if (memory.empty())
        std::ranges::copy_if(numbers, std::back_inserter(memory),
                             [](const Candidate &one) { return one.most > 100; });
    if (!memory.empty())
        nameMemory(columns, std::move(memory));
    return columns;
}

} // namespace vramscope::smi
