// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QJsonObject>
#include <QList>
#include <QStringList>

namespace vramscope::test {

/// The recorded snapshots; none where their folder is not there.
[[nodiscard]] QStringList recordedSnapshots();

/// What an independent, slow and simple program that lies beside the recordings says of files.
struct ReferenceFigures
{
    QList<QJsonObject> files; ///< one a file, in their order
    QString missing;          ///< why there are none
};
[[nodiscard]] ReferenceFigures referenceFigures(const QStringList &files);

} // namespace vramscope::test
