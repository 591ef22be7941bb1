// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/redaction.h"
#include "ui/document/document.h"

#include <QStringList>

#include <vector>

namespace vramscope {

/// A document for export, with the plans shown next to it and the names of its files, its own
/// first.
struct ExportedContent
{
    DocumentPointer document;
    std::vector<NamedPlan> plans;
    QStringList files;
};

/// The names of people and machines in all of it.
[[nodiscard]] Redaction redactionOf(const ExportedContent &leaving);
/// A copy without them. Everything drawn from it lacks them too, so pictures need no search. Takes
/// about as long as analysing the document.
[[nodiscard]] ExportedContent redacted(const ExportedContent &leaving, const Redaction &redaction);

/// The changes made by redaction, for a person to review: names of files, lines of plans, texts of
/// recordings, each once.
[[nodiscard]] std::vector<Replaced> replacements(const ExportedContent &leaving,
                                                 const Redaction &redaction);

} // namespace vramscope
