// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QMap>
#include <QString>
#include <QStringList>

namespace vramscope::test {

/// The files of a zip archive by their names, as a program that opens it finds them; none where it
/// is no sound archive.
[[nodiscard]] QMap<QString, QByteArray> packageParts(const QByteArray &archive);

/// The texts of a slide, each of its runs, in their order.
[[nodiscard]] QStringList slideTexts(const QByteArray &slide);

/// What is wrong with the parts of a presentation: not well-formed, of no stated type, related to
/// what is not there, or related to nothing.
[[nodiscard]] QStringList packageFaults(const QMap<QString, QByteArray> &parts);

} // namespace vramscope::test
