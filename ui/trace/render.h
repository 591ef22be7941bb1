// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "ui/support/theme.h"
#include "ui/timeline/timeline_data.h"
#include "ui/trace/coloring.h"

#include <QImage>

namespace vramscope {

struct TraceDocument;

/// A timeline of one device as a picture for a document: title, axes, the whole recording. `device`
/// is an index into TraceDocument::devices; `size` is in pixels. Draws a sentence instead where
/// there is no such device.
[[nodiscard]] QImage renderTimeline(TimelineKind kind, ColorBy colorBy,
                                    const TraceDocument &document, std::size_t device, QSize size,
                                    const Theme &theme, ByteUnit unit);

} // namespace vramscope
