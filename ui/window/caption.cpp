// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/caption.h"

#include "core/catalog/gpus.h"
#include "core/planner/estimate.h"
#include "ui/compare/comparison.h"
#include "ui/compare/rank_folder.h"
#include "ui/reconcile/reconcile_study.h"
#include "ui/series/series_document.h"
#include "ui/series/series_text.h"
#include "ui/support/file_path.h"
#include "ui/support/text.h"
#include "ui/trace/trace_document.h"
#include "ui/window/examples.h"

#include <QFileInfo>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

/// "H100 SXM5 80 GB, 79.2 GiB".
QString capacityOf(const Plan &plan, ByteUnit unit)
{
    const std::optional<Bytes> capacity = estimate(plan).capacity;
    if (!capacity)
        return {};
    const auto &name = plan.hardware.gpu;
    const GpuPreset *gpu = name ? findGpuPreset(*name) : nullptr;
    const QString size = bytesText(*capacity, unit);
    return gpu ? u"%1, %2"_s.arg(toQString(gpu->title), size) : size;
}

/// Where a document comes from, after the name of its file.
QString sourceOf(const Document &document)
{
    if (const auto *trace = std::get_if<std::shared_ptr<const TraceDocument>>(&document))
        return toQString((*trace)->trace->producer());
    if (const auto *series = std::get_if<std::shared_ptr<const SeriesDocument>>(&document))
        return formatTitle(*(*series)->series);
    if (const auto *folder = std::get_if<std::shared_ptr<const RankFolder>>(&document))
        return u"%1 ranks"_s.arg((*folder)->ranks.size());
    if (const auto *held = std::get_if<std::shared_ptr<const ReconcileDocument>>(&document))
        return u"held against %1"_s.arg((*held)->recording.title);
    if (std::holds_alternative<std::shared_ptr<const Validation>>(document))
        return u"Measured figures of VRAMscope"_s;
    return u"Plan of VRAMscope"_s;
}

} // namespace

Caption captionOf(const Document &document, const QString &path, ByteUnit unit)
{
    Caption caption;
    caption.title = documentTitle(path);
    const auto *compared = std::get_if<std::shared_ptr<const ComparisonDocument>>(&document);
    if (compared) {
        QStringList names;
        for (const ComparedTrace &trace : (*compared)->traces)
            names += trace.title;
        caption.title = names.join(u" · "_s);
        caption.source = u"Comparison of %1 recordings"_s.arg(names.size());
        return caption;
    }
    const Plan *plan = std::get_if<Plan>(&document);
    if (const auto *imported = std::get_if<Imported>(&document))
        plan = &imported->plan;
    if (plan) {
        caption.capacity = capacityOf(*plan, unit);
        if (plan->name && !plan->name->empty())
            caption.title = toQString(*plan->name);
    }
    const QString file =
        path.isEmpty() || path == trustPath() ? QString() : shownPath(QFileInfo(path).fileName());
    QStringList parts{file, sourceOf(document)};
    parts.removeAll(QString());
    caption.source = parts.join(u", "_s);
    return caption;
}

QDateTime dateOf(const QString &path)
{
    bool fixed = false;
    const qint64 seconds = qEnvironmentVariable("SOURCE_DATE_EPOCH").toLongLong(&fixed);
    if (fixed)
        return QDateTime::fromSecsSinceEpoch(seconds, Qt::UTC);
    return path.isEmpty() || isExample(path) ? QDateTime() : factsOf(path).modified.toUTC();
}

} // namespace vramscope
