// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/report/report.h"
#include "ui/profile/profile_document.h"

#include <QStringList>

class QLabel;

namespace vramscope {

/// What limits the figures of a recording, a sentence each; `prefix` names the recording where a
/// page shows several.
[[nodiscard]] QStringList problemLines(const ProfileDocument &document, const QString &prefix = {});

/// The lines as a page begins with them, the first ones; all are in its tip. Hidden without any.
[[nodiscard]] QLabel *problemsLabel(const QStringList &problems);
/// Other lines in such a label.
void showProblems(QLabel &label, const QStringList &problems);

/// A warning for each, below the heading of a section of a report.
void addProblems(Report &report, const QStringList &problems);

} // namespace vramscope
