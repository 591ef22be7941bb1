// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/profile_difference/difference_page.h"

#include "ui/profile/breakdown_bar.h"
#include "ui/profile/profile_problems_view.h"
#include "ui/profile/profile_table_view.h"
#include "ui/profile/profile_text.h"
#include "ui/profile_difference/difference_text.h"
#include "ui/support/fact_table.h"
#include "ui/support/text.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTabBar>
#include <QVBoxLayout>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

/// The sum of the first device.
std::vector<FactRow> sumRows(const ProfileDifferenceDocument &document)
{
    const ProfileTable table = differenceTable(document, DifferenceTab::Parts);
    std::vector<FactRow> rows;
    for (std::size_t at = 0; at < std::min(table.rows.size(), kSumRows); ++at) {
        FactRow row;
        for (const ProfileCell &cell : table.rows[at].cells)
            row.cells.push_back({cell.text, cell.tip, cell.exact});
        row.strong = at + 1 == kSumRows;
        rows.push_back(std::move(row));
    }
    return rows;
}

} // namespace

DifferencePage::DifferencePage(DifferencePointer document, QWidget *parent)
    : QWidget(parent)
    , m_document(std::move(document))
{
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(makeHead());
    m_problems = problemsLabel({});
    layout->addWidget(m_problems);
    layout->addWidget(makeTables(), 1);
    connectParts();
    setTab(DifferenceTab::Operators);
    showAll();
}

DifferencePage::~DifferencePage() = default;

QWidget *DifferencePage::makeHead()
{
    m_headline = new QLabel;
    QFont larger = m_headline->font();
    larger.setPointSizeF(larger.pointSizeF() * 1.15);
    larger.setBold(true);
    m_headline->setFont(larger);
    m_sides = new QLabel;
    m_sides->setProperty("role", u"dim"_s);
    for (QLabel *label : {m_headline, m_sides}) {
        label->setTextFormat(Qt::PlainText);
        label->setWordWrap(true);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    }
    m_scope = new QComboBox;
    m_scope->setAccessibleName(u"What is compared"_s);
    m_swap = new QPushButton(u"Swap A and B"_s);
    m_bar = new BreakdownBar;
    m_bar->setCommonScale(true);
    m_sum = new FactTable(u"The sum that closes"_s,
                          {u"Part"_s, u"A"_s, u"B"_s, u"B − A"_s, u"Of A"_s}, {0});
    m_sum->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    m_sum->setFixedWidth(90 * fontMetrics().averageCharWidth());
    auto *bars = new QHBoxLayout;
    bars->setSpacing(24);
    bars->addWidget(m_bar, 1, Qt::AlignTop);
    bars->addWidget(m_sum, 0, Qt::AlignTop);
    auto *below = new QHBoxLayout;
    below->setSpacing(12);
    below->addWidget(m_sides, 1);
    below->addWidget(m_scope);
    below->addWidget(m_swap);
    auto *head = new QWidget;
    head->setProperty("role", u"strip"_s);
    head->setAttribute(Qt::WA_StyledBackground);
    auto *layout = new QVBoxLayout(head);
    layout->setContentsMargins(18, 10, 18, 10);
    layout->setSpacing(8);
    layout->addWidget(m_headline);
    layout->addLayout(below);
    layout->addLayout(bars);
    return head;
}

QWidget *DifferencePage::makeTables()
{
    m_tabs = new QTabBar;
    m_tabs->setProperty("role", u"views"_s);
    m_tabs->setDrawBase(false);
    m_tabs->setExpanding(false);
    m_tabs->setAccessibleName(u"Tables"_s);
    for (std::size_t at = 0; at < kDifferenceTabCount; ++at)
        m_tabs->addTab(titleOf(static_cast<DifferenceTab>(at)));
    m_state = new QComboBox;
    m_state->setAccessibleName(u"Rows by what became of them"_s);
    m_state->addItem(u"All rows"_s);
    for (std::size_t at = 0; at < kChangeStateCount; ++at)
        m_state->addItem(toQString(textOf(static_cast<ChangeState>(at))));
    m_note = new QLabel;
    m_note->setProperty("role", u"dim"_s);
    m_note->setTextFormat(Qt::PlainText);
    m_clear = new QPushButton(u"Clear filter"_s);
    m_clear->setProperty("role", u"link"_s);
    m_search = new QLineEdit;
    m_search->setPlaceholderText(u"Find by name"_s);
    m_search->setAccessibleName(m_search->placeholderText());
    m_search->setClearButtonEnabled(true);
    m_search->setFixedWidth(30 * fontMetrics().averageCharWidth());
    m_view = new ProfileTableView(u"Table of changes"_s);

    auto *top = new QHBoxLayout;
    top->setSpacing(10);
    top->addWidget(m_tabs);
    top->addWidget(m_state);
    top->addWidget(m_note, 1);
    top->addWidget(m_clear);
    top->addWidget(m_search);
    auto *tables = new QWidget;
    auto *layout = new QVBoxLayout(tables);
    layout->setContentsMargins(12, 8, 12, 8);
    layout->setSpacing(4);
    layout->addLayout(top);
    layout->addWidget(m_view, 1);
    return tables;
}

void DifferencePage::connectParts()
{
    connect(m_scope, &QComboBox::activated, this, [this](int at) {
        compareAgain(m_document->sides, m_scopes[static_cast<std::size_t>(at)]);
    });
    connect(m_swap, &QPushButton::clicked, this, [this] {
        compareAgain({m_document->sides[1], m_document->sides[0]}, m_document->scope);
    });
    connect(m_bar, &BreakdownBar::partClicked, this, [this](BarPart part) {
        DifferenceFilter filter = m_filter;
        filter.part = filter.part == part ? std::nullopt : std::optional(part);
        setTab(DifferenceTab::Work);
        setFilter(filter);
    });
    connect(m_tabs, &QTabBar::currentChanged, this, &DifferencePage::showTable);
    connect(m_state, &QComboBox::activated, this, [this](int at) {
        DifferenceFilter filter = m_filter;
        filter.state = at == 0 ? std::nullopt : std::optional(static_cast<ChangeState>(at - 1));
        setFilter(filter);
    });
    connect(m_search, &QLineEdit::textChanged, m_view, &ProfileTableView::setSearch);
    connect(m_clear, &QPushButton::clicked, this, [this] {
        m_search->clear();
        setFilter({});
    });
}

void DifferencePage::compareAgain(std::array<ComparedTrace, 2> sides, const DifferenceScope &scope)
{
    m_note->setText(u"Working it out …"_s);
    m_pending = [sides = std::move(sides), scope] { return compareSides(sides, scope); };
    m_job = std::make_unique<Job>([pending = m_pending](const Progress &) { return pending(); },
                                  [this](DifferencePointer document) {
                                      m_pending = {};
                                      setDocument(std::move(document));
                                  });
}

void DifferencePage::workNow()
{
    if (!m_pending)
        return;
    m_job.reset();
    setDocument(std::exchange(m_pending, {})());
}

void DifferencePage::setDocument(DifferencePointer document)
{
    m_document = std::move(document);
    showAll();
    Q_EMIT statusChanged();
}

void DifferencePage::fillScopes()
{
    m_scope->clear();
    m_scopes.clear();
    int shown = 0;
    for (const ScopeChoice &choice : scopesOf(*m_document)) {
        const DifferenceScope &now = m_document->scope;
        if (choice.scope.kind == now.kind && choice.scope.step == now.step)
            shown = m_scope->count();
        m_scope->addItem(choice.title);
        m_scopes.push_back(choice.scope);
    }
    m_scope->setCurrentIndex(shown);
    m_scope->setEnabled(m_scopes.size() > 1);
}

void DifferencePage::showAll()
{
    m_headline->setText(differenceHeadline(*m_document));
    m_sides->setText(sidesText(*m_document));
    showProblems(*m_problems, problemLines(*m_document));
    fillScopes();
    m_bar->setTimes(barsOf(*m_document));
    m_bar->setVisible(!m_bar->times().empty());
    m_sum->setRows(sumRows(*m_document));
    m_sum->setVisible(!m_sum->rows().empty());
    showTable();
}

DifferenceTab DifferencePage::tab() const
{
    return static_cast<DifferenceTab>(m_tabs->currentIndex());
}

void DifferencePage::setTab(DifferenceTab tab)
{
    m_tabs->setCurrentIndex(static_cast<int>(tab));
}

void DifferencePage::setFilter(const DifferenceFilter &filter)
{
    m_filter = filter;
    m_state->setCurrentIndex(filter.state ? static_cast<int>(*filter.state) + 1 : 0);
    m_bar->setChosen(filter.part);
    showTable();
}

QString DifferencePage::search() const
{
    return m_search->text();
}

void DifferencePage::setSearch(const QString &text)
{
    m_search->setText(text);
}

void DifferencePage::showTable()
{
    ProfileTable table = differenceTable(*m_document, tab(), m_filter);
    const bool filters = tab() != DifferenceTab::Parts;
    m_state->setVisible(filters);
    m_search->setVisible(filters);
    m_clear->setVisible(filters && m_filter != DifferenceFilter());
    m_note->setText(filters ? table.note : QString());
    m_view->setTable(std::move(table));
    m_view->setSearch(filters ? m_search->text() : QString());
    Q_EMIT statusChanged();
}

QString DifferencePage::statusText() const
{
    const auto change = m_document->spanChange();
    return change ? u"span, B − A: %1"_s.arg(exactDurationChangeText(*change))
                  : u"nothing to compare"_s;
}

} // namespace vramscope
