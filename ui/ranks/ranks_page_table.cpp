// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ranks/rank_filter.h"
#include "ui/models/data_table_view.h"
#include "ui/page/layout.h"
#include "ui/page/tabbed_tables.h"
#include "ui/profile/breakdown_bar.h"
#include "ui/ranks/heat_map.h"
#include "ui/ranks/rank_bars.h"
#include "ui/ranks/rank_grid.h"
#include "ui/ranks/ranks_page.h"
#include "ui/support/text.h"

#include <QBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QStyle>
#include <QTabBar>

#include <algorithm>
#include <limits>

namespace vramscope {

using namespace Qt::StringLiterals;

QWidget *RanksPage::makeTable()
{
    m_filter->setPlaceholderText(u"Filter: peak>70GiB  node:0216  oom"_s);
    m_filter->setAccessibleName(u"Filter"_s);
    m_filter->setClearButtonEnabled(true);
    m_filter->setToolTip(
        u"<p>Words are looked for in paths and nodes.</p><p>peak&gt;70GiB &nbsp; reserved&gt;70GiB "
        "&nbsp; unused&gt;1GiB &nbsp; growth&gt;16MiB &nbsp; distance&gt;1GiB &nbsp; rank&lt;64 "
        "&nbsp; device:5 &nbsp; group:3 &nbsp; step:12 &nbsp; node:0216 &nbsp; oom &nbsp; outlier "
        "&nbsp; problems</p><p>Of profiler traces: steptime&gt;500ms &nbsp; compute&lt;60% &nbsp; "
        "exposed&gt;10% &nbsp; idle&gt;20% &nbsp; wait&gt;5ms &nbsp; late</p>"_s);
    m_filter->setProperty("help", m_filter->toolTip());
    connect(m_filter, &QLineEdit::textChanged, this, &RanksPage::applyFilter);
    m_tables->tabs()->setVisible(m_tables->tabs()->count() > 1);
    connect(m_tables, &TabbedTables::tabChanged, this, &RanksPage::showTable);
    connect(m_view->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex &row) {
                if (row.isValid() && tab() == RanksTab::Ranks)
                    setCurrent(rank(row.row()));
            });
    connect(m_view, &QTableView::activated, this, [this](const QModelIndex &row) {
        if (tab() == RanksTab::Ranks)
            open(rank(row.row()));
    });
    applyFilter();
    QHBoxLayout *bar = row({{m_filter, 1}, m_count}, kStyleSpacing, {0, 0, 12, 0});
    return panel(column({bar, {m_tables, 1}}, 4, {8, 4, 0, 0}));
}

RanksTab RanksPage::tab() const
{
    return tabsOf(*m_study)[static_cast<std::size_t>(m_tables->tab())];
}

void RanksPage::setTab(RanksTab tab)
{
    const std::vector<RanksTab> tabs = tabsOf(*m_study);
    const auto found = std::ranges::find(tabs, tab);
    if (found != tabs.end())
        m_tables->setTab(static_cast<int>(found - tabs.begin()));
}

std::size_t RanksPage::rank(int row) const
{
    const auto *model = qobject_cast<const DataTableModel *>(m_view->model());
    return m_shown[model->rowAt(row)];
}

int RanksPage::rowOf(std::size_t rank) const
{
    const auto found = std::ranges::lower_bound(m_shown, rank);
    if (tab() != RanksTab::Ranks || found == m_shown.end() || *found != rank)
        return -1;
    const auto *model = qobject_cast<const DataTableModel *>(m_view->model());
    return model->placeOf(static_cast<std::size_t>(found - m_shown.begin()));
}

void RanksPage::showTable()
{
    const QSignalBlocker quiet(m_view->selectionModel());
    m_shown.clear();
    for (std::size_t rank = 0; rank < m_study->count(); ++rank) {
        if (m_kept.empty() || m_kept[rank] != 0)
            m_shown.push_back(rank);
    }
    DataTable table = shownTable(*m_study, tab(), unit(), m_kept);
    m_tables->setNote(toQString(table.note));
    m_view->setTable(std::move(table), unit());
    follow();
}

void RanksPage::setFilter(const QString &text)
{
    m_filter->setText(text);
}

QString RanksPage::filter() const
{
    return m_filter->text();
}

void RanksPage::applyFilter()
{
    const Result<RankFilter> filter = parseRankFilter(m_filter->text().toStdString());
    m_filter->setProperty("bad", !filter.ok());
    m_filter->style()->unpolish(m_filter);
    m_filter->style()->polish(m_filter);
    m_filter->setToolTip(filter.ok() ? m_filter->property("help").toString()
                                     : toQString(filter.error().text()));
    if (!filter.ok())
        return m_count->setText(u"not understood"_s);
    std::vector<std::uint8_t> kept;
    if (*filter != RankFilter()) {
        for (std::size_t rank = 0; rank < m_study->count(); ++rank)
            kept.push_back(keeps(*filter, *m_study, rank) ? 1 : 0);
    }
    const auto all = static_cast<std::int64_t>(m_study->count());
    const auto shown = kept.empty() ? all : std::ranges::count(kept, std::uint8_t(1));
    m_count->setText(kept.empty() ? countedText(all, "rank")
                                  : u"%1 of %2"_s.arg(countText(shown), countText(all)));
    m_kept = std::move(kept);
    if (m_picture)
        m_picture->setKept(m_kept);
    if (m_bar)
        m_bar->setTimes(rankBars(*m_study, std::numeric_limits<std::size_t>::max(), m_kept));
    showTable();
}

} // namespace vramscope
