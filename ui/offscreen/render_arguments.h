// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/command_line/command.h"
#include "ui/offscreen/render.h"

#include <QString>

namespace vramscope {

/// What `vramscope render` takes.
extern const cli::Command kRenderCommand;

/// Fills a request with arguments of `vramscope render`. Returns what is wrong with them, or
/// nothing.
[[nodiscard]] QString readArguments(const cli::Arguments &arguments, RenderRequest &request);

} // namespace vramscope
