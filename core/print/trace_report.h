// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "core/trace/trace.h"

#include <memory>
#include <string>
#include <vector>

namespace vramscope {

class Study;
struct DeviceSummary;

/// What is said of a snapshot without segments and events, and what to do about it.
inline constexpr const char *kEmptySnapshot =
    "The snapshot is empty, without segments and events: its process held no GPU memory when it "
    "was "
    "made. Call _record_memory_history() before the model is made, and _dump_snapshot() in the "
    "process that trains, while it still holds memory; see vramscope-cli recipe pytorch.";

/// "1,234 events in 2.3 s, 4 segments, …, 56 distinct stacks".
[[nodiscard]] std::string deviceFacts(const DeviceSummary &summary);

/// The studies of a recording's devices with all made that traceText() and traceJson() tell: on
/// several threads.
[[nodiscard]] std::vector<std::shared_ptr<const Study>>
reportedStudies(const std::shared_ptr<const Trace> &trace);

/// One line of JSON in the shape of plan-format.md, section 2, `vramscope-cli trace`, with the
/// findings of each device: [{"kind","bad","text","explanation","bytes","count","event"}], the most
/// important first; bytes and count are 0 where it is about none, event null.
[[nodiscard]] std::string traceJson(const std::shared_ptr<const Trace> &trace,
                                    const std::string &file);

/// The same for people: the findings of each device and a short table.
[[nodiscard]] std::string traceText(const std::shared_ptr<const Trace> &trace,
                                    const std::string &file, ByteUnit unit = ByteUnit::Binary);

} // namespace vramscope
