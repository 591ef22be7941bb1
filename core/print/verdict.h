// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"

#include <string>

namespace vramscope {

class Study;

/// What happened on a device, in one line: "Peak 71.3 GiB active of 79.2 GiB reserved on device 0,
/// after event 4,711; out of memory at event 5,000: fragmentation"; and a warning below it where
/// the history begins in the middle. What is wider than a terminal goes on in a further line.
[[nodiscard]] std::string verdictText(const Study &study, ByteUnit unit = ByteUnit::Binary);

} // namespace vramscope
