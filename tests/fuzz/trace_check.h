// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/trace.h"

namespace vramscope::fuzz {

/// Ends the program where an id of the trace leads nowhere or a figure is impossible.
void checkTrace(const Trace &trace);

} // namespace vramscope::fuzz
