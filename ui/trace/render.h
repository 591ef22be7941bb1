// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/costs/costs.h"
#include "core/base/format.h"
#include "ui/export/exported_view.h"
#include "ui/support/theme.h"
#include "ui/timeline/coordinates.h"
#include "ui/trace/coloring.h"
#include "ui/trace/trace_view.h"

#include <memory>
#include <optional>

class QPainter;

namespace vramscope {

class Study;
struct TraceDocument;

/// The part of a trace that a picture shows.
struct TraceShot
{
    TraceView view = TraceView::Active;
    std::optional<ColorBy> colorBy{};  ///< of timelines and of the allocator state; else the usual
    Cost cost = Cost::Peak;            ///< of stacks
    std::optional<EventIndex> event{}; ///< the cursor's event; else the peak, unmarked
    std::optional<EventSpan> range{};  ///< the range of timelines; else everything
    bool titled = true;                ///< shows its subject above
};

/// Why a device cannot be shown this way, in one sentence; empty if it can.
[[nodiscard]] QString unfitText(const Study &device, const TraceShot &shot);

/// Paints one view of one device for a document, in `size` and under a title. `device` is an index
/// into TraceDocument::devices. Returns a sentence instead if there is no such device or nothing to
/// show. Needs a QApplication; runs no event loop.
[[nodiscard]] Painting paintingOf(const std::shared_ptr<const TraceDocument> &document,
                                  std::size_t device, const TraceShot &shot, QSize size,
                                  const Theme &theme, ByteUnit unit);

/// The same into `area`, which is filled first. `studied` is the result of study() for the device;
/// if it is null and the view needs it, it is made. `pixelRatio`: pixels to each length in parts
/// that the view paints pixel by pixel; 0: as on the screen.
void paintView(QPainter &painter, const QRect &area,
               const std::shared_ptr<const TraceDocument> &document, std::size_t device,
               const TraceShot &shot, const Theme &theme, ByteUnit unit,
               std::shared_ptr<const Study> studied = nullptr, double pixelRatio = 0);

} // namespace vramscope
