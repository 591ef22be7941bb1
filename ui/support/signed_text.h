// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/bytes.h"
#include "core/base/format.h"

#include <QString>

namespace vramscope {

/// A change: "+13.9 GiB", "−2.00 GiB", "0 B".
[[nodiscard]] QString signedBytesText(Bytes bytes, ByteUnit unit);
/// "−2.00 GiB (−2,147,483,648 bytes)"
[[nodiscard]] QString signedExactBytesText(Bytes bytes, ByteUnit unit);

} // namespace vramscope
