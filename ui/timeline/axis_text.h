// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "ui/timeline/coordinates.h"

#include <QString>

#include <vector>

namespace vramscope {

/// Ticks and labels of an axis in bytes: round numbers of the unit that fits its upper end.
class ByteAxis
{
public:
    /// At most `most` steps.
    ByteAxis(const Range &bytes, ByteUnit unit, int most);

    /// The ticks, in bytes.
    [[nodiscard]] std::vector<double> values() const;
    /// A tick's number, without the unit.
    [[nodiscard]] QString text(double bytes) const;
    /// Any size with three digits, without the unit: "4.04", "12.0", "<0.1".
    [[nodiscard]] QString figure(Bytes bytes) const;
    /// "GiB"
    [[nodiscard]] const QString &unit() const { return m_unit; }

private:
    double m_unitBytes = 1;
    QString m_unit;
    Ticks m_ticks; // in units
};

/// Ticks and labels of an axis in µs: round numbers of the unit that fits its upper end, or clock
/// times (15 s, 10 min) if that is more than a minute.
class TimeAxis
{
public:
    /// At most `most` steps.
    TimeAxis(const Range &microseconds, int most);

    /// The ticks, in µs.
    [[nodiscard]] const std::vector<double> &values() const { return m_values; }
    /// "12.5 ms", "1.20 s", "10 min", "2 h 30 min", "1 min 5 s"
    [[nodiscard]] QString text(double microseconds) const;

private:
    double m_unitMicroseconds = 1;
    QString m_unit;
    std::vector<double> m_values;
    int m_decimals = 0;
};

} // namespace vramscope
