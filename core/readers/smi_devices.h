// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/readers/log_time.h"
#include "core/readers/smi_columns.h"
#include "core/trace/series_builder.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace vramscope::smi {

/// The role of a column of sizes; nothing for other columns.
[[nodiscard]] std::optional<CurveRole> roleOf(Kind kind);

/// One sample of one device, or of one process on it.
struct Sample
{
    std::int64_t time = 0;
    std::string device; ///< distinguishes it from other devices; empty if there is only one
    int ordinal = -1;
    std::string name;
    std::string identity;
    std::string process; ///< number and name; empty in samples of a device
    struct Size
    {
        std::string name;
        CurveRole role;
        Bytes bytes;
    };
    std::vector<Size> sizes;
    struct Value
    {
        std::string name;
        std::string unit;
        double number;
    };
    std::vector<Value> values;
    std::vector<std::string> notReported; ///< columns without a value: "[N/A]"

    /// Takes a cell of a column of sizes or numbers. The unit of the cell overrides that of the
    /// column, which overrides `plain` bytes. Returns false and takes nothing if the cell has no
    /// such value.
    bool take(const Column &column, std::string_view cell, Bytes plain = 0);
};

/// The times of consecutive reports: the printed ones, or one second apart without them.
class ReportClock
{
public:
    /// The next report begins.
    void begin(const std::optional<LogTime> &stated);
    [[nodiscard]] std::int64_t time() const { return m_time; }
    /// Reports so far.
    [[nodiscard]] std::int64_t count() const { return m_count; }
    /// That of the first report.
    [[nodiscard]] Clock clock() const { return m_first.value_or(Clock::Relative); }
    /// Whether the first report has a time.
    [[nodiscard]] bool isStated() const { return m_first.has_value(); }
    /// Whether the time of this report is on another clock than the first.
    [[nodiscard]] bool isOdd() const { return m_isOdd; }

private:
    std::optional<Clock> m_first;
    std::int64_t m_time = 0;
    std::int64_t m_count = 0;
    bool m_isOdd = false;
};

/// Collects samples into the columns of their devices.
class Devices
{
public:
    void add(const Sample &sample);
    [[nodiscard]] bool empty() const { return m_devices.empty(); }
    /// Adds the devices to the builder, samples by time.
    void finish(SeriesBuilder &builder);

private:
    void addProcess(SeriesDevice &device, const Sample &sample);
    void tellNotReported(SeriesBuilder &builder) const;
    void openSample(SeriesDevice &device, std::int64_t time);
    Bytes *cell(SeriesDevice &device, const std::string &name, CurveRole role);
    template<class T>
    T *extend(std::vector<T> &values, std::size_t count, T blank);
    bool mayFill(std::size_t gap);
    template<class Curve>
    void finishCurves(std::vector<Curve> &curves, std::size_t count);

    std::map<std::string, std::size_t> m_keys;
    std::vector<SeriesDevice> m_devices;                   // in order of appearance
    std::map<std::size_t, std::set<std::string>> m_listed; // processes of its open sample
    std::size_t m_rows = 0;
    std::size_t m_filled = 0; // places of curves without a value in any row of the file
    std::map<std::string, std::int64_t> m_notReported; // columns, and in how many rows
    std::set<std::string> m_reported;                  // those of them that have a value elsewhere
    bool m_leftOut = false; // a value or a curve, for too many such places
};

} // namespace vramscope::smi
