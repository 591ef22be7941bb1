// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/series.h"

#include <map>
#include <memory>
#include <string>
#include <string_view>

namespace vramscope {

/// The only writer of Series.
class SeriesBuilder
{
public:
    explicit SeriesBuilder(std::string format);

    StringId internText(std::string_view text) { return m_series->m_strings.intern(text); }

    /// Adds a device with complete columns, each empty or as long as the times, which never go
    /// back.
    void addDevice(SeriesDevice device);
    void addDevices(std::vector<SeriesDevice> devices);
    void addSpans(SpanKind kind, std::int64_t count)
    {
        m_series->m_spanCounts[static_cast<std::size_t>(kind)] += count;
    }
    void addDescription(DeviceDescription description)
    {
        m_series->m_descriptions.push_back(std::move(description));
    }
    /// `value` is JSON text.
    void addFact(std::string_view name, std::string_view value)
    {
        m_series->m_facts.push_back({std::string(name), std::string(value)});
    }
    /// Counts an anomaly under `kind`; the first offset of a kind is kept.
    void addProblem(std::string_view kind, std::int64_t offset = -1, std::int64_t count = 1);
    void setClock(Clock clock) { m_series->m_clock = clock; }
    void setRank(int rank, int worldSize);

    /// The finished series; the builder is empty afterwards.
    [[nodiscard]] std::shared_ptr<const Series> finish();

private:
    std::shared_ptr<Series> m_series;
    std::map<std::string, std::size_t, std::less<>> m_problemIds;
};

} // namespace vramscope
