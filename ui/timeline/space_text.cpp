// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/space_text.h"

#include "ui/support/text.h"
#include "ui/timeline/bands_body.h"

#include <QCoreApplication>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

QString tr(const char *text)
{
    return QCoreApplication::translate("SpaceText", text);
}

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
    const Bytes requested = data.allocations->size[block.allocation];
    QStringList lines = described(data, block.allocation);
    if (lines.isEmpty())
        lines << exactBytesText(requested, unit);
    lines.insert(
        1,
        tr("block of %1 at %2").arg(exactBytesText(block.size, unit), addressText(block.address)));
    if (block.pendingFree)
        lines.insert(2, tr("freed, but waits until another stream is done with it"));
    else if (block.size > requested)
        lines.insert(2, tr("rounding %1").arg(exactBytesText(block.size - requested, unit)));
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
    QStringList lines{tr("Free: %1").arg(exactBytesText(hole.size, unit)),
                      tr("at %1").arg(addressText(hole.address))};
    if (hole.releasable == hole.size) {
        lines << tr("releasable: nothing in use holds it");
    } else if (hole.releasable > 0) {
        lines << tr("releasable as whole pages: %1; the rest is stranded")
                     .arg(bytesText(hole.releasable, unit));
    } else {
        lines << tr("stranded: blocks of the same %1 hold it fast")
                     .arg(segment.life.expandable ? tr("page") : tr("segment"));
    }
    const bool first = index == segment.firstRegion;
    const bool last = index + 1 == segment.firstRegion + segment.regionCount;
    if (first && last)
        return lines;
    lines << tr("before it: %1")
                 .arg(first ? tr("the start of the segment")
                            : neighbourText(state.regions[index - 1], data, unit))
          << tr("behind it: %1")
                 .arg(last ? tr("the end of the segment")
                           : neighbourText(state.regions[index + 1], data, unit));
    return lines;
}

} // namespace

QString groupName(const SpaceGroup &group, const TimelineData &data, bool several)
{
    QString name = group.kind == SpaceKind::Large        ? tr("Large segments")
                   : group.kind == SpaceKind::Small      ? tr("Small segments")
                   : group.kind == SpaceKind::Expandable ? tr("Expandable segments")
                   : data.poolName                       ? data.poolName(group.pool)
                                                         : tr("Private pool");
    if (several && data.streamName)
        name += u", "_s + data.streamName(group.stream);
    return name.isEmpty() ? name : name.replace(0, 1, name[0].toUpper());
}

QString groupFigures(const SpaceGroup &group, ByteUnit unit)
{
    QStringList parts{countText(group.count), bytesText(group.bands.reserved(), unit)};
    if (group.bands.stranded > 0)
        parts << tr("%1 stranded").arg(bytesText(group.bands.stranded, unit));
    if (group.bands.releasable > 0)
        parts << tr("%1 releasable").arg(bytesText(group.bands.releasable, unit));
    return parts.join(u" · "_s);
}

QStringList groupText(const SpaceGroup &group, const QString &name, ByteUnit unit)
{
    QStringList lines{
        name, tr("%1 segments, reserved %2")
                  .arg(countText(group.count), exactBytesText(group.bands.reserved(), unit))};
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
    lines << tr("in a segment of %1 at %2")
                 .arg(bytesText(segment.life.size, unit), addressText(segment.life.address));
    return lines;
}

} // namespace vramscope
