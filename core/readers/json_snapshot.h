// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/readers/byte_source.h"
#include "core/trace/trace.h"

#include <memory>

namespace vramscope {

/// Reads a memory snapshot that was written as JSON, from the cursor of `input` on: the dict or the
/// bare list of segments. Its values go through the code for a pickle's, so that both are
/// interpreted in one place; at most a batch per level waits for its container.
[[nodiscard]] Result<std::shared_ptr<const Trace>> readJsonSnapshot(ByteWindow &input,
                                                                    const Progress &progress);

} // namespace vramscope
