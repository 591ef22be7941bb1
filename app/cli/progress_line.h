// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/progress.h"

#include <string>

namespace vramscope::cli {

/// A Progress that writes how far long work is to standard error: on a terminal a line that
/// changes, elsewhere, as in the log of a job, a line every ten seconds. Nothing of work that is
/// done within a second.
[[nodiscard]] Progress progressLine(std::string what);

/// Ends the line that changes, so that what follows stands on its own.
void endProgressLine();

} // namespace vramscope::cli
