// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/smi.h"

#include "core/base/text.h"
#include "core/readers/decimal.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>

namespace vramscope::smi {

namespace {

/// The meaning of a column and all its names.
struct Meaning
{
    Kind kind;
    std::string_view name;                     // of the column; empty: as in the header
    std::array<std::string_view, 12> headers;  // of CSV and dmon, as normalName() writes them
    std::array<std::string_view, 8> reports{}; // section and key in -q and -q -x
};

constexpr Meaning kMeanings[] = {
    {Kind::Time,
     "",
     {"timestamp", "time", "date", "datetime", "date.time", "ts", "epoch", "unix.time", "elapsed",
      "elapsed.time", "t", "seconds"}},
    {Kind::Index,
     "",
     {"index", "gpu", "gpu.index", "gpu.id", "gpu.idx", "idx", "device", "device.id",
      "device.index"}},
    {Kind::Uuid, "", {"uuid", "gpu.uuid"}, {"uuid", "gpu_uuid"}},
    {Kind::Bus, "", {"pci.bus.id", "gpu.bus.id", "bus.id"}},
    {Kind::Name, "", {"name", "gpu.name", "product.name", "card.series"}, {"product_name"}},
    {Kind::Used,
     "memory.used",
     {"memory.used", "used.memory", "used.gpu.memory", "memory.usage", "memoryused", "vram", "fb",
      "memory.total.used.memory"},
     {"fb_memory_usage/used", "memory_usage/used", "processes/used_memory",
      "processes/used_gpu_memory"}},
    {Kind::Free, "memory.free", {"memory.free"}, {"fb_memory_usage/free", "memory_usage/free"}},
    {Kind::Total,
     "memory.total",
     {"memory.total", "memory.total.memory"},
     {"fb_memory_usage/total", "memory_usage/total"}},
    {Kind::Reserved,
     "memory.reserved",
     {"memory.reserved"},
     {"fb_memory_usage/reserved", "memory_usage/reserved"}},
    {Kind::Process, "", {"pid", "process.id"}, {"processes/pid", "processes/process_id"}},
    {Kind::ProcessName, "", {"process.name"}, {"processes/name", "processes/process_name"}},
    {Kind::Number, "", {"gpu.utilization", "gpu.use"}},
    {Kind::Number,
     "utilization.gpu",
     {"utilization.gpu"},
     {"utilization/gpu", "utilization/gpu_util"}},
    {Kind::Number,
     "utilization.memory",
     {"utilization.memory"},
     {"utilization/memory", "utilization/memory_util"}},
    {Kind::Number,
     "temperature.gpu",
     {"temperature.gpu"},
     {"temperature/gpu_current_temp", "temperature/gpu_temp"}},
    {Kind::Number,
     "power.draw",
     {"power.draw"},
     {"power_readings/power_draw", "power_readings/average_power_draw",
      "power_readings/instant_power_draw", "power_readings/instantaneous_power_draw",
      "gpu_power_readings/power_draw", "gpu_power_readings/average_power_draw",
      "gpu_power_readings/instant_power_draw", "gpu_power_readings/instantaneous_power_draw"}},
    {Kind::Ignored,
     "",
     {"pci.bus", "driver.version", "vbios.version", "serial", "gpu.serial", "count"}},
};

/// A column by one of its names; nothing if no meaning has it.
std::optional<Column> columnNamed(std::string_view name, auto names)
{
    const auto *found = std::ranges::find_if(
        kMeanings, [&](const Meaning &one) { return isOneOf(name, one.*names); });
    if (found == std::end(kMeanings) || name.empty())
        return {};
    return Column{found->kind, std::string(found->name.empty() ? name : found->name), {}};
}

/// A normal form for the name of a header: lower case, separated by dots.
std::string normalName(std::string_view text)
{
    std::string name = lowered(trimmed(text));
    std::ranges::replace_if(
        name, [](char c) { return std::string_view("_ -/").find(c) != std::string_view::npos; },
        '.');
    for (const std::string_view memory : {"gpu.memory", "gpu.mem.", "gpu.vram"}) {
        if (name.starts_with(memory))
            name.erase(0, 4);
    }
    for (const std::string_view memory : {"mem.", "vram."}) {
        if (name.starts_with(memory))
            name.replace(0, memory.size(), "memory.");
    }
    return name;
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

/// What may follow a number: a unit, but not the rest of an id, a date or a hexadecimal number such
/// as 3B:00.0 and 0x20B0.
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

std::vector<std::string_view> wordsOf(std::string_view line)
{
    std::vector<std::string_view> words;
    while (words.size() < kMostCells) {
        line.remove_prefix(std::min(line.find_first_not_of(" \t\r"), line.size()));
        if (line.empty())
            break;
        words.push_back(line.substr(0, line.find_first_of(" \t\r")));
        line.remove_prefix(words.back().size());
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
    const std::string unit = takeUnit(cell);
    const std::string name = normalName(cell);
    auto column = columnNamed(name, &Meaning::headers);
    // "mem_mb", "gpu_memory_used_gb": an amount of memory without saying whether it is in use.
    constexpr std::array<std::string_view, 7> kMemory{"mem",  "memory",   "gpu.mem",  "gpu.memory",
                                                      "used", "used.mem", "used.vram"};
    if (!column && bytesOfUnit(unit) > 0 && isOneOf(name, kMemory))
        column = Column{Kind::Used, "memory.used", {}};
    if (column) {
        column->unit = unit;
        return column;
    }
    // "elapsed_sec", "time_ms"
    const std::size_t point = std::min(name.rfind('.'), name.size());
    column = columnNamed(name.substr(0, point), &Meaning::headers);
    if (!column || column->kind != Kind::Time || point == name.size() ||
        nanosecondsOfUnit(name.substr(point + 1)) == 0)
        return {};
    column->unit = name.substr(point + 1);
    return column;
}

std::optional<Column> reportedColumn(std::string_view path)
{
    return columnNamed(path, &Meaning::reports);
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

double Quantity::value() const
{
    double value = 0;
    (void)std::from_chars(number.data(), number.data() + number.size(), value);
    return value;
}

bool isNotReported(std::string_view cell)
{
    constexpr std::array<std::string_view, 9> kWords{"",
                                                     "-",
                                                     "n/a",
                                                     "err!",
                                                     "not supported",
                                                     "not available",
                                                     "unknown error",
                                                     "no data",
                                                     "insufficient permissions"};
    return cell.starts_with('[') || isOneOf(lowered(cell), kWords);
}

std::int64_t nanosecondsOfUnit(std::string_view unit)
{
    constexpr std::pair<std::string_view, std::int64_t> kUnits[] = {
        {"s", 1'000'000'000},    {"sec", 1'000'000'000},
        {"secs", 1'000'000'000}, {"seconds", 1'000'000'000},
        {"ms", 1'000'000},       {"msec", 1'000'000},
        {"us", 1'000},           {"ns", 1}};
    const auto *found = std::ranges::find(kUnits, unit, [](const auto &one) { return one.first; });
    return found == std::end(kUnits) ? 0 : found->second;
}

Bytes bytesOfUnit(std::string_view unit)
{
    constexpr std::pair<std::string_view, Bytes> kUnits[] = {
        {"b", 1},      {"bytes", 1}, {"byte", 1},   {"kib", kKiB}, {"kb", kKiB},
        {"mib", kMiB}, {"mb", kMiB}, {"gib", kGiB}, {"gb", kGiB},  {"tib", kGiB << 10}};
    const std::string lower = lowered(unit);
    const auto *found = std::ranges::find(kUnits, std::string_view(lower),
                                          [](const auto &one) { return one.first; });
    return found == std::end(kUnits) ? 0 : found->second;
}

std::optional<Bytes> Quantity::bytes(std::string_view ofColumn, Bytes plain) const
{
    const std::string_view stated = unit.empty() ? ofColumn : unit;
    const Bytes factor = stated.empty() ? plain : bytesOfUnit(stated);
    const std::size_t point = std::min(number.find('.'), number.size());
    const auto whole =
        point == 0 ? std::optional<std::int64_t>(0) : scaledDecimal(number.substr(0, point), 0);
    Bytes bytes = 0;
    if (factor == 0 || !whole || *whole < 0 || __builtin_mul_overflow(*whole, factor, &bytes))
        return {};
    if (point + 1 >= number.size())
        return bytes;
    // A fraction has few digits: billionths of a unit are exact to the byte below a GiB's worth.
    const auto fraction = scaledDecimal("0" + std::string(number.substr(point)), 9);
    if (!fraction || *fraction < 0)
        return {};
    const double part = static_cast<double>(*fraction) * 1e-9 * static_cast<double>(factor);
    return wrappingSum(bytes, std::llround(part));
}

std::optional<int> ordinalOf(std::string_view cell)
{
    constexpr std::int64_t kMostDevices = 4096;
    const std::int64_t number = wholeNumber(cell).value_or(-1);
    return number >= 0 && number < kMostDevices ? std::optional(static_cast<int>(number))
                                                : std::nullopt;
}

} // namespace vramscope::smi
