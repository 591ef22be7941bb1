// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare/sites_table.h"

#include "core/describe/trace_tables.h"
#include "ui/models/data_table_model.h"
#include "ui/page/labels.h"
#include "ui/page/layout.h"
#include "ui/stacks/stack_tree.h"
#include "ui/support/elided_label.h"
#include "ui/support/row_delegate.h"
#include "ui/support/text.h"
#include "ui/trace/stack_view.h"

#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QScrollArea>
#include <QSplitter>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

bool anyFrame(const Trace &trace, StackId stack, const std::vector<bool> &matching)
{
    return std::ranges::any_of(trace.stack(stack), [&](FrameId frame) {
        return matching[static_cast<std::size_t>(frame)];
    });
}

} // namespace

SitesTable::SitesTable(QWidget *parent)
    : QWidget(parent)
    , m_model(new DataTableModel(this))
    , m_view(new QTableView)
    , m_filter(searchField(u"Filter by function or file"_s, 34))
    , m_totals(new ElidedLabel(Qt::ElideRight))
    , m_stacks(new QScrollArea)
{
    setUpView();
    m_totals->setAccessibleName(u"Total of the sites"_s);
    m_stacks->setWidgetResizable(true);
    m_stacks->setFrameShape(QFrame::NoFrame);
    m_stacks->setAccessibleName(u"Stacks of the selected site"_s);

    QHBoxLayout *foot = row({{m_totals, 1}, m_filter}, kStyleSpacing);
    QWidget *left = panel(column({{m_view, 1}, foot}, 4));
    QSplitter *parts = splitter(Qt::Horizontal, {{left, 5}, {m_stacks, 3}}, {760, 320});
    setLayout(column({parts}, kStyleSpacing));
    connect(m_filter, &QLineEdit::textChanged, this, &SitesTable::showSites);
}

void SitesTable::setUpView()
{
    m_view->setModel(m_model);
    m_view->setAccessibleName(u"Sites by difference"_s);
    setUpPlainRows(*m_view);
    m_view->setTabKeyNavigation(false);
    QHeaderView *header = m_view->horizontalHeader();
    header->setSectionResizeMode(QHeaderView::Fixed);
    header->setMinimumSectionSize(48);
    header->setSortIndicator(-1, Qt::DescendingOrder);
    header->setSortIndicatorClearable(true);
    m_view->setSortingEnabled(true);
    connect(m_view->selectionModel(), &QItemSelectionModel::selectionChanged, this,
            &SitesTable::showStacks);
}

void SitesTable::fitColumns()
{
    QHeaderView *header = m_view->horizontalHeader();
    header->setSectionResizeMode(m_model->columnOf("site"), QHeaderView::Stretch);
    const auto fit = [&](std::string_view key, const QString &widest) {
        header->resizeSection(m_model->columnOf(key),
                              m_view->fontMetrics().horizontalAdvance(widest) + 26);
    };
    for (const std::string_view key : {"a", "b", "delta"})
        fit(key, u"+1023 MiB"_s);
    for (const std::string_view key : {"count_a", "count_b"})
        fit(key, u"count A"_s);
    fit("match", u"stacks agree"_s);
}

void SitesTable::setPair(std::shared_ptr<const TracePair> pair)
{
    m_pair = std::move(pair);
    showSites();
}

void SitesTable::takeUnit()
{
    m_model->setUnit(m_unit);
    showTotals();
    showStacks();
}

void SitesTable::showSites()
{
    m_sites.clear();
    if (m_pair) {
        const Trace &a = m_pair->a.recorded();
        const Trace &b = m_pair->b.recorded();
        m_sites = m_pair->sites;
        if (const QString text = m_filter->text(); !text.isEmpty()) {
            const std::vector<bool> inA = matchingFrames(a, text);
            const std::vector<bool> inB = matchingFrames(b, text);
            std::erase_if(m_sites, [&](const ComparedSite &site) {
                return !anyFrame(a, site.stackA, inA) && !anyFrame(b, site.stackB, inB);
            });
        }
        m_model->setTable(keptWith(sitesTable(a, b, m_sites, lettersOf(*m_pair)), m_pair));
        fitColumns();
    }
    showTotals();
    showStacks();
}

const ComparedSite &SitesTable::site(int row) const
{
    return m_sites[m_model->rowAt(row)];
}

SitesTable::Sums SitesTable::sums() const
{
    Sums sums;
    for (const ComparedSite &site : m_sites) {
        sums.a = wrappingSum(sums.a, site.bytesA);
        sums.b = wrappingSum(sums.b, site.bytesB);
    }
    return sums;
}

QString SitesTable::totalText() const
{
    if (!m_pair)
        return {};
    const Sums all = sums();
    const auto kept = std::ssize(m_sites);
    const auto total = std::ssize(m_pair->sites);
    const QString sites = kept == total
                              ? u"Total of %1"_s.arg(countedText(total, "site"))
                              : u"%1 of %2"_s.arg(countText(kept), countedText(total, "site"));
    return u"%1: %2 %3, %4 %5, difference %6"_s.arg(
        sites, letterOf(m_pair->a.at), bytesText(all.a, m_unit), letterOf(m_pair->b.at),
        bytesText(all.b, m_unit), signedBytesText(wrappingDifference(all.b, all.a), m_unit));
}

QString SitesTable::totalToolTip() const
{
    if (!m_pair)
        return {};
    const Sums all = sums();
    return u"%1: %2\n%3: %4\n%5"_s.arg(
        titleOf(m_pair->a.trace, m_pair->a.at), exactBytesText(all.a, m_unit),
        titleOf(m_pair->b.trace, m_pair->b.at), exactBytesText(all.b, m_unit),
        signedExactBytesText(wrappingDifference(all.b, all.a), m_unit));
}

void SitesTable::showTotals()
{
    m_totals->setFullText(totalText());
    m_totals->setToolTip(totalToolTip());
}

void SitesTable::showStacks()
{
    QVBoxLayout *layout = column({}, 4, {14, 4, 14, 8});
    const QModelIndexList rows = m_view->selectionModel()->selectedRows();
    if (rows.isEmpty()) {
        layout->addWidget(
            textLabel(u"Select a site to see its stacks in both recordings."_s, u"dim"_s));
    } else {
        const ComparedSite &site = this->site(rows.front().row());
        const TracePair &pair = *m_pair;
        layout->addWidget(textLabel(toQString(matchExplanation(site, lettersOf(pair))), u"dim"_s));
        addStack(layout, pair.a, site.stackA, site.bytesA, site.countA);
        addStack(layout, pair.b, site.stackB, site.bytesB, site.countB);
    }
    layout->addStretch(1);
    m_stacks->setWidget(panel(layout, u"side"_s)); // takes it, and drops the one before
}

void SitesTable::addStack(QBoxLayout *layout, const PairSide &side, StackId stack, Bytes bytes,
                          std::int64_t count) const
{
    auto *title = new ElidedLabel(Qt::ElideMiddle);
    title->setFullText(count == 0 ? u"%1: nothing from here"_s.arg(titleOf(side.trace, side.at))
                                  : u"%1: %2 in %3"_s.arg(titleOf(side.trace, side.at),
                                                          bytesText(bytes, m_unit),
                                                          countedText(count, "allocation")));
    title->setToolTip(exactBytesText(bytes, m_unit));
    layout->addWidget(title);
    if (count == 0)
        return;
    auto *view = new StackView(side.trace.document->trace);
    view->setAccessibleName(u"Stack in %1"_s.arg(letterOf(side.at)));
    view->setEveryFrame(true);
    view->setStack(stack);
    layout->addWidget(view);
}

} // namespace vramscope
