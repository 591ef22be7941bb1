// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/smi_columns.h"

#include "core/base/text.h"
#include "core/readers/decimal.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace vramscope::smi {

namespace {

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
    // rocm-smi: "VRAM Total Used Memory (B)"
    if (name == "memory.total.used.memory")
        name = "memory.used";
    if (name == "memory.total.memory")
        name = "memory.total";
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
    {"elapsed.time", Kind::Time},
    {"t", Kind::Time},
    {"seconds", Kind::Time},
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
    {"card.series", Kind::Name},
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
    {"gpu.use", Kind::Number},
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

/// What may stand behind a number: a unit, but not the rest of an id, a date or a hexadecimal
/// number such as 3B:00.0 and 0x20B0.
bool isUnit(std::string_view rest)
{
    constexpr std::array kAttached = {"%", "w", "c", "mhz", "ms", "s"};
    const std::string_view unit = trimmed(rest);
    const bool isWord = std::ranges::all_of(
        unit, [](char c) { return !isDigit(c) && c != ':' && c != '-' && c != ',' && c != ';'; });
    if (!isWord || unit.size() == rest.size())
        return unit.empty() || bytesOfUnit(unit) > 1 ||
               std::ranges::find(kAttached, lowered(unit)) != std::end(kAttached);
    return true;
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
    if (auto known = knownColumn(cell))
        return *std::move(known);
    cell = trimmed(cell);
    Column column;
    column.kind = Kind::Number;
    column.unit = takeUnit(cell);
    column.name = normalName(cell);
    return column;
}

std::optional<Column> knownColumn(std::string_view cell)
{
    cell = trimmed(cell);
    Column column;
    column.unit = takeUnit(cell);
    column.name = normalName(cell);
    if (const KnownName *known = knownName(column.name)) {
        column.kind = known->kind;
        return column;
    }
    // "mem_mb", "gpu_memory_used_gb": an amount of memory without a word of what is in use.
    constexpr std::array kMemory{"mem",  "memory",   "gpu.mem",  "gpu.memory",
                                 "used", "used.mem", "used.vram"};
    if (bytesOfUnit(column.unit) > 0 && std::ranges::find(kMemory, column.name) != kMemory.end()) {
        column.name = "memory.used";
        column.kind = Kind::Used;
        return column;
    }
    // "elapsed_sec", "time_ms"
    const std::size_t point = column.name.rfind('.');
    const std::string first = column.name.substr(0, std::min(point, column.name.size()));
    const KnownName *known = knownName(first);
    if (known == nullptr || known->kind != Kind::Time || point == std::string::npos ||
        nanosecondsOfUnit(column.name.substr(point + 1)) == 0)
        return {};
    column.kind = Kind::Time;
    column.unit = column.name.substr(point + 1);
    column.name = first;
    return column;
}

bool isHeader(const std::vector<std::string> &cells)
{
    bool known = false;
    for (const std::string &cell : cells) {
        if (!cell.empty() && (isDigit(cell[0]) || cell[0] == '-' || cell.starts_with("[N")))
            return false;
        known = known || knownColumn(cell).has_value();
    }
    return known;
}

std::optional<Quantity> quantityOf(std::string_view cell)
{
    const std::size_t size = std::min(cell.find_first_not_of("0123456789.-+"), cell.size());
    const std::string_view number = cell.substr(0, size);
    if (number.empty() || !scaledDecimal(number, 0) || !isUnit(cell.substr(size)))
        return {};
    return Quantity{number, trimmed(cell.substr(size))};
}

bool isNotReported(std::string_view cell)
{
    constexpr std::array kWords = {"",
                                   "-",
                                   "n/a",
                                   "err!",
                                   "not supported",
                                   "not available",
                                   "unknown error",
                                   "no data",
                                   "insufficient permissions"};
    return cell.starts_with('[') || std::ranges::find(kWords, lowered(cell)) != std::end(kWords);
}

std::int64_t nanosecondsOfUnit(std::string_view unit)
{
    constexpr std::array<std::pair<std::string_view, std::int64_t>, 8> kUnits{
        {{"s", 1'000'000'000},
         {"sec", 1'000'000'000},
         {"secs", 1'000'000'000},
         {"seconds", 1'000'000'000},
         {"ms", 1'000'000},
         {"msec", 1'000'000},
         {"us", 1'000},
         {"ns", 1}}};
    const auto *found = std::ranges::find(kUnits, unit, &decltype(kUnits)::value_type::first);
    return found == kUnits.end() ? 0 : found->second;
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

} // namespace vramscope::smi
