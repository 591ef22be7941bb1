// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/profile/profile_tables_view.h"

#include "ui/models/data_table_view.h"
#include "ui/page/labels.h"
#include "ui/page/layout.h"
#include "ui/support/text.h"

#include <QComboBox>
#include <QLabel>
#include <QTabBar>
#include <QVBoxLayout>

namespace vramscope {

using namespace Qt::StringLiterals;

ProfileTablesView::ProfileTablesView(std::shared_ptr<const ProfileDocument> document,
                                     QWidget *parent)
    : QWidget(parent)
    , m_document(std::move(document))
    , m_tabs(viewTabs(u"Tables"_s))
    , m_choice(choiceBox(u"How the table is shown"_s))
    , m_note(noteLabel())
    , m_view(new DataTableView(u"Table of the profile"_s))
{
    setProperty("role", u"side-below"_s);
    setAttribute(Qt::WA_StyledBackground);
    for (std::size_t at = 0; at < kProfileTabCount; ++at)
        m_tabs->addTab(titleOf(static_cast<ProfileTab>(at)));
    QHBoxLayout *top = row({m_tabs, Gap{12}, m_choice, Gap{12}, {m_note, 1}}, kStyleSpacing);
    setLayout(column({top, {m_view, 1}}, 2, {12, 4, 12, 4}));

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
    connect(m_view, &DataTableView::rowChosen, this,
            [this](std::size_t row) { Q_EMIT rowChosen(m_view->table().targetOf(row)); });
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
    m_view->setSearch(text);
}

void ProfileTablesView::setWorking()
{
    m_note->setText(u"Working it out …"_s);
    m_note->setToolTip({});
}

void ProfileTablesView::setTable(DataTable table, ByteUnit unit)
{
    m_note->setText(foreignText(table.note));
    m_note->setToolTip(table.noteTip.empty() ? QString() : tipHtml(foreignText(table.noteTip)));
    m_view->setTable(std::move(table), unit);
}

Table ProfileTablesView::exported(qsizetype most) const
{
    return tableOf(*m_view->model(), foreignText(m_view->table().title), most);
}

} // namespace vramscope
