// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/view_export.h"

#include "core/planner/plan_json.h"
#include "ui/planner/lower_card.h"
#include "ui/planner/plan_cards.h"
#include "ui/planner/plan_page.h"
#include "ui/planner/plans_compare_view.h"
#include "ui/planner/scenario_list.h"
#include "ui/planner/sweep_view.h"
#include "ui/reconcile/reconcile_page.h"
#include "ui/series/series_page.h"
#include "ui/support/text.h"
#include "ui/timeline/view_state.h"
#include "ui/trace/trace_page.h"
#include "ui/window/caption.h"
#include "ui/window/examples.h"
#include "ui/window/offscreen_page.h"
#include "ui/window/page_table.h"
#include "ui/window/redacted.h"

#include <QComboBox>
#include <QMimeData>
#include <QTabBar>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

/// The plans that a page shows beside its document, under their names.
std::vector<NamedPlan> plansBeside(const DocumentPage &page)
{
    std::vector<NamedPlan> plans;
    if (const auto *plan = qobject_cast<const PlanPage *>(page.widget())) {
        for (const Scenario &scenario : plan->scenarios()->all())
            plans.push_back({scenario.plan, scenario.title()});
    }
    if (const auto *held = qobject_cast<const ReconcilePage *>(page.widget()); held && held->plan())
        plans.push_back({*held->plan(), held->planTitle()});
    return plans;
}

/// The lower card of a plan with the same view and its choices.
void copyLower(const LowerCard &from, LowerCard &to)
{
    to.tabs()->setCurrentIndex(from.tabs()->currentIndex());
    const auto *sweep = qobject_cast<const SweepView *>(from.currentPage());
    if (auto *copy = qobject_cast<SweepView *>(to.currentPage());
        sweep && copy && sweep->field() && !sweep->points().empty()) {
        copy->setField(*sweep->field());
        copy->setRange(sweep->points().front().value, sweep->points().back().value);
    }
    const auto *compare = qobject_cast<const PlansCompareView *>(from.currentPage());
    if (auto *copy = qobject_cast<PlansCompareView *>(to.currentPage()); compare && copy) {
        copy->from()->setCurrentIndex(compare->from()->currentIndex());
        copy->to()->setCurrentIndex(compare->to()->currentIndex());
    }
}

/// Shows on one page what another one shows, as far as that can be said; what was typed there,
/// without names where there is a redaction.
void copyState(const DocumentPage &from, DocumentPage &to, const std::vector<NamedPlan> &plans,
               const Redaction *redaction)
{
    for (const NamedPlan &one : plans) {
        to.pinPlan(one.plan, one.name);
        to.setComparedPlan(&one.plan, one.name, {});
    }
    const auto *held = qobject_cast<const ReconcilePage *>(from.widget());
    if (auto *copy = qobject_cast<ReconcilePage *>(to.widget()); held && copy) {
        copy->workNow();
        copy->selectMoment(held->moment());
    }
    const auto *plan = qobject_cast<const PlanPage *>(from.widget());
    if (auto *copy = qobject_cast<PlanPage *>(to.widget()); plan && copy)
        copyLower(*plan->charts()->lower(), *copy->charts()->lower());
    const auto *trace = qobject_cast<const TracePage *>(from.widget());
    if (auto *copy = qobject_cast<TracePage *>(to.widget()); trace && copy) {
        copy->studyNow();
        Bookmark bookmark = trace->bookmark();
        if (redaction)
            bookmark.filter = redaction->path(bookmark.filter);
        copy->apply(bookmark);
    }
    const auto *series = qobject_cast<const SeriesPage *>(from.widget());
    if (auto *copy = qobject_cast<SeriesPage *>(to.widget());
        series && copy && series->state() && copy->state())
        copy->state()->show(series->state()->visible());
}

} // namespace

PageContent::PageContent(const DocumentPage &page, const QString &path)
    : m_whole{page.document(), plansBeside(page), {path}}
    , m_date(dateOf(path))
{
    for (const ComparedTrace &each : comparedIn(m_whole.document)) {
        const QDateTime date = dateOf(each.path);
        if (!m_date.isValid() || (date.isValid() && date > m_date))
            m_date = date;
    }
}

const Redaction &PageContent::redaction() const
{
    if (!m_redaction)
        m_redaction = redactionOf(m_whole);
    return *m_redaction;
}

const ExportedContent &PageContent::leaving(bool redacted) const
{
    if (redacted && !m_redacted)
        m_redacted = vramscope::redacted(m_whole, redaction());
    return redacted ? *m_redacted : m_whole;
}

ExportedView exportedView(const DocumentPage &page, const PageContent &content, ByteUnit unit,
                          const ViewExport &how, bool recolored)
{
    const auto &[document, plans, files] = content.leaving(how.redacted);
    const QString &file = files.front();
    ExportedView exhibit;
    exhibit.theme = how.dark ? darkTheme() : lightTheme();
    exhibit.captioned = how.captioned;
    exhibit.caption = captionOf(document, file, unit);
    exhibit.caption.date = content.date();
    if (!how.title.isEmpty())
        exhibit.caption.title = how.title;
    const bool asSeen = !how.redacted && how.size.isEmpty() && !recolored;
    exhibit.size = how.size.isEmpty() ? page.widget()->size() : sizeWithin(how.size, how.captioned);
    if (asSeen) {
        exhibit.paint = [&page](QPainter &painter, double) { page.widget()->render(&painter); };
        exhibit.table = [document = document, &page, unit](qsizetype most) {
            return tableOfPage(document, *page.widget(), unit, most);
        };
        return exhibit;
    }
    const auto copy = std::make_shared<OffscreenPage>(
        document, documentTitle(file), file, exhibit.size, pixelScale(how.format, how.scale));
    copy->page().setUnit(unit);
    copyState(page, copy->page(), plans, how.redacted ? &content.redaction() : nullptr);
    copy->finish();
    exhibit.paint = [copy](QPainter &painter, double) { copy->paint(painter); };
    exhibit.table = [document = document, copy, unit](qsizetype most) {
        return tableOfPage(document, *copy->page().widget(), unit, most);
    };
    return exhibit;
}

QMimeData *clipping(const DocumentPage &page, ByteUnit unit)
{
    constexpr qsizetype kMost = 10'000; // more is for a file
    auto *data = new QMimeData;
    data->setImageData(page.picture());
    const Table table = tableOfPage(page.document(), *page.widget(), unit, kMost + 1);
    if (!table.isEmpty() && std::ssize(table.rows) <= kMost) {
        data->setHtml(html(table));
        data->setData(u"text/csv"_s, csv(table));
        data->setText(plainText(table));
    }
    return data;
}

QMimeData *clippingOfChosen(const DocumentPage &page, ByteUnit unit)
{
    const QString chosen = page.selectedText();
    if (chosen.isEmpty()) {
        QMimeData *data = clipping(page, unit);
        if (const Plan *plan = page.plan())
            data->setText(toQString(planJson(*plan)));
        return data;
    }
    auto *data = new QMimeData;
    data->setImageData(page.picture());
    data->setText(chosen);
    return data;
}

} // namespace vramscope
