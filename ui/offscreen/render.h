// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "core/plan/plan.h"
#include "ui/document/document.h"
#include "ui/export/exported_view.h"
#include "ui/offscreen/output.h"
#include "ui/planner/plan_view.h"
#include "ui/trace/render.h"

#include <QSize>
#include <QStringList>

#include <optional>

namespace vramscope {

/// One picture requested on the command line.
struct RenderRequest
{
    QStringList files; ///< one; to compare several, to reconcile a plan and a recording; those
                       ///< after a plan are pinned
    QString view = QStringLiteral("plan"); ///< by the name that its page answers to, or "breakdown"
                                           ///< or one of a trace's views alone
    std::optional<PlanView> planView;      ///< of the lower card of a plan
    TraceShot trace;                       ///< of a trace's page and its views alone
    QString place;                         ///< on the page: a table, a tab; empty: the first
    QSize size{1600, 1000};                ///< in pixels
    bool dark = false;
    ByteUnit unit = ByteUnit::Binary;
    int device = -1; ///< ordinal; -1: the main one
    QString out;     ///< its ending selects the format, unless `format` does
    std::optional<ViewFormat> format;
    double scale = 1;       ///< of PNG, and of raster parts in other formats
    bool captioned = false; ///< adds title, capacity, source and date around the picture
    QString title;          ///< of the caption; empty: the document's
    bool redacted = false;  ///< without names of people and machines
};

/// Reads a document and writes one of its views as a picture or its table, the same bytes on every
/// run. Needs a QApplication and no screen. Status 1 and "FILE: sentence" when the file cannot be
/// used, has no such view, or the export cannot be written.
[[nodiscard]] Outcome render(const RenderRequest &request);

} // namespace vramscope
