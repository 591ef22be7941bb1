// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/progress.h"
#include "core/planner/plan.h"
#include "core/trace/redaction.h"
#include "ui/report/rank_figures.h"
#include "ui/report/series_figures.h"
#include "ui/trace/trace_document.h"

#include <QStringList>

#include <memory>

namespace vramscope {

using TracePointer = std::shared_ptr<const TraceDocument>;

/// Gathers the names in what reports and exports are made of.
struct NamesGatherer
{
    Redaction &redaction;

    void operator()(const Plan &plan) const;
    void operator()(const TracePointer &trace) const;
    void operator()(const SeriesPointer &series) const;
    void operator()(const RankFolderPointer &folder) const;
};

/// Makes it anew without them; what is drawn from it is without them too. Takes about as long as
/// analysing it took. What `progress` cancels is given back as it was, with its names.
struct WithoutNames
{
    const Redaction &redaction;
    Progress progress{};

    [[nodiscard]] Plan operator()(const Plan &plan) const;
    [[nodiscard]] TracePointer operator()(const TracePointer &trace) const;
    [[nodiscard]] SeriesPointer operator()(const SeriesPointer &series) const;
    [[nodiscard]] RankFolderPointer operator()(const RankFolderPointer &folder) const;
};

/// The name of a file without them.
[[nodiscard]] QString fileWithoutNames(const QString &file, const Redaction &redaction);

/// A sentence about a file, "FILE: why", without the names in either where `redact`.
[[nodiscard]] QString complaint(const QString &file, const QString &why, bool redact);
/// A sentence that names some of the files itself, without the names.
[[nodiscard]] QString sentenceWithoutNames(QString sentence, const QStringList &files);

} // namespace vramscope
