// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <string>
#include <string_view>

namespace vramscope::cli {

/// What to say of a file that `command` cannot use, for which it gave `error`: where another
/// command reads what the file holds, what that is and which command; else the error itself.
[[nodiscard]] Error withRightCommand(Error error, std::string_view command,
                                     const std::string &file);

} // namespace vramscope::cli
