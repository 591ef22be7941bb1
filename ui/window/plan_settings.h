// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/exchange/import.h"

#include <QString>

class QWidget;

namespace vramscope {

/// Whether a dropped or copied text is worth reading as a plan or as settings of another tool; a
/// glance, not a reading.
[[nodiscard]] bool looksLikeSettings(const QString &text);

/// One line on the result of an import: "config.json, a Hugging Face config.json: all of it carried
/// over".
[[nodiscard]] QString importNotice(const QString &name, const Imported &imported);

/// Opens the list of settings that did not carry over, each with its place in the file.
void showImportNotes(QWidget *parent, const QString &name, const Imported &imported);

} // namespace vramscope
