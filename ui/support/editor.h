// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace vramscope {

/// Opens a source file at a line in an editor of this machine: the first one found of those known
/// to accept a line and never to run what they open. A recording names the file, so only an
/// existing file with an absolute path is passed on, without a shell. Returns an empty text, or one
/// sentence why nothing was opened.
[[nodiscard]] QString openInEditor(const QString &file, int line);

} // namespace vramscope
