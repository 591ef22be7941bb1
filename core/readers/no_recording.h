// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <string>

namespace vramscope {

/// Whether a file of a folder that could not be read is not a recording at all, as opposed to a
/// damaged one or a file with a recording's name and a fixable form (packed, a pointer of Git LFS):
/// then it needs no complaint.
[[nodiscard]] bool isNoRecording(const std::string &file, const Error &error);

} // namespace vramscope
