// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/view_export.h"

#include "core/estimate/estimate.h"
#include "core/plan/plan_json.h"
#include "ui/offscreen/examples.h"
#include "ui/offscreen/offscreen_page.h"
#include "ui/offscreen/output.h"
#include "ui/planner/breakdown_picture.h"
#include "ui/stage/large_picture.h"
#include "ui/support/file_path.h"
#include "ui/support/text.h"

#include <QMimeData>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

/// The plans that a page shows next to its document, under their names.
std::vector<NamedPlan> plansOf(const DocumentPage &page)
{
    const PlansBeside *beside = page.plansBeside();
    return beside ? beside->plans() : std::vector<NamedPlan>();
}

/// Copies the state of one page to another as far as possible, including typed text; without names
/// if redacted.
void copyState(const DocumentPage &from, DocumentPage &to, const std::vector<NamedPlan> &plans,
               const Redaction *redaction)
{
    if (PlansBeside *beside = to.plansBeside()) {
        for (const NamedPlan &plan : plans)
            beside->addPlan(plan);
    }
    to.restore(from.chosen(redaction));
}

/// The chart of a page alone, as an audience sees it: without buttons, filter and side panels.
Painting chartOf(const DocumentPage &page, ByteUnit unit, const Theme &theme, QSize size)
{
    if (const Plan *plan = page.plan())
        return breakdownPainting(*plan, estimate(*plan), size, theme, unit);
    const std::shared_ptr<QWidget> view = page.bookmarkUse()->viewItem()->scene().view;
    return [view, size](QPainter &painter, double) {
        paintLarge(painter, *view, QRectF(QPointF(), QSizeF(size)), 1);
    };
}

} // namespace

PageContent::PageContent(const DocumentPage &page, const QString &path)
    : m_whole{page.document(), plansOf(page), {path}}
    , m_date(dateOf(path))
    , m_hasChart(page.plan() || (page.bookmarkUse() && page.bookmarkUse()->viewItem()))
{
    for (const ComparedTrace &each : page.compared()) {
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
    exhibit.caption = captionOf(*document, file, unit);
    exhibit.caption.date = content.date();
    if (!how.title.isEmpty())
        exhibit.caption.title = how.title;
    const bool asSeen = !how.redacted && how.size.isEmpty() && !recolored;
    exhibit.size = how.size.isEmpty() ? page.size() : sizeWithin(how.size, how.captioned);
    const bool alone = how.alone && content.hasChart();
    if (asSeen && alone) {
        exhibit.paint = chartOf(page, unit, exhibit.theme, exhibit.size);
        exhibit.table = [&page](qsizetype most) { return page.table(most); };
        return exhibit;
    }
    if (asSeen) {
        exhibit.paint = [&page](QPainter &painter, double) { page.paint(painter); };
        exhibit.table = [&page](qsizetype most) { return page.table(most); };
        return exhibit;
    }
    const auto copy = std::make_shared<OffscreenPage>(
        *document, documentTitle(file), file, exhibit.size, pixelScale(how.format, how.scale));
    copy->page().setUnit(unit);
    copyState(page, copy->page(), plans, how.redacted ? &content.redaction() : nullptr);
    copy->finish();
    if (alone)
        exhibit.paint = chartOf(copy->page(), unit, exhibit.theme, exhibit.size);
    else
        exhibit.paint = [copy](QPainter &painter, double) { copy->paint(painter); };
    exhibit.table = [copy](qsizetype most) { return copy->page().table(most); };
    return exhibit;
}

QMimeData *clipping(const DocumentPage &page)
{
    constexpr qsizetype kMost = 10'000; // more belongs in a file
    auto *data = new QMimeData;
    data->setImageData(page.picture());
    const Table table = page.table(kMost + 1);
    if (!table.isEmpty() && std::ssize(table.rows) <= kMost) {
        data->setHtml(html(table));
        data->setData(u"text/csv"_s, csv(table));
        data->setText(plainText(table));
    }
    return data;
}

QMimeData *clippingOfChosen(const DocumentPage &page)
{
    const QString chosen = page.selectedText();
    if (chosen.isEmpty()) {
        QMimeData *data = clipping(page);
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
