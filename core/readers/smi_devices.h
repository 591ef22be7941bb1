// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/readers/smi_columns.h"
#include "core/trace/series_builder.h"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace vramscope::smi {

/// One sample of one device, or of one process on it.
struct Sample
{
    std::int64_t time = 0;
    std::string device; ///< what tells it from others; empty where there is one
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
    std::vector<std::string> notReported; ///< columns that say so: "[N/A]"
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
    void fillCurves(SeriesDevice &device);

    std::map<std::string, std::size_t> m_keys;
    std::vector<SeriesDevice> m_devices;                   // in order of appearance
    std::map<std::size_t, std::set<std::string>> m_listed; // processes of its open sample
    std::size_t m_rows = 0;
    std::size_t m_filled = 0; // places of curves that no row of the file gave a value
    std::map<std::string, std::int64_t> m_notReported; // columns, and in how many rows
    std::set<std::string> m_reported;                  // those of them that have a value elsewhere
    bool m_leftOut = false; // a value or a curve, as there were too many such places
};

} // namespace vramscope::smi
