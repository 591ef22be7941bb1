// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "core/readers/smi.h"

#include <algorithm>
#include <array>
#include <utility>

namespace vramscope::smi {

namespace {

constexpr std::string_view kRoot = "nvidia_smi_log";
constexpr std::size_t kDeepest = 16; // nested sections; nvidia-smi has half as many
constexpr std::size_t kMostProcesses = 4096;

/// "FB Memory Usage" in the form of XML: fb_memory_usage.
std::string keyOf(std::string_view text)
{
    std::string key = lowered(trimmed(text));
    std::ranges::replace(key, ' ', '_');
    return key;
}

std::string unescaped(std::string_view text)
{
    static constexpr std::array<std::pair<std::string_view, char>, 5> kEntities{
        {{"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&apos;", '\''}, {"&amp;", '&'}}};
    std::string plain;
    while (!text.empty()) {
        const auto *entity = std::ranges::find_if(
            kEntities, [&](const auto &known) { return text.starts_with(known.first); });
        if (entity == kEntities.end()) {
            plain.push_back(text.front());
            text.remove_prefix(1);
        } else {
            plain.push_back(entity->second);
            text.remove_prefix(entity->first.size());
        }
    }
    return plain;
}

std::string_view attributeOf(std::string_view tag, std::string_view name)
{
    const std::size_t at = tag.find(std::string(name) + "=\"");
    if (at == std::string_view::npos)
        return {};
    const std::string_view value = tag.substr(at + name.size() + 2);
    return value.substr(0, value.find('"'));
}

} // namespace

bool beginsQuery(std::string_view line)
{
    line = trimmed(line);
    return (line.starts_with("====") && line.find("NVSMI LOG") != std::string_view::npos) ||
           line.starts_with("<?xml") || line.starts_with("<!DOCTYPE nvidia_smi_log") ||
           line.starts_with("<nvidia_smi_log");
}

void Query::takeLine(std::string_view line)
{
    if (m_path.empty() && beginsQuery(line))
        m_isXml = trimmed(line).starts_with('<');
    if (m_isXml)
        takeXml(line);
    else
        takeText(line);
}

void Query::takeText(std::string_view line)
{
    const std::size_t indent = line.find_first_not_of(" \t");
    while (!m_path.empty() && m_path.back().indent >= indent)
        closeSection();
    line = trimmed(line);
    const std::size_t colon = line.find(" : ");
    if (indent == 0 && colon == std::string_view::npos && line.starts_with("GPU ")) {
        openSection("gpu", indent);
        openDevice(line.substr(4));
        return;
    }
    // "Process ID : 123" has a value and parts of its own.
    const std::string key = keyOf(line.substr(0, std::min(colon, line.size())));
    if (colon != std::string_view::npos)
        takeValue(key, trimmed(line.substr(colon + 3)));
    else if (line.ends_with(" :"))
        return;
    openSection(key, indent);
}

/// Tags may be on one line or on many.
void Query::takeXml(std::string_view line)
{
    constexpr std::size_t kLongestText = 4096;
    while (!line.empty()) {
        const std::size_t open = std::min(line.find('<'), line.size());
        if (m_text.size() + open <= kLongestText)
            m_text += line.substr(0, open);
        const std::size_t close = line.find('>', open);
        if (close == std::string_view::npos)
            return;
        const std::string_view tag = line.substr(open + 1, close - open - 1);
        line.remove_prefix(close + 1);
        if (tag.starts_with('/')) {
            if (m_path.empty())
                continue;
            const std::string key = m_path.back().key;
            closeSection();
            if (!trimmed(m_text).empty())
                takeValue(key, unescaped(trimmed(m_text)));
        } else if (!tag.empty() && !tag.starts_with('?') && !tag.starts_with('!') &&
                   !tag.ends_with('/')) {
            const std::string key = keyOf(tag.substr(0, tag.find_first_of(" \t")));
            if (key == kRoot) {
                closeDevice();
                m_path.clear();
            } else {
                openSection(key);
                if (m_path.size() == 1 && key == "gpu")
                    openDevice(attributeOf(tag, "id"));
            }
        }
        m_text.clear();
    }
}

void Query::openSection(std::string key, std::size_t indent)
{
    if (m_path.size() == kDeepest)
        m_path.pop_back();
    m_path.push_back({std::move(key), indent});
}

void Query::closeSection()
{
    if (m_path.size() == 1 && m_path.back().key == "gpu")
        closeDevice();
    m_path.pop_back();
}

/// The sections within the device's and the key. Processes nest their values in sections of their
/// own, which differ between text and XML.
std::string Query::pathOf(const std::string &key) const
{
    std::string path;
    for (std::size_t at = 1; at < m_path.size(); ++at)
        path += m_path[at].key + "/";
    return (path.starts_with("processes") ? "processes/" : path) + key;
}

void Query::openDevice(std::string_view bus)
{
    closeDevice();
    m_hasDevice = true;
    m_sample.device = m_sample.identity = std::string(trimmed(bus));
}

void Query::closeDevice()
{
    if (std::exchange(m_hasDevice, false) && !m_reports.isOdd()) {
        if (!m_reports.isStated())
            m_builder.addProblem("The log has no times; its samples were taken to be a second "
                                 "apart.");
        m_sample.time = m_reports.time();
        m_devices.add(m_sample);
        for (Sample &process : m_processes) {
            process.time = m_reports.time();
            process.device = m_sample.device;
            m_devices.add(process);
        }
    }
    m_sample = {};
    m_processes.clear();
}

void Query::takeTime(std::string_view value)
{
    m_reports.begin(parseLogTime(value));
    if (m_reports.isOdd())
        m_builder.addProblem("A report has a time of another kind than the first; it was left "
                             "out.");
}

void Query::takeValue(const std::string &key, std::string_view value)
{
    if (m_path.empty()) {
        if (key == "timestamp")
            takeTime(value);
        return;
    }
    const std::string path = pathOf(key);
    const auto column = reportedColumn(path);
    if (!m_hasDevice || m_path.front().key != "gpu" || !column)
        return;
    if (path.starts_with("processes/"))
        takeProcessValue(*column, value);
    else
        takeDeviceValue(*column, value);
}

void Query::takeDeviceValue(const Column &column, std::string_view value)
{
    const bool isSize = column.kind != Kind::Number;
    if (column.kind == Kind::Name) {
        m_sample.name = value;
        return;
    }
    if (column.kind == Kind::Uuid) {
        m_sample.identity = isNotReported(value) ? m_sample.identity : std::string(value);
        return;
    }
    // Newer drivers give an average and the current value.
    if (std::ranges::find(m_sample.values, column.name, &Sample::Value::name) !=
        m_sample.values.end())
        return;
    m_foundMemory = m_foundMemory || column.kind == Kind::Used;
    if (m_sample.take(column, value))
        return;
    if (isNotReported(value))
        m_sample.notReported.push_back(column.name);
    else if (isSize)
        m_builder.addProblem("A size is none; it was left out.");
}

void Query::takeProcessValue(const Column &column, std::string_view value)
{
    if (column.kind == Kind::Process && m_processes.size() < kMostProcesses)
        m_processes.emplace_back().process = value;
    if (column.kind == Kind::Process || m_processes.empty())
        return;
    Sample &process = m_processes.back();
    if (column.kind == Kind::ProcessName)
        process.process += isNotReported(value) ? "" : " " + std::string(value);
    else if (!process.take(column, value))
        process.notReported.push_back(column.name);
}

Error Query::noMemory() const
{
    return {ErrorCode::NotRecognized,
            "This report of nvidia-smi has no memory column: record memory.used, with nvidia-smi "
            "-q -d MEMORY -l 1."};
}

} // namespace vramscope::smi
