// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/smi_query.h"

#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace vramscope::smi {

namespace {

constexpr std::string_view kRoot = "nvidia_smi_log";
constexpr std::size_t kDeepest = 16; // sections in sections; nvidia-smi has half as many
constexpr std::size_t kMostProcesses = 4096;

/// "FB Memory Usage" as XML has it: fb_memory_usage.
std::string keyOf(std::string_view text)
{
    std::string key(trimmed(text));
    for (char &c : key) {
        if (c >= 'A' && c <= 'Z')
            c = static_cast<char>(c + ('a' - 'A'));
        else if (c == ' ')
            c = '_';
    }
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

bool isAny(std::string_view key, std::initializer_list<std::string_view> keys)
{
    return std::ranges::find(keys, key) != keys.end();
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
    if (trimmed(line).empty())
        return;
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

/// Tags may stand in one line or in many.
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
                finish();
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

/// The sections within the device's, as a path.
std::string Query::section() const
{
    std::string path;
    for (std::size_t at = 1; at < m_path.size(); ++at)
        path += (at > 1 ? "/" : "") + m_path[at].key;
    return path;
}

void Query::openDevice(std::string_view bus)
{
    closeDevice();
    m_hasDevice = true;
    m_sample.device = m_sample.identity = std::string(trimmed(bus));
}

void Query::closeDevice()
{
    if (std::exchange(m_hasDevice, false) && !m_isOddReport) {
        if (!m_clock)
            m_builder.addProblem("The log has no times; its samples were taken to be a second "
                                 "apart.");
        m_sample.time = m_time;
        m_devices.add(m_sample);
        for (Sample &process : m_processes) {
            process.time = m_time;
            process.device = m_sample.device;
            m_devices.add(process);
        }
    }
    m_sample = {};
    m_processes.clear();
}

void Query::takeTime(std::string_view value)
{
    constexpr std::int64_t kSecond = 1'000'000'000;
    const auto time = parseLogTime(value);
    const Clock clock = time ? time->clock : Clock::Relative;
    m_time = time ? time->time : m_reports * kSecond;
    ++m_reports;
    if (time && m_reports == 1)
        m_clock = clock;
    m_isOddReport = m_clock.value_or(Clock::Relative) != clock;
    if (m_isOddReport)
        m_builder.addProblem("A report has a time of another kind than the first; it was left "
                             "out.");
}

void Query::takeValue(const std::string &key, std::string_view value)
{
    if (m_path.empty()) {
        if (key == "timestamp")
            takeTime(value);
    } else if (m_hasDevice && m_path.front().key == "gpu") {
        takeDeviceValue(section(), key, value);
    }
}

void Query::takeDeviceValue(const std::string &section, const std::string &key,
                            std::string_view value)
{
    if (section.empty() && key == "product_name")
        m_sample.name = value;
    else if (section.empty() && isAny(key, {"uuid", "gpu_uuid"}) && !isNotReported(value))
        m_sample.identity = value;
    else if (isAny(section, {"fb_memory_usage", "memory_usage"}))
        takeMemory(key, value);
    else if (section == "utilization" && isAny(key, {"gpu", "gpu_util"}))
        takeNumber("utilization.gpu", value);
    else if (section == "utilization" && isAny(key, {"memory", "memory_util"}))
        takeNumber("utilization.memory", value);
    else if (section == "temperature" && isAny(key, {"gpu_current_temp", "gpu_temp"}))
        takeNumber("temperature.gpu", value);
    else if (isAny(section, {"power_readings", "gpu_power_readings"}) &&
             isAny(key, {"power_draw", "average_power_draw", "instant_power_draw",
                         "instantaneous_power_draw"}))
        takeNumber("power.draw", value);
    else if (section.starts_with("processes"))
        takeProcess(key, value);
}

void Query::takeMemory(const std::string &key, std::string_view value)
{
    static constexpr std::array<std::pair<std::string_view, CurveRole>, 4> kParts{
        {{"used", CurveRole::DeviceUsed},
         {"free", CurveRole::DeviceFree},
         {"total", CurveRole::DeviceTotal},
         {"reserved", CurveRole::DeviceReserved}}};
    const auto *part = std::ranges::find(kParts, key, &decltype(kParts)::value_type::first);
    if (part == kParts.end())
        return;
    m_foundMemory = m_foundMemory || part->second == CurveRole::DeviceUsed;
    const std::string name = "memory." + key;
    if (isNotReported(value)) {
        m_sample.notReported.push_back(name);
        return;
    }
    const auto quantity = quantityOf(value);
    const Bytes unit = quantity ? bytesOfUnit(quantity->unit) : 0;
    const auto bytes = unit > 0 ? bytesOf(quantity->number, unit) : std::nullopt;
    if (bytes)
        m_sample.sizes.push_back({name, part->second, *bytes});
    else
        m_builder.addProblem("A size is none; it was left out.");
}

void Query::takeNumber(const char *name, std::string_view value)
{
    if (std::ranges::find(m_sample.values, name, &Sample::Value::name) != m_sample.values.end())
        return; // newer drivers give an average and the moment
    const auto quantity = quantityOf(value);
    if (!quantity) {
        if (isNotReported(value))
            m_sample.notReported.emplace_back(name);
        return;
    }
    double number = 0;
    (void)std::from_chars(quantity->number.data(),
                          quantity->number.data() + quantity->number.size(), number);
    m_sample.values.push_back({name, std::string(quantity->unit), number});
}

void Query::takeProcess(const std::string &key, std::string_view value)
{
    if (isAny(key, {"pid", "process_id"})) {
        if (m_processes.size() < kMostProcesses) {
            m_processes.emplace_back();
            m_processes.back().process = value;
        }
    } else if (m_processes.empty()) {
        return;
    } else if (isAny(key, {"name", "process_name"}) && !isNotReported(value)) {
        m_processes.back().process += " " + std::string(value);
    } else if (isAny(key, {"used_memory", "used_gpu_memory"})) {
        const auto quantity = quantityOf(value);
        const Bytes unit = quantity ? bytesOfUnit(quantity->unit) : 0;
        if (const auto bytes = unit > 0 ? bytesOf(quantity->number, unit) : std::nullopt)
            m_processes.back().sizes.push_back({"memory.used", CurveRole::DeviceUsed, *bytes});
        else
            m_processes.back().notReported.emplace_back("memory.used");
    }
}

void Query::finish()
{
    closeDevice();
}

} // namespace vramscope::smi
