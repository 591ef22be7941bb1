// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"

#include <string>

namespace vramscope {

class Study;

/// Steps as one line of JSON: {"file","device","source","how","confidence","steps":[{"number",
/// "first_event","last_event","start_time","end_time","complete","start_known","peak_active",
/// "peak_active_event","peak_reserved","peak_reserved_event","active_begin","active_end","growth",
/// "survivors":{"bytes","count"}|null,"match"}]}; times in µs since 1970 or null.
[[nodiscard]] std::string stepsJson(const Study &study, const std::string &file);
/// The same for people: a line a step; of more than `most` (0: all) the first and the last.
[[nodiscard]] std::string stepsText(const Study &study, const std::string &file, std::size_t most,
                                    ByteUnit unit = ByteUnit::Binary);

/// Leaks as one line of JSON: {"file","device","by","samples":[event],"note","leaks":[growth],
/// "warm_up":[growth]} with growth {"bytes","count","bytes_per_step","count_per_step","since",
/// "increases","confidence","frames"}.
[[nodiscard]] std::string leaksJson(const Study &study, const std::string &file);
/// The same for people: of what grows and of warm-up the `most` largest (0: all), and one line for
/// the others.
[[nodiscard]] std::string leaksText(const Study &study, const std::string &file, std::size_t most,
                                    ByteUnit unit = ByteUnit::Binary);

} // namespace vramscope
