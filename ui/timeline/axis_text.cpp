// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/axis_text.h"

#include <array>
#include <cmath>

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

QString ByteAxis::figure(Bytes bytes) const
{
    const double value = static_cast<double>(bytes) / m_unitBytes;
    if (value > 0 && value < 0.1)
        return u"<0.1"_s;
    const int decimals = value == 0 || m_unitBytes == 1 || value >= 100 ? 0 : value < 10 ? 2 : 1;
    return QString::number(value, 'f', decimals);
}

namespace {

constexpr double kSecond = 1e6;
constexpr double kMinute = 60 * kSecond;
constexpr double kHour = 60 * kMinute;

// Steps that people count minutes and hours in.
std::vector<double> clockTicks(const Range &range, int most)
{
    static constexpr double kSteps[] = {
        1 * kSecond, 2 * kSecond, 5 * kSecond, 10 * kSecond, 15 * kSecond, 30 * kSecond,
        1 * kMinute, 2 * kMinute, 5 * kMinute, 10 * kMinute, 15 * kMinute, 30 * kMinute,
        1 * kHour,   2 * kHour,   3 * kHour,   6 * kHour,    12 * kHour};
    double step = 24 * kHour;
    for (const double one : kSteps) {
        if (range.length() / one <= most) {
            step = one;
            break;
        }
    }
    while (range.length() / step > most)
        step *= 2;
    std::vector<double> values;
    const double last = std::floor(range.high / step);
    const double first = std::ceil(range.low / step);
    const auto count = static_cast<int>(std::max(last - first + 1, 0.0));
    values.reserve(static_cast<std::size_t>(count));
    for (int tick = 0; tick < count; ++tick)
        values.push_back((first + tick) * step);
    return values;
}

} // namespace

TimeAxis::TimeAxis(const Range &microseconds, int most)
{
    const double high = microseconds.high;
    m_unitMicroseconds = high < 1e3 ? 1 : high < kSecond ? 1e3 : kSecond;
    m_unit = high < 1e3 ? u"µs"_s : high < kSecond ? u"ms"_s : u"s"_s;
    const Ticks ticks =
        niceTicks({microseconds.low / m_unitMicroseconds, high / m_unitMicroseconds},
                  std::max(most, 1), 1 / m_unitMicroseconds);
    if (high >= 2 * kMinute && ticks.step >= 1) {
        m_values = clockTicks(microseconds, std::max(most, 1));
        return;
    }
    m_decimals = ticks.decimals;
    for (const double value : ticks.values)
        m_values.push_back(value * m_unitMicroseconds);
}

QString TimeAxis::text(double microseconds) const
{
    if (m_unitMicroseconds < kSecond || microseconds < kMinute)
        return u"%1 %2"_s.arg(QString::number(microseconds / m_unitMicroseconds, 'f', m_decimals),
                              m_unit);
    const double hours = std::floor(microseconds / kHour);
    const double minutes = std::floor((microseconds - hours * kHour) / kMinute);
    const QString seconds = QString::number(
        (microseconds - hours * kHour - minutes * kMinute) / kSecond, 'f', m_decimals);
    QString text;
    if (hours > 0)
        text += u"%1 h "_s.arg(hours);
    if (minutes > 0)
        text += u"%1 min "_s.arg(minutes);
    if (seconds.toDouble() > 0)
        text += u"%1 s"_s.arg(seconds);
    return text.trimmed();
}

} // namespace vramscope
