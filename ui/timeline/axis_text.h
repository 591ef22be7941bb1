// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "ui/timeline/coordinates.h"

#include <QString>

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
    /// "GiB"
    [[nodiscard]] const QString &unit() const { return m_unit; }

private:
    double m_unitBytes = 1;
    QString m_unit;
    Ticks m_ticks; // in units
};

} // namespace vramscope
