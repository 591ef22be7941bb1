// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/what_if/replay.h"
#include "core/analysis/what_if/what_if.h"
#include "core/base/format.h"

#include <string>

namespace vramscope {

/// How far the simulated allocator does what the recorded one did, a sentence that names the file:
/// "a.pickle, device 0: exact, all 23,105 events, from the start of the program."
[[nodiscard]] std::string replayVerdict(const Study &study, const std::string &file);

/// The same within a sentence: "exact, all 23,105 events, from the start of the program."
[[nodiscard]] std::string exactnessText(const Replay &replay);
/// Which of the other settings to use and what that brings, or why none: sentences.
[[nodiscard]] std::string replayAdvice(const WhatIfs &whatIfs, ByteUnit unit);
/// How far a simulation under other settings can be trusted.
[[nodiscard]] std::string trustText(const Replay &replay, const WhatIfs &whatIfs, ByteUnit unit);

/// What serving the last request that failed does not tell: whether the rest of the step would have
/// fitted under `asked`. Sentences; empty where no request failed.
[[nodiscard]] std::string untilFailureText(const WhatIfs &whatIfs, const WhatIf &asked,
                                           ByteUnit unit);

/// The verdict, what differs, and a table of the other settings with the one to use. `whatIfs` is
/// null where no other settings were asked for.
[[nodiscard]] std::string replayText(const Study &study, const WhatIfs *whatIfs,
                                     const std::string &file, ByteUnit unit = ByteUnit::Binary);

/// The same as one line of JSON: {"file","device","events","exact","exact_events",
/// "complete_history","cause","reason","difference","other_blocks","capacity","figures":{…},
/// "settings":[{"configuration","simulated","issues":[{"key","kind","text"}],"figures":{…},
/// "out_of_memory_event","failed","rescued","left_after_failure"}],"recommended",
/// "rest_of_step":{"recording_ends","more","as_in_step","text"},"addresses":"falling" or "rising",
/// "peak_reserved_other_order"}. The first of the settings are the recorded ones; capacity, reason
/// and what else is not known is null.
[[nodiscard]] std::string replayJson(const Study &study, const WhatIfs *whatIfs,
                                     const std::string &file);

} // namespace vramscope
