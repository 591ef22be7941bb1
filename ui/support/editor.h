// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace vramscope {

/// Opens a source file at a line in an editor of this machine: the first one found of those that
/// are known to take a line and never to run what they open. The file is one that a recording
/// names, so nothing but an existing file with an absolute path is handed on, and no shell sees it.
/// Gives an empty text, or one sentence why nothing was opened.
[[nodiscard]] QString openInEditor(const QString &file, int line);

} // namespace vramscope
