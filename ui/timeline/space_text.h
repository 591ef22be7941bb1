// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "ui/timeline/space_geometry.h"
#include "ui/timeline/timeline_data.h"

namespace vramscope {

/// Names a group of segments: "Large segments", "Private pool (0, 1), stream 7". Includes the
/// stream if there are `several`.
[[nodiscard]] QString groupName(const SpaceGroup &group, const TimelineData &data, bool several);

/// The figures of a group after its name: "23 · 41.2 GiB · 1.3 GiB stranded".
[[nodiscard]] QString groupFigures(const SpaceGroup &group, ByteUnit unit);

/// Lines of text for a group under the mouse: its figures in full.
[[nodiscard]] QStringList groupText(const SpaceGroup &group, const QString &name, ByteUnit unit);

/// Lines of text for the block or hole under the mouse, the first one its heading: bytes requested
/// and allocated, what they belong to and since when; for a hole, the blocks that pin it on both
/// sides.
[[nodiscard]] QStringList regionText(const SpaceState &state, const SpaceGeometry::Hit &hit,
                                     const TimelineData &data, ByteUnit unit);

} // namespace vramscope
