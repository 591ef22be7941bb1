// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/smi_screen.h"

#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace vramscope::smi {

namespace {

constexpr int kMostOrdinal = 4096;

std::vector<std::string_view> wordsOf(std::string_view text)
{
    std::vector<std::string_view> words;
    while (words.size() < kMostCells) {
        text.remove_prefix(std::min(text.find_first_not_of(" \t\r"), text.size()));
        if (text.empty())
            break;
        words.push_back(text.substr(0, text.find_first_of(" \t\r")));
        text.remove_prefix(words.back().size());
    }
    return words;
}

/// What stands between the bars of a line; empty where it has none around it.
std::vector<std::string_view> barredCells(std::string_view line)
{
    line = trimmed(line);
    std::vector<std::string_view> cells;
    if (line.size() < 2 || !line.starts_with('|') || !line.ends_with('|'))
        return cells;
    line.remove_prefix(1);
    while (!line.empty() && cells.size() < kMostCells) {
        const std::size_t bar = std::min(line.find('|'), line.size());
        cells.push_back(trimmed(line.substr(0, bar)));
        line.remove_prefix(std::min(bar + 1, line.size()));
    }
    return cells;
}

std::optional<int> ordinalOf(std::string_view word)
{
    int number = -1;
    const auto [stop, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    const bool isWhole = error == std::errc() && stop == word.data() + word.size();
    return isWhole && number >= 0 && number < kMostOrdinal ? std::optional(number) : std::nullopt;
}

std::optional<Bytes> sizeOf(std::string_view text)
{
    const auto quantity = quantityOf(trimmed(text));
    const Bytes unit = quantity ? bytesOfUnit(quantity->unit) : 0;
    return unit > 1 ? bytesOf(quantity->number, unit) : std::nullopt;
}

/// "71234MiB / 81559MiB".
std::optional<std::pair<Bytes, Bytes>> usedOfTotal(std::string_view cell)
{
    const std::size_t slash = cell.find('/');
    if (slash == std::string_view::npos)
        return {};
    const auto used = sizeOf(cell.substr(0, slash));
    const auto total = sizeOf(cell.substr(slash + 1));
    return used && total ? std::optional(std::pair(*used, *total)) : std::nullopt;
}

/// The first word that is a number with this unit, as a value of a sample.
void addValue(Sample &sample, const char *name, std::string_view unit, std::string_view cell)
{
    for (const std::string_view word : wordsOf(cell)) {
        const auto quantity = quantityOf(word);
        if (!quantity || quantity->unit != unit)
            continue;
        double number = 0;
        const char *const end = quantity->number.data() + quantity->number.size();
        (void)std::from_chars(quantity->number.data(), end, number);
        sample.values.push_back({name, std::string(unit), number});
        return;
    }
}

/// The type of a process: C, G, C+G, M+C.
bool isProcessType(std::string_view word)
{
    return !word.empty() && word.size() <= 5 &&
           word.find_first_not_of("CGM+") == std::string_view::npos && word.front() != '+';
}

} // namespace

bool isScreenRow(std::string_view line)
{
    const auto cells = barredCells(line);
    return std::ranges::any_of(cells,
                               [](std::string_view cell) { return usedOfTotal(cell).has_value(); });
}

void Screen::takeLine(std::string_view line)
{
    const auto cells = barredCells(line);
    if (cells.empty())
        return takeTime(trimmed(line));
    takeCells(cells);
}

/// The date that nvidia-smi prints above its tables, or a line of a script that is a time.
void Screen::takeTime(std::string_view line)
{
    constexpr std::size_t kLongest = 40;
    if (line.size() > kLongest || line.find(':') == std::string_view::npos)
        return;
    const auto time = parseLogTime(line);
    if (time && time->clock != Clock::Relative)
        m_stated = time;
}

void Screen::beginScreen()
{
    constexpr std::int64_t kSecond = 1'000'000'000;
    const auto stated = std::exchange(m_stated, {});
    const Clock clock = stated ? stated->clock : Clock::Relative;
    m_time = stated ? stated->time : m_screens * kSecond;
    if (!m_clock)
        m_clock = clock;
    m_isOddScreen = *m_clock != clock;
    if (m_isOddScreen)
        m_builder.addProblem(
            "A screen has a time of another kind than the first; it was left out.");
    else if (clock == Clock::Relative && m_screens == 1)
        m_builder.addProblem("The screens have no times; they were taken to be a second apart.");
    ++m_screens;
    m_table = Table::Devices;
    m_lastOrdinal = -1;
}

void Screen::takeCells(const std::vector<std::string_view> &cells)
{
    const std::string_view first = cells.front();
    if (first.starts_with("NVIDIA-SMI ") || first.starts_with("GPU  Name"))
        m_table = Table::Devices;
    else if (first.starts_with("MIG devices:"))
        m_table = Table::Instances;
    else if (first.starts_with("Processes:"))
        m_table = Table::Processes;
    else if (m_table == Table::Processes)
        takeProcess(first);
    else if (m_table == Table::Devices && cells.size() >= 3 && m_open)
        takeFigures(first, cells[1], cells[2]);
    else if (m_table == Table::Devices && cells.size() >= 2)
        takeName(first, cells[1]);
}

/// "0  NVIDIA H100 80GB HBM3          On" and "00000000:1B:00.0 Off".
void Screen::takeName(std::string_view cell, std::string_view busCell)
{
    constexpr std::array<std::string_view, 6> kModes{"On", "Off", "N/A", "WDDM", "TCC", "MCDM"};
    auto words = wordsOf(cell);
    const auto ordinal = words.empty() ? std::nullopt : ordinalOf(words.front());
    const auto bus = wordsOf(busCell);
    if (!ordinal || bus.empty() || bus.front().find(':') == std::string_view::npos)
        return;
    if (*ordinal <= m_lastOrdinal || m_lastOrdinal < 0)
        beginScreen();
    m_lastOrdinal = *ordinal;
    if (words.size() > 2 && std::ranges::find(kModes, words.back()) != kModes.end())
        words.pop_back();
    m_open.emplace();
    m_open->time = m_time;
    m_open->ordinal = *ordinal;
    m_open->device = std::to_string(*ordinal);
    m_open->identity = bus.front();
    for (const std::string_view word : std::span(words).subspan(1))
        m_open->name += (m_open->name.empty() ? "" : " ") + std::string(word);
}

/// "N/A   41C    P0    312W /  700W", "71234MiB /  81559MiB" and "97%      Default".
void Screen::takeFigures(std::string_view state, std::string_view memory, std::string_view use)
{
    Sample sample = std::move(*std::exchange(m_open, {}));
    if (const auto sizes = usedOfTotal(memory)) {
        m_foundMemory = true;
        sample.sizes = {{"memory.used", CurveRole::DeviceUsed, sizes->first},
                        {"memory.total", CurveRole::DeviceTotal, sizes->second}};
    } else {
        sample.notReported.emplace_back("memory.used");
    }
    addValue(sample, "utilization.gpu", "%", use);
    addValue(sample, "temperature.gpu", "C", state);
    addValue(sample, "power.draw", "W", state);
    if (!m_isOddScreen)
        m_devices.add(sample);
}

/// "0   N/A  N/A   12345   C   python   70610MiB"; without instances before driver 450.
void Screen::takeProcess(std::string_view cell)
{
    const auto words = wordsOf(cell);
    const auto ordinal = words.empty() ? std::nullopt : ordinalOf(words.front());
    const auto type = std::ranges::find_if(words, isProcessType);
    if (!ordinal || type == words.end() || type - words.begin() < 2 || words.end() - type < 2 ||
        m_isOddScreen)
        return;
    Sample sample;
    sample.time = m_time;
    sample.ordinal = *ordinal;
    sample.device = std::to_string(*ordinal);
    sample.process = *(type - 1);
    for (auto word = type + 1; word != words.end() - 1; ++word)
        sample.process += ' ' + std::string(*word);
    if (const auto bytes = sizeOf(words.back()))
        sample.sizes = {{"memory.used", CurveRole::DeviceUsed, *bytes}};
    else
        sample.notReported.emplace_back("memory.used");
    m_devices.add(sample);
}

} // namespace vramscope::smi
