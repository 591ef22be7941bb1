// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "core/session/session.h"
#include "ui/stage/stage_item.h"
#include "ui/trace/trace_document.h"

#include <vector>

namespace vramscope {

/// One device of a recording, and the bookmarks made in it.
struct StagedTrace
{
    std::shared_ptr<const TraceDocument> document;
    std::size_t device = 0; ///< index into TraceDocument::devices
    std::vector<Bookmark> bookmarks;
    ByteUnit unit = ByteUnit::Binary;
};

/// What can be shown of a recording on its own: the answer, active memory at its peak, the
/// bookmarks with their notes, and where it ran out of memory, why, and what would have helped;
/// without a failure, what uses the memory. A recording without a history shows the state in place
/// of the peak; a recording without devices shows nothing.
[[nodiscard]] std::vector<StageItem> traceItems(StagedTrace trace);

} // namespace vramscope
