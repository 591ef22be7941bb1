// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

namespace vramscope {

/// A sentence about a file, "FILE: why", without the names in either where `redact`.
[[nodiscard]] QString complaint(const QString &file, const QString &why, bool redact);
/// A sentence that names some of the files itself, without the names.
[[nodiscard]] QString sentenceWithoutNames(QString sentence, const QStringList &files);

} // namespace vramscope
