// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/axis_text.h"

#include <array>

namespace vramscope {

using namespace Qt::StringLiterals;

ByteAxis::ByteAxis(const Range &bytes, ByteUnit unit, int most)
{
    const bool binary = unit == ByteUnit::Binary;
    const std::array<QString, 4> names = binary ? std::array{u"B"_s, u"KiB"_s, u"MiB"_s, u"GiB"_s}
                                                : std::array{u"B"_s, u"kB"_s, u"MB"_s, u"GB"_s};
    std::size_t power = 0;
    while (power + 1 < names.size() && bytes.high >= m_unitBytes * (binary ? 1024 : 1000)) {
        m_unitBytes *= binary ? 1024 : 1000;
        ++power;
    }
    m_unit = names[power];
    m_ticks = niceTicks({bytes.low / m_unitBytes, bytes.high / m_unitBytes}, std::max(most, 1),
                        1 / m_unitBytes);
}

std::vector<double> ByteAxis::values() const
{
    std::vector<double> bytes = m_ticks.values;
    for (double &value : bytes)
        value *= m_unitBytes;
    return bytes;
}

QString ByteAxis::text(double bytes) const
{
    return QString::number(bytes / m_unitBytes, 'f', m_ticks.decimals);
}

} // namespace vramscope
