// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <string>
#include <string_view>

namespace vramscope::cli {

/// The error for a file that `command` cannot use, after `error`: if another command reads the
/// file's content, names the content and that command; otherwise the error itself.
[[nodiscard]] Error withRightCommand(Error error, std::string_view command,
                                     const std::string &file);

} // namespace vramscope::cli
