// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/trace.h"

#include <string>

namespace vramscope {

/// "The file ends in the middle. (3 times, first at byte 1,204)", for people: printable.
[[nodiscard]] std::string problemText(const Problem &problem);

} // namespace vramscope
