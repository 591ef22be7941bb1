// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/space_text.h"

#include "ui/support/text.h"
#include "ui/timeline/stacked_body.h"

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

QString addressText(std::uint64_t address)
{
    return u"0x%1"_s.arg(address, 0, 16);
}

QStringList described(const TimelineData &data, AllocationIndex allocation)
{
    return data.describe ? data.describe(allocation) : QStringList();
}

QStringList blockText(const Region &block, const TimelineData &data, ByteUnit unit)
{
    const Bytes requested = data.allocations->requested[block.allocation];
    QStringList lines = described(data, block.allocation);
    if (lines.isEmpty())
        lines << exactBytesText(requested, unit);
    lines.insert(1, u"block of %1 at %2"_s.arg(exactBytesText(block.size, unit),
                                               addressText(block.address)));
    if (block.pendingFree)
        lines.insert(2, u"freed, but waits until another stream is done with it"_s);
    else if (block.size > requested)
        lines.insert(2, u"rounding %1"_s.arg(exactBytesText(block.size - requested, unit)));
    return lines;
}

// One line for a neighbour of a hole: the bytes and the site of its allocation.
QString neighbourText(const Region &block, const TimelineData &data, ByteUnit unit)
{
    const QStringList lines = described(data, block.allocation);
    const QString size = bytesText(block.size, unit);
    return lines.size() > 1 && !lines[1].isEmpty() ? u"%1, %2"_s.arg(size, lines[1]) : size;
}

QStringList holeText(const SpaceState &state, const SpaceState::Segment &segment,
                     std::uint32_t index, const TimelineData &data, ByteUnit unit)
{
    const Region &hole = state.regions[index];
    QStringList lines{u"Free: %1"_s.arg(exactBytesText(hole.size, unit)),
                      u"at %1"_s.arg(addressText(hole.address))};
    if (hole.releasable == hole.size) {
        lines << u"releasable: nothing in use holds it"_s;
    } else if (hole.releasable > 0) {
        lines << u"releasable as whole pages: %1; the rest is stranded"_s.arg(
            bytesText(hole.releasable, unit));
    } else {
        lines << u"stranded: other blocks of the same %1 are in use"_s.arg(
            segment.life.expandable ? u"page"_s : u"segment"_s);
    }
    const bool first = index == segment.firstRegion;
    const bool last = index + 1 == segment.firstRegion + segment.regionCount;
    if (first && last)
        return lines;
    lines << u"before it: %1"_s.arg(first ? u"the start of the segment"_s
                                          : neighbourText(state.regions[index - 1], data, unit))
          << u"behind it: %1"_s.arg(last ? u"the end of the segment"_s
                                         : neighbourText(state.regions[index + 1], data, unit));
    return lines;
}

} // namespace

QString groupName(const SpaceGroup &group, const TimelineData &data, bool several)
{
    QString name = group.kind == SpaceKind::Large        ? u"Large segments"_s
                   : group.kind == SpaceKind::Small      ? u"Small segments"_s
                   : group.kind == SpaceKind::Expandable ? u"Expandable segments"_s
                   : data.poolName                       ? data.poolName(group.pool)
                                                         : u"Private pool"_s;
    if (several && data.streamName)
        name += u", "_s + data.streamName(group.stream);
    return capitalized(std::move(name));
}

QString groupFigures(const SpaceGroup &group, ByteUnit unit)
{
    QStringList parts{countText(group.count), bytesText(group.bands.reserved(), unit)};
    if (group.bands.stranded > 0)
        parts << u"%1 stranded"_s.arg(bytesText(group.bands.stranded, unit));
    if (group.bands.releasable > 0)
        parts << u"%1 releasable"_s.arg(bytesText(group.bands.releasable, unit));
    return parts.join(u" · "_s);
}

QStringList groupText(const SpaceGroup &group, const QString &name, ByteUnit unit)
{
    QStringList lines{name, u"%1, reserved %2"_s.arg(countedText(group.count, "segment"),
                                                     exactBytesText(group.bands.reserved(), unit))};
    for (const BandLook &look : bandLooks())
        lines << u"%1  %2"_s.arg(look.name, exactBytesText(group.bands.*look.bytes, unit));
    return lines;
}

QStringList regionText(const SpaceState &state, const SpaceGeometry::Hit &hit,
                       const TimelineData &data, ByteUnit unit)
{
    const SpaceState::Segment &segment = state.segments[hit.segment];
    const Region &region = state.regions[hit.region];
    QStringList lines = region.allocation == kNoAllocation
                            ? holeText(state, segment, hit.region, data, unit)
                            : blockText(region, data, unit);
    lines << u"in a segment of %1 at %2"_s.arg(bytesText(segment.life.size, unit),
                                               addressText(segment.life.address));
    return lines;
}

} // namespace vramscope
