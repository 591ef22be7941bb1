// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/exchange/import.h"

namespace vramscope {

/// Whether a note only names settings that do not affect memory, which users need not read.
[[nodiscard]] bool namesNoMemory(const ImportNote &note);

} // namespace vramscope
