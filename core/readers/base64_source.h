// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/readers/byte_source.h"

namespace vramscope {

/// Decodes the base64 at the cursor of `input`, up to the quote that ends it; padding and line ends
/// are skipped. `input` must outlive it. read() fails with Malformed at any other character and
/// with Truncated if the quote is missing.
[[nodiscard]] std::unique_ptr<ByteSource> base64Source(ByteWindow &input);

} // namespace vramscope
