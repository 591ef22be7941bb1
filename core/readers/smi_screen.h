// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/readers/log_time.h"
#include "core/readers/smi_devices.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace vramscope::smi {

/// Whether a line of a text gives the memory of a device as the screen of nvidia-smi does: a cell
/// between bars with "71234MiB / 81559MiB".
[[nodiscard]] bool isScreenRow(std::string_view line);

/// The screen of `nvidia-smi` without options, taken line by line: once, or again and again as
/// `watch`, `-l` or a loop of a script prints it, between any other lines. The memory of each whole
/// device with its utilization, temperature and power, and of the processes below; the table of MIG
/// instances is passed over, which the memory of their device contains. The layouts of drivers 3xx
/// to 5xx: two or three lines a device, processes with or without instances.
class Screen
{
public:
    /// Keeps references to the arguments.
    Screen(Devices &devices, SeriesBuilder &builder)
        : m_devices(devices)
        , m_builder(builder)
    {
    }

    void takeLine(std::string_view line);
    [[nodiscard]] bool foundMemory() const { return m_foundMemory; }
    [[nodiscard]] Clock clock() const { return m_clock.value_or(Clock::Relative); }

private:
    enum class Table { Devices, Instances, Processes };

    void beginScreen();
    void takeTime(std::string_view line);
    void takeCells(const std::vector<std::string_view> &cells);
    void takeName(std::string_view cell, std::string_view busCell);
    void takeFigures(std::string_view state, std::string_view memory, std::string_view use);
    void takeProcess(std::string_view cell);

    Devices &m_devices;
    SeriesBuilder &m_builder;
    Table m_table = Table::Devices;
    std::optional<LogTime> m_stated; ///< the time in front of the screen that comes
    std::optional<Clock> m_clock;
    std::int64_t m_time = 0; ///< of the screen
    std::int64_t m_screens = 0;
    bool m_isOddScreen = false;   ///< its time is of another kind than the first
    int m_lastOrdinal = -1;       ///< of the devices of the screen
    std::optional<Sample> m_open; ///< a device whose memory comes in the next line
    bool m_foundMemory = false;
};

} // namespace vramscope::smi
