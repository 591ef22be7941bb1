// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/command_line/command.h"
#include "ui/offscreen/read_document.h"
#include "ui/offscreen/render.h"

#include <QString>

namespace vramscope {

/// What `vramscope render` takes.
extern const cli::Command kRenderCommand;
/// The values of --view and what they show, above the details in its help.
[[nodiscard]] QString viewsHelp();
/// Reads a file that has a page for its kind alone; empty for any other.
[[nodiscard]] DocumentReader readerOf(const QString &path);

/// Fills a request with arguments of `vramscope render`. Returns what is wrong with them, or
/// nothing.
[[nodiscard]] QString readArguments(const cli::Arguments &arguments, RenderRequest &request);

} // namespace vramscope
