// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/trace.h"

#include <vector>

namespace vramscope {

/// A record_function range on a device's axis of events: from event `first` up to, not including,
/// event `last`. A range from before the recording begins at -1; one without an end reaches the
/// end.
struct AnnotationRange
{
    StringId name = StringId::Empty;
    EventIndex first = -1;
    EventIndex last = -1;
    int lane = 0; ///< nesting depth: ranges of one lane do not overlap
    bool operator==(const AnnotationRange &) const = default;
};

/// The ranges of one device: each END closes the innermost open START of its name. Times become
/// events (the first at or after the time), so ranges that no event falls into are empty. Empty
/// without timestamps. Sorted by start, the longer first.
[[nodiscard]] std::vector<AnnotationRange> annotationRanges(const Trace &trace,
                                                            const DeviceTrace &device);

} // namespace vramscope
