// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "core/base/result.h"
#include "ui/document/document.h"
#include "ui/export/exported_view.h"

#include <QByteArrayView>
#include <QString>
#include <QStringList>

namespace vramscope {

/// keepInputs() of the names that a user gave.
[[nodiscard]] Result<void> keepInputs(const QString &name, const QStringList &inputs);

/// Writes an output file under the name given by the user, never over `inputs`: returns "NAME:
/// sentence" if it cannot be written, else nothing.
[[nodiscard]] QString writeOutput(const QString &name, QByteArrayView bytes,
                                  const QStringList &inputs);

/// The result of a command: an exit status and one sentence. With status 0, the sentence is empty
/// unless there is something to report.
struct Outcome
{
    int status = 0;
    QString message;
};

/// The caption around a picture of a document: its title, the capacity it is compared with, and its
/// source. `path` is that of the document, or empty; sets no date.
[[nodiscard]] Caption captionOf(const Document &document, const QString &path, ByteUnit unit);

} // namespace vramscope
