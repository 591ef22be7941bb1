// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <string>

namespace vramscope {

/// Whether a file of a folder that could not be read is no recording at all, rather than one that
/// is damaged, or named as one and in a form that can be mended (packed, a pointer of Git LFS):
/// then it is nothing to complain about.
[[nodiscard]] bool isNoRecording(const std::string &file, const Error &error);

} // namespace vramscope
