// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "core/readers/smi.h"

#include <algorithm>
#include <array>
#include <utility>

namespace vramscope::smi {

namespace {

/// The cells between the bars of a line; empty for a line without bars around it.
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

std::optional<Bytes> sizeOf(std::string_view text)
{
    const auto quantity = quantityOf(trimmed(text));
    return quantity && bytesOfUnit(quantity->unit) > 1 ? quantity->bytes() : std::nullopt;
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

/// Takes the first word that is a number with this unit.
void takeNumber(Sample &sample, const char *name, std::string_view unit, std::string_view cell)
{
    for (const std::string_view word : wordsOf(cell)) {
        const auto quantity = quantityOf(word);
        if (quantity && quantity->unit == unit) {
            (void)sample.take({Kind::Number, name, {}}, word);
            return;
        }
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

/// The date that nvidia-smi prints above its tables, or a script's line with a time.
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
    const auto stated = std::exchange(m_stated, {});
    m_reports.begin(stated);
    if (m_reports.isOdd())
        m_builder.addProblem(
            "A screen has a time of another kind than the first; it was left out.");
    else if (!stated && m_reports.count() == 2)
        m_builder.addProblem("The screens have no times; they were taken to be a second apart.");
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
    m_open->time = m_reports.time();
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
    takeNumber(sample, "utilization.gpu", "%", use);
    takeNumber(sample, "temperature.gpu", "C", state);
    takeNumber(sample, "power.draw", "W", state);
    if (!m_reports.isOdd())
        m_devices.add(sample);
}

/// "0   N/A  N/A   12345   C   python   70610MiB"; without instances before driver 450.
void Screen::takeProcess(std::string_view cell)
{
    const auto words = wordsOf(cell);
    const auto ordinal = words.empty() ? std::nullopt : ordinalOf(words.front());
    const auto type = std::ranges::find_if(words, isProcessType);
    if (!ordinal || type == words.end() || type - words.begin() < 2 || words.end() - type < 2 ||
        m_reports.isOdd())
        return;
    Sample sample;
    sample.time = m_reports.time();
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

Error Screen::noMemory() const
{
    return {ErrorCode::Empty, "No screen of nvidia-smi in this text is whole; record one again."};
}

} // namespace vramscope::smi
