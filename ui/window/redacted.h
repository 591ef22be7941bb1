// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/redaction.h"
#include "ui/window/document.h"

#include <QString>

#include <utility>
#include <vector>

namespace vramscope {

/// A document without names of people and machines, fit to leave the window. Everything that is
/// drawn from it is without them, so nothing has to be looked for in pictures. Takes about as long
/// as analysing it took.
[[nodiscard]] Document redacted(const Document &document, const Redaction &redaction);

/// The names in a document and in the name of its file.
[[nodiscard]] Redaction redactionOf(const Document &document, const QString &path);

/// A plan beside the document of a page, under its name.
struct NamedPlan
{
    Plan plan;
    QString name;
};
/// The names in plans and in what they are called.
void gatherPlans(Redaction &redaction, const std::vector<NamedPlan> &plans);
void redactPlans(const Redaction &redaction, std::vector<NamedPlan> &plans);

/// A text and what stands in its place.
using Replaced = std::pair<QString, QString>;
/// What redaction changes of a document, for a person to look through: the paths and texts that
/// become others, each once, in order; at most `most`.
[[nodiscard]] std::vector<Replaced> replacements(const Document &document, const QString &path,
                                                 const Redaction &redaction,
                                                 std::size_t most = 500);

} // namespace vramscope
