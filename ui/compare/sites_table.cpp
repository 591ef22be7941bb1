// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare/sites_table.h"

#include "ui/page/labels.h"
#include "ui/page/layout.h"
#include "ui/support/elided_label.h"
#include "ui/support/row_table.h"
#include "ui/support/text.h"
#include "ui/trace/stack_view.h"

#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QScrollArea>
#include <QSplitter>
#include <QTableView>
#include <QVBoxLayout>

namespace vramscope {

using namespace Qt::StringLiterals;

SitesTable::SitesTable(QWidget *parent)
    : QWidget(parent)
    , m_model(new SitesModel(this))
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
    connect(m_filter, &QLineEdit::textChanged, this, [this](const QString &text) {
        m_model->setFilter(text);
        showTotals();
        showStacks();
    });
}

void SitesTable::setUpView()
{
    m_view->setModel(m_model);
    m_view->setAccessibleName(u"Sites by difference"_s);
    setUpPlainRows(*m_view);
    m_view->setTabKeyNavigation(false);
    QHeaderView *header = m_view->horizontalHeader();
    header->setSectionResizeMode(QHeaderView::Fixed);
    header->setSectionResizeMode(SitesModel::Site, QHeaderView::Stretch);
    header->setMinimumSectionSize(48);
    const auto widthOf = [this](const QString &widest) {
        return m_view->fontMetrics().horizontalAdvance(widest) + 26;
    };
    for (const int column : {SitesModel::BytesA, SitesModel::BytesB, SitesModel::Delta})
        header->resizeSection(column, widthOf(u"+1023 MiB"_s));
    for (const int column : {SitesModel::CountA, SitesModel::CountB})
        header->resizeSection(column, widthOf(u"count A"_s));
    header->resizeSection(SitesModel::Match, widthOf(u"stacks agree"_s));
    header->setSortIndicator(-1, Qt::DescendingOrder);
    header->setSortIndicatorClearable(true);
    m_view->setSortingEnabled(true);
    connect(m_view->selectionModel(), &QItemSelectionModel::selectionChanged, this,
            &SitesTable::showStacks);
}

void SitesTable::setPair(std::shared_ptr<const TracePair> pair)
{
    m_model->setPair(std::move(pair));
    showTotals();
    showStacks();
}

void SitesTable::setUnit(ByteUnit unit)
{
    m_unit = unit;
    m_model->setUnit(unit);
    showTotals();
    showStacks();
}

QString SitesTable::totalText() const
{
    return m_model->totalText();
}

void SitesTable::showTotals()
{
    m_totals->setFullText(m_model->totalText());
    m_totals->setToolTip(m_model->totalToolTip());
}

void SitesTable::showStacks()
{
    QVBoxLayout *layout = column({}, 4, {14, 4, 14, 8});
    const QModelIndexList rows = m_view->selectionModel()->selectedRows();
    if (rows.isEmpty()) {
        auto *hint = new QLabel(u"Select a site to see its stacks in both recordings."_s);
        hint->setWordWrap(true);
        hint->setProperty("role", u"dim"_s);
        layout->addWidget(hint);
    } else {
        const ComparedSite &site = m_model->site(rows.front().row());
        const TracePair &pair = *m_model->pair();
        auto *match = new QLabel(matchExplanation(site, pair));
        match->setTextFormat(Qt::PlainText);
        match->setWordWrap(true);
        match->setProperty("role", u"dim"_s);
        layout->addWidget(match);
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
