// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/readers/byte_source.h"
#include "core/trace/trace.h"

#include <memory>

namespace vramscope {

/// Reads a memory snapshot of PyTorch (1.13 to 2.12) that Python or C++ pickled with protocol 2 to
/// 5, from the cursor of `input` on. Both forms: the dict of torch.cuda.memory._snapshot() and the
/// bare list of segments.
[[nodiscard]] Result<std::shared_ptr<const Trace>> readSnapshot(ByteWindow &input,
                                                                const Progress &progress);

/// References that the fast reading is tested against.
enum class SnapshotReference {
    StepByStep, ///< without looking ahead: one instruction after the other
    Whole,      ///< keeps every value whole as well, before it is interpreted
};
[[nodiscard]] Result<std::shared_ptr<const Trace>>
readSnapshotSlowly(ByteWindow &input, SnapshotReference as = SnapshotReference::Whole);

} // namespace vramscope
