// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/page_stage.h"

#include "ui/charts/stacked_bar_chart.h"
#include "ui/compare/alignment_bar.h"
#include "ui/compare/compare_page.h"
#include "ui/compare/rank_page.h"
#include "ui/planner/plan_page.h"
#include "ui/planner/scenario_list.h"
#include "ui/reconcile/reconcile_page.h"
#include "ui/series/series_page.h"
#include "ui/stage/compare_items.h"
#include "ui/stage/plan_items.h"
#include "ui/stage/reconcile_items.h"
#include "ui/stage/series_items.h"
#include "ui/stage/trace_items.h"
#include "ui/trace/bookmark_model.h"
#include "ui/trace/trace_page.h"
#include "ui/window/document_page.h"

#include <algorithm>

namespace vramscope {

namespace {

template<class Held>
std::shared_ptr<const Held> documentOf(const DocumentPage &page)
{
    return std::get<std::shared_ptr<const Held>>(page.document());
}

std::vector<StageItem> itemsOf(const TracePage &page, const DocumentPage &of,
                               std::vector<Bookmark> bookmarks, ByteUnit unit)
{
    return traceItems(
        {documentOf<TraceDocument>(of), page.device(), page.studies(), std::move(bookmarks), unit});
}

std::vector<StageItem> itemsOf(ReconcilePage &page, ByteUnit unit)
{
    if (!page.reconciliation())
        page.workNow();
    return reconcileItems({page.reconciliation() ? *page.reconciliation() : Reconciliation(),
                           page.bars()->content().capacity, page.emptyText(), unit});
}

std::vector<StageItem> itemsOf(const ComparePage &page, ByteUnit unit)
{
    const auto *alignment = page.findChild<AlignmentBar *>();
    return comparisonItems({page.document(), alignment->options(), alignment->anchorText(), unit});
}

std::vector<StageItem> itemsOf(const SeriesPage &page, const DocumentPage &of, ByteUnit unit)
{
    StagedSeries series{documentOf<SeriesDocument>(of), {}, unit};
    for (std::size_t at = 0; at < series.document->devices.size(); ++at) {
        if (page.scene().device() == &series.document->devices[at])
            series.device = at;
    }
    return seriesItems(std::move(series));
}

} // namespace

bool isPresentable(const DocumentPage &page)
{
    const QWidget *widget = page.widget();
    if (const auto *series = qobject_cast<const SeriesPage *>(widget))
        return series->state() != nullptr;
    if (qobject_cast<const TracePage *>(widget))
        return !page.compared().empty();
    return page.plan() || qobject_cast<const ComparePage *>(widget) ||
           qobject_cast<const RankPage *>(widget) || qobject_cast<const ReconcilePage *>(widget);
}

std::vector<StageItem> stageItems(const DocumentPage &page, ByteUnit unit)
{
    QWidget *widget = page.widget();
    if (const auto *plan = qobject_cast<const PlanPage *>(widget))
        return planItems({plan->plan(), plan->estimate(), plan->scenarios()->all(), unit});
    if (const auto *trace = qobject_cast<const TracePage *>(widget); trace && isPresentable(page))
        return itemsOf(*trace, page, page.bookmarks()->bookmarks(), unit);
    if (const auto *series = qobject_cast<const SeriesPage *>(widget))
        return itemsOf(*series, page, unit);
    if (const auto *traces = qobject_cast<const ComparePage *>(widget))
        return itemsOf(*traces, unit);
    if (qobject_cast<const RankPage *>(widget))
        return rankItems(documentOf<RankFolder>(page), unit);
    if (auto *held = qobject_cast<ReconcilePage *>(widget))
        return itemsOf(*held, unit);
    return {};
}

std::optional<StageItem> viewItem(const DocumentPage &page, ByteUnit unit)
{
    const auto *trace = qobject_cast<const TracePage *>(page.widget());
    if (!trace || !isPresentable(page))
        return std::nullopt;
    std::vector<Bookmark> bookmarks = page.bookmarks()->bookmarks();
    if (bookmarks.size() >= kMostBookmarks)
        return std::nullopt;
    const std::vector<StageItem> before = itemsOf(*trace, page, bookmarks, unit);
    bookmarks.push_back(trace->bookmark());
    for (const StageItem &item : itemsOf(*trace, page, std::move(bookmarks), unit)) {
        if (std::ranges::find(before, item.key, &StageItem::key) == before.end())
            return item;
    }
    return std::nullopt;
}

} // namespace vramscope
