// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/serving_logs/serving_log.h"

#include <string>
#include <string_view>

namespace vramscope::cli {

/// The name of standard input as an operand.
inline constexpr std::string_view kStandardInputName = "-";

/// Reads standard input to its end.
[[nodiscard]] Result<ServingLog> readInput();

/// Reads a log that is being written, or standard input, until the server is ready, standard input
/// ends, or the start has failed and nothing follows for ten seconds. Each stage that ends is a
/// line on standard error. A file that is replaced or made shorter is read again. An interrupt ends
/// it with what was read so far.
[[nodiscard]] Result<ServingLog> followServingLog(const std::string &file);

} // namespace vramscope::cli
