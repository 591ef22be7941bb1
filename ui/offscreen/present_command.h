// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "core/command_line/command.h"
#include "ui/deck/deck.h"
#include "ui/document/document.h"
#include "ui/offscreen/output.h"

#include <QStringList>

#include <optional>

namespace vramscope {

/// A presentation requested on the command line.
struct PresentRequest
{
    QStringList files; ///< at least one
    QString out;
    std::optional<DeckFormat> format; ///< none: by the ending of `out`
    QString title;                    ///< empty: that of the first file
    ByteUnit unit = ByteUnit::Binary;
    bool dark = false;
    bool redact = false;
};

/// What `vramscope present` takes.
extern const cli::Command kPresentCommand;

/// Fills a request with arguments of `vramscope present`. Returns what is wrong with them, or
/// nothing.
[[nodiscard]] QString readArguments(const cli::Arguments &arguments, PresentRequest &request);

/// The heading of a document's slides: the name of a plan or, without a name, what it runs;
/// `otherwise` for other documents.
[[nodiscard]] QString presentationTitle(const Document &document, const QString &otherwise);

/// Computes what a document's slides show, so that they do not depend on the progress of a page.
/// Runs on any thread; false if `progress` requested a stop.
bool workOut(const Document &document, const Progress &progress = {});

/// Reads the files and writes what F5 shows for each, one after another; plans are compared with
/// the first. Needs a QApplication and no screen. Status 1 and "FILE: sentence" if one cannot be
/// used or the presentation cannot be written.
[[nodiscard]] Outcome writePresentation(const PresentRequest &request);

} // namespace vramscope
