// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/redaction.h"
#include "ui/document/document.h"

#include <QStringList>

#include <vector>

namespace vramscope {

/// A document on its way out of the window, with the plans beside it and the names of its files;
/// the first one is its own.
struct ExportedContent
{
    DocumentPointer document;
    std::vector<NamedPlan> plans;
    QStringList files;
};

/// The names of people and machines in all of it.
[[nodiscard]] Redaction redactionOf(const ExportedContent &leaving);
/// It without them. What is drawn from it is without them too, so nothing has to be looked for in
/// pictures. Takes about as long as analysing it took.
[[nodiscard]] ExportedContent redacted(const ExportedContent &leaving, const Redaction &redaction);

/// What redaction changes, for a person to look through: names of files, lines of plans, texts of
/// recordings, each once.
[[nodiscard]] std::vector<Replaced> replacements(const ExportedContent &leaving,
                                                 const Redaction &redaction);

} // namespace vramscope
