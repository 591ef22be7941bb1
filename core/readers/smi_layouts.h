// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/readers/smi_devices.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace vramscope::smi {

/// Whether a line begins the output of `nvidia-smi -q`, as text or with -x as XML.
[[nodiscard]] bool beginsQuery(std::string_view line);

/// Whether a line gives the memory of a device as nvidia-smi's screen does: a cell between bars
/// with "71234MiB / 81559MiB".
[[nodiscard]] bool isScreenRow(std::string_view line);

/// A layout in which nvidia-smi prints the memory of devices, read line by line.
class Layout
{
public:
    /// Keeps a reference to the builder.
    explicit Layout(SeriesBuilder &builder)
        : m_builder(builder)
    {
    }
    Layout(const Layout &) = delete;
    Layout &operator=(const Layout &) = delete;
    virtual ~Layout() = default;

    virtual void takeLine(std::string_view line) = 0;
    /// Ends the text and passes the devices to the builder. An Error says what the text lacks.
    [[nodiscard]] Result<void> finish();

protected:
    virtual void end() {} ///< takes the open sample, if any
    [[nodiscard]] virtual Clock clock() const { return m_reports.clock(); }
    [[nodiscard]] virtual Error noMemory() const = 0;

    SeriesBuilder &m_builder;
    Devices m_devices;
    ReportClock m_reports;
    bool m_foundMemory = false;
};

/// The output of `nvidia-smi -q`: sections of "key : value" by indentation, or the same as XML;
/// once, or repeatedly with -l. Memory is that of the whole device, not of its MIG instances;
/// power, temperature, utilization and processes are read too.
class Query : public Layout
{
public:
    using Layout::Layout;
    void takeLine(std::string_view line) override;

private:
    struct Section
    {
        std::string key;
        std::size_t indent = 0; // of a text
    };

    void end() override { closeDevice(); }
    [[nodiscard]] Error noMemory() const override;
    void takeText(std::string_view line);
    void takeXml(std::string_view line);
    void openSection(std::string key, std::size_t indent = 0);
    void closeSection();
    void openDevice(std::string_view bus);
    void closeDevice();
    void takeValue(const std::string &key, std::string_view value);
    void takeDeviceValue(const Column &column, std::string_view value);
    void takeProcessValue(const Column &column, std::string_view value);
    void takeTime(std::string_view value);
    [[nodiscard]] std::string pathOf(const std::string &key) const;

    std::vector<Section> m_path; // from the outermost section that is read
    std::string m_text;          // between the tags of XML
    bool m_isXml = false;
    bool m_hasDevice = false;
    Sample m_sample;
    std::vector<Sample> m_processes;
};

/// The screen of `nvidia-smi` without options: once, or repeatedly as `watch`, `-l` or a loop of a
/// script prints it, between any other lines. Read are the memory of each whole device with its
/// utilization, temperature and power, and the processes below; the table of MIG instances is
/// skipped, as the memory of their device contains it. The layouts of drivers 3xx to 5xx: two or
/// three lines per device, processes with or without instances.
class Screen : public Layout
{
public:
    using Layout::Layout;
    void takeLine(std::string_view line) override;

private:
    enum class Table { Devices, Instances, Processes };

    [[nodiscard]] Error noMemory() const override;
    void beginScreen();
    void takeTime(std::string_view line);
    void takeCells(const std::vector<std::string_view> &cells);
    void takeName(std::string_view cell, std::string_view busCell);
    void takeFigures(std::string_view state, std::string_view memory, std::string_view use);
    void takeProcess(std::string_view cell);

    Table m_table = Table::Devices;
    std::optional<LogTime> m_stated; ///< the time printed before the next screen
    int m_lastOrdinal = -1;          ///< of the devices of the screen
    std::optional<Sample> m_open;    ///< a device with its memory in the next line
};

} // namespace vramscope::smi
