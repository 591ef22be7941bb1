// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/readers/byte_source.h"

namespace vramscope {

/// The bytes of a regular file, unfolded if gzip or Zstandard packed it: by its first bytes, never
/// by its name. Errors: those of openFile(), and from read() those of inflatingSource().
[[nodiscard]] Result<std::unique_ptr<ByteSource>> openUnpacked(const std::filesystem::path &file);

} // namespace vramscope
