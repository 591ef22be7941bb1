// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/profile/profile_cells.h"

#include "ui/profile/profile_text.h"
#include "ui/support/text.h"

namespace vramscope::cells {

using namespace Qt::StringLiterals;

ProfileCell word(const QString &text, const QString &tip)
{
    return {text, 0, {}, tip};
}

ProfileCell nothing()
{
    return {u"–"_s, -1, {}, {}};
}

ProfileCell time(std::int64_t nanoseconds)
{
    return {durationText(nanoseconds), static_cast<double>(nanoseconds), nanoseconds,
            exactDurationText(nanoseconds)};
}

ProfileCell timeChange(std::int64_t nanoseconds)
{
    return {durationChangeText(nanoseconds), static_cast<double>(nanoseconds), nanoseconds,
            exactDurationChangeText(nanoseconds)};
}

ProfileCell count(std::int64_t number)
{
    return {countText(number), static_cast<double>(number), number, {}};
}

ProfileCell share(std::int64_t part, std::int64_t whole)
{
    return {timeShareText(part, whole),
            whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : -1,
            {},
            {}};
}

ProfileCell bytes(std::int64_t size, ByteUnit unit)
{
    return {bytesText(size, unit), static_cast<double>(size), size, exactBytesText(size, unit)};
}

ProfileCell rate(const std::optional<double> &gigabytes)
{
    if (!gigabytes)
        return nothing();
    return {u"≥ %1 GB/s"_s.arg(toQString(formatNumber(*gigabytes, 3))), *gigabytes, {}, {}};
}

ProfileColumn words(const QString &title)
{
    return {title, {}, true, {}};
}

ProfileColumn times(const QString &title, const QString &tip)
{
    return {title, tip, false, u"ns"_s};
}

ProfileColumn numbers(const QString &title, const QString &tip)
{
    return {title, tip, false, {}};
}

ProfileCell percent(const std::optional<double> &value)
{
    if (!value)
        return nothing();
    return {u"%1 %"_s.arg(*value, 0, 'f', 1), *value, {}, {}};
}

ProfileColumn counterColumn(KernelCounter counter)
{
    switch (counter) {
    case KernelCounter::Occupancy:
        return numbers(u"Achieved occ."_s,
                       u"Achieved occupancy: active warps of those that fit a multiprocessor, as "
                       "Nsight Compute counted"_s);
    case KernelCounter::SmThroughput:
        return numbers(u"SM"_s, u"SM throughput: the busiest unit of the multiprocessors, of its "
                                "peak, as Nsight Compute counted"_s);
    case KernelCounter::DramThroughput:
        break;
    }
    return numbers(u"DRAM"_s, u"DRAM throughput: of the peak of the device's memory, as Nsight "
                              "Compute counted"_s);
}

} // namespace vramscope::cells
