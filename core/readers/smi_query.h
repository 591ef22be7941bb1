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

/// Whether a line begins what `nvidia-smi -q` prints, as text or with -x as XML.
[[nodiscard]] bool beginsQuery(std::string_view line);

/// What `nvidia-smi -q` prints, taken line by line: sections of "key : value" told by their
/// indentation, or the same as XML; once, or again and again with -l. Memory is that of the whole
/// device, not of its MIG instances, beside it power, temperature, utilization and processes.
class Query
{
public:
    /// Keeps references to the arguments.
    Query(Devices &devices, SeriesBuilder &builder)
        : m_devices(devices)
        , m_builder(builder)
    {
    }

    void takeLine(std::string_view line);
    /// Takes the device that is open.
    void finish();

    [[nodiscard]] bool foundMemory() const { return m_foundMemory; }
    [[nodiscard]] Clock clock() const { return m_clock.value_or(Clock::Relative); }

private:
    struct Section
    {
        std::string key;
        std::size_t indent = 0; // of a text
    };

    void takeText(std::string_view line);
    void takeXml(std::string_view line);
    void openSection(std::string key, std::size_t indent = 0);
    void closeSection();
    void openDevice(std::string_view bus);
    void closeDevice();
    void takeValue(const std::string &key, std::string_view value);
    void takeDeviceValue(const std::string &section, const std::string &key,
                         std::string_view value);
    void takeMemory(const std::string &key, std::string_view value);
    void takeNumber(const char *name, std::string_view value);
    void takeProcess(const std::string &key, std::string_view value);
    void takeTime(std::string_view value);
    [[nodiscard]] std::string section() const;

    Devices &m_devices;
    SeriesBuilder &m_builder;
    std::vector<Section> m_path; // from the outermost section that is read
    std::string m_text;          // between the tags of XML
    bool m_isXml = false;
    bool m_hasDevice = false;
    bool m_foundMemory = false;
    std::optional<Clock> m_clock;
    std::int64_t m_time = 0;
    std::int64_t m_reports = 0;
    bool m_isOddReport = false; // its time is of another kind than the first
    Sample m_sample;
    std::vector<Sample> m_processes;
};

} // namespace vramscope::smi
