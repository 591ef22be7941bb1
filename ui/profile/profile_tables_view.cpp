// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/profile/profile_tables_view.h"

#include "ui/profile/profile_table_model.h"
#include "ui/support/row_table.h"

#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QSortFilterProxyModel>
#include <QTabBar>
#include <QTableView>
#include <QVBoxLayout>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr std::size_t kMeasured = 200; // rows that say how wide a column is
constexpr int kWidestWord = 180;

} // namespace

ProfileTablesView::ProfileTablesView(std::shared_ptr<const ProfileDocument> document,
                                     QWidget *parent)
    : QWidget(parent)
    , m_document(std::move(document))
    , m_tabs(new QTabBar)
    , m_choice(new QComboBox)
    , m_note(new QLabel)
    , m_view(new QTableView)
    , m_model(new ProfileTableModel(this))
    , m_sorted(new QSortFilterProxyModel(this))
{
    setProperty("role", u"side-below"_s);
    setAttribute(Qt::WA_StyledBackground);
    m_tabs->setProperty("role", u"views"_s);
    m_tabs->setDrawBase(false);
    m_tabs->setExpanding(false);
    m_tabs->setAccessibleName(u"Tables"_s);
    for (std::size_t at = 0; at < kProfileTabCount; ++at)
        m_tabs->addTab(titleOf(static_cast<ProfileTab>(at)));
    m_choice->setAccessibleName(u"How the table is shown"_s);
    m_note->setProperty("role", u"dim"_s);
    m_note->setTextFormat(Qt::PlainText);
    m_sorted->setSourceModel(m_model);
    m_sorted->setSortRole(ProfileTableModel::kOrderRole);
    m_sorted->setFilterCaseSensitivity(Qt::CaseInsensitive);
    m_sorted->setFilterKeyColumn(0);
    setUpRowTable(*m_view);
    m_view->setModel(m_sorted);
    m_view->setAccessibleName(u"Table of the profile"_s);
    m_view->setSortingEnabled(true);
    m_view->horizontalHeader()->setStretchLastSection(false);
    m_view->horizontalHeader()->setSortIndicatorClearable(true);
    m_view->horizontalHeader()->setSortIndicator(-1, Qt::DescendingOrder);

    auto *top = new QHBoxLayout;
    top->setContentsMargins(0, 0, 0, 0);
    top->addWidget(m_tabs);
    top->addSpacing(12);
    top->addWidget(m_choice);
    top->addWidget(m_note, 1);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(12, 4, 12, 4);
    layout->setSpacing(2);
    layout->addLayout(top);
    layout->addWidget(m_view, 1);

    showChoices();

    connect(m_tabs, &QTabBar::currentChanged, this, [this] {
        showChoices();
        Q_EMIT choiceChanged();
    });
    connect(m_choice, &QComboBox::activated, this, [this](int index) {
        m_choices[static_cast<std::size_t>(m_tabs->currentIndex())] =
            static_cast<std::size_t>(index);
        Q_EMIT choiceChanged();
    });
    const auto choose = [this](const QModelIndex &index) {
        const auto row = static_cast<std::size_t>(m_sorted->mapToSource(index).row());
        Q_EMIT rowChosen(m_model->table().rows[row]);
    };
    connect(m_view, &QTableView::clicked, this, choose);
    connect(m_view, &QTableView::activated, this, choose);
}

ProfileTab ProfileTablesView::tab() const
{
    return static_cast<ProfileTab>(m_tabs->currentIndex());
}

void ProfileTablesView::setTab(ProfileTab tab)
{
    m_tabs->setCurrentIndex(static_cast<int>(tab));
}

ProfileTableChoice ProfileTablesView::choice() const
{
    return {tab(), m_choices[static_cast<std::size_t>(m_tabs->currentIndex())]};
}

void ProfileTablesView::setChoice(const ProfileTableChoice &choice)
{
    if (choice == this->choice())
        return;
    m_choices[static_cast<std::size_t>(choice.tab)] =
        choice.choice < static_cast<std::size_t>(choicesOf(*m_document, choice.tab).size())
            ? choice.choice
            : 0;
    if (choice.tab != tab())
        return setTab(choice.tab);
    showChoices();
    Q_EMIT choiceChanged();
}

void ProfileTablesView::showChoices()
{
    const QStringList choices = choicesOf(*m_document, tab());
    m_choice->clear();
    m_choice->addItems(choices);
    m_choice->setCurrentIndex(static_cast<int>(choice().choice));
    m_choice->setVisible(!choices.isEmpty());
}

void ProfileTablesView::setSearch(const QString &text)
{
    m_sorted->setFilterFixedString(text);
}

void ProfileTablesView::setWorking()
{
    m_note->setText(u"Working it out …"_s);
}

void ProfileTablesView::setTable(ProfileTable table)
{
    const bool sameColumns = table.title == m_model->table().title &&
                             table.columns.size() == m_model->table().columns.size();
    m_note->setText(table.note);
    m_model->setTable(std::move(table));
    if (!sameColumns) {
        m_sorted->sort(-1);
        m_view->horizontalHeader()->setSortIndicator(-1, Qt::DescendingOrder);
        fitColumns();
    }
}

// Words take what figures leave.
void ProfileTablesView::fitColumns()
{
    QHeaderView *header = m_view->horizontalHeader();
    const QFontMetrics metrics = m_view->fontMetrics();
    for (int column = 0; column < m_model->columnCount(); ++column) {
        if (column == 0) {
            header->setSectionResizeMode(column, QHeaderView::Stretch);
            continue;
        }
        const auto at = static_cast<std::size_t>(column);
        int widest = metrics.horizontalAdvance(m_model->table().columns[at].title) + 6;
        for (std::size_t row = 0; row < std::min(m_model->table().rows.size(), kMeasured); ++row)
            widest = std::max(widest,
                              metrics.horizontalAdvance(m_model->table().rows[row].cells[at].text));
        header->setSectionResizeMode(column, QHeaderView::Interactive);
        header->resizeSection(column, std::min(widest, kWidestWord) + 32);
    }
}

Table ProfileTablesView::exported(qsizetype most) const
{
    return tableOf(*m_sorted, m_model->table().title, most);
}

} // namespace vramscope
