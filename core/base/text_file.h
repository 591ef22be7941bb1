// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <filesystem>
#include <string>

namespace vramscope {

/// The content of a regular file. Reading stops soon after `longest` bytes, so that a longer text
/// shows that the file was too long; pipes and devices are never awaited.
[[nodiscard]] Result<std::string> readTextFile(const std::filesystem::path &file,
                                               std::size_t longest);

} // namespace vramscope
