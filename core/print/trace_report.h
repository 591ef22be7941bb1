// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "core/trace/trace.h"

#include <string>

namespace vramscope {

/// What is said of a snapshot without segments and events, and what to do about it.
inline constexpr const char *kEmptySnapshot =
    "The snapshot is empty, without segments and events: its process held no GPU memory when it "
    "was "
    "made. Call _record_memory_history() before the model is made, and _dump_snapshot() in the "
    "process that trains, while it still holds memory; see vramscope-cli recipe pytorch.";

/// One line of JSON in the shape of plan-format.md, section 2, `vramscope-cli trace`.
[[nodiscard]] std::string traceJson(const Trace &trace, const std::string &file);

/// The same for people: a short table for each device.
[[nodiscard]] std::string traceText(const Trace &trace, const std::string &file,
                                    ByteUnit unit = ByteUnit::Binary);

} // namespace vramscope
