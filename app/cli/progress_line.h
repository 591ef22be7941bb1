// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/progress.h"

#include <string>

namespace vramscope::cli {

/// A Progress that reports long work on standard error: a changing line on a terminal; elsewhere,
/// such as in the log of a job, a line every ten seconds. Work of less than a second is not
/// reported.
[[nodiscard]] Progress progressLine(std::string what);

/// Ends the changing line, so that the next output starts on a new one.
void endProgressLine();

} // namespace vramscope::cli
