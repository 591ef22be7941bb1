// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/series_builder.h"

#include <algorithm>
#include <cassert>
#include <tuple>
#include <utility>

namespace vramscope {

namespace {

template<class T>
[[maybe_unused]] bool fits(const std::vector<T> &column, const SeriesDevice &device)
{
    return column.empty() || column.size() == device.time.size();
}

[[maybe_unused]] bool isComplete(const SeriesDevice &device)
{
    const auto full = [&](const auto &curve) { return curve.values.size() == device.time.size(); };
    return std::ranges::is_sorted(device.time) && std::ranges::all_of(device.bytes, full) &&
           std::ranges::all_of(device.numbers, full) && fits(device.change, device) &&
           fits(device.address, device) && fits(device.operation, device);
}

} // namespace

SeriesBuilder::SeriesBuilder(std::string format)
    : m_series(new Series) // the constructor is private
{
    m_series->m_format = std::move(format);
}

void SeriesBuilder::addDevice(SeriesDevice device)
{
    assert(isComplete(device));
    m_series->m_devices.push_back(std::move(device));
}

void SeriesBuilder::addDevices(std::vector<SeriesDevice> devices)
{
    if (m_series->m_devices.empty()) { // there may be very many: avoids a copy
        assert(std::ranges::all_of(devices, isComplete));
        m_series->m_devices = std::move(devices);
        return;
    }
    for (SeriesDevice &device : devices)
        addDevice(std::move(device));
}

void SeriesBuilder::addProblem(std::string_view kind, std::int64_t offset, std::int64_t count)
{
    std::vector<Problem> &problems = m_series->m_problems;
    const auto known = m_problemIds.find(kind);
    if (known != m_problemIds.end()) {
        problems[known->second].count += count;
        return;
    }
    m_problemIds.emplace(kind, problems.size());
    problems.push_back({std::string(kind), count, offset});
}

void SeriesBuilder::setRank(int rank, int worldSize)
{
    m_series->m_rank = rank;
    m_series->m_worldSize = worldSize;
}

std::shared_ptr<const Series> SeriesBuilder::finish()
{
    const auto place = [](const SeriesDevice &device) {
        return std::tuple(device.kind == DeviceKind::Cpu, device.kind, device.ordinal);
    };
    if (!std::ranges::is_sorted(m_series->m_devices, {}, place)) // sorting takes memory
        std::ranges::stable_sort(m_series->m_devices, {}, place);
    m_problemIds.clear();
    return std::exchange(m_series, nullptr);
}

} // namespace vramscope
