// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/profile_difference/difference_page.h"

#include "core/trace/redaction.h"
#include "ui/models/data_table_model.h"
#include "ui/models/data_table_view.h"
#include "ui/page/head.h"
#include "ui/page/labels.h"
#include "ui/page/layout.h"
#include "ui/page/tabbed_tables.h"
#include "ui/profile/breakdown_bar.h"
#include "ui/profile/profile_table_parts.h"
#include "ui/profile/profile_text.h"
#include "ui/profile_difference/difference_items.h"
#include "ui/profile_difference/difference_text.h"
#include "ui/support/fact_table.h"
#include "ui/support/text.h"

#include <QBoxLayout>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

// In what a page keeps.
const QString kTab = u"tab"_s;
const QString kState = u"state"_s;
const QString kSearch = u"search"_s;

QStringList tabTitles()
{
    QStringList titles;
    for (std::size_t at = 0; at < kDifferenceTabCount; ++at)
        titles << titleOf(static_cast<DifferenceTab>(at));
    return titles;
}

} // namespace

DifferencePage::DifferencePage(DifferencePointer document, QWidget *parent)
    : DocumentPage(document, parent)
    , m_document(std::move(document))
    , m_problems(problemsLabel({}))
{
    setLayout(column({makeHead(), m_problems, {makeTables(), 1}}));
    connectParts();
    setTab(DifferenceTab::Operators);
    showAll();
}

DifferencePage::~DifferencePage() = default;

QWidget *DifferencePage::makeHead()
{
    m_sides = textLabel({}, u"dim"_s);
    m_scope = choiceBox(u"What is compared"_s);
    m_swap = new QPushButton(u"Swap A and B"_s);
    m_bar = new BreakdownBar;
    m_bar->setCommonScale(true);
    m_sum = new FactTable(u"The sum that closes"_s);
    m_sum->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    m_sum->setFixedWidth(90 * fontMetrics().averageCharWidth());
    m_head = new PageHead({}, nullptr, 8);
    m_head->add(row({{m_sides, 1}, m_scope, m_swap}, 12));
    m_head->add(row({{m_bar, 1, Qt::AlignTop}, {m_sum, 0, Qt::AlignTop}}, 24));
    return m_head;
}

QWidget *DifferencePage::makeTables()
{
    m_state = choiceBox(u"Rows by what became of them"_s);
    m_state->addItem(u"All rows"_s);
    for (std::size_t at = 0; at < kChangeStateCount; ++at)
        m_state->addItem(toQString(textOf(static_cast<ChangeState>(at))));
    m_clear = linkButton(u"Clear filter"_s);
    m_search = searchField(u"Find by name"_s, 30);
    m_view = new DataTableView(u"Table of changes"_s);
    m_tables = new TabbedTables(tabTitles(), m_view, {});
    m_tables->layout()->setContentsMargins(12, 8, 12, 8);
    m_tables->top()->setSpacing(10);
    m_tables->addBeforeNote(m_state);
    m_tables->addAfterNote(m_clear);
    m_tables->addAfterNote(m_search);
    return m_tables;
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
    connect(m_tables, &TabbedTables::tabChanged, this, &DifferencePage::showTable);
    connect(m_state, &QComboBox::activated, this, [this](int at) {
        DifferenceFilter filter = m_filter;
        filter.state = at == 0 ? std::nullopt : std::optional(static_cast<ChangeState>(at - 1));
        setFilter(filter);
    });
    connect(m_search, &QLineEdit::textChanged, m_view, &DataTableView::setSearch);
    connect(m_clear, &QPushButton::clicked, this, [this] {
        m_search->clear();
        setFilter({});
    });
}

void DifferencePage::compareAgain(std::array<ComparedTrace, 2> sides, const DifferenceScope &scope)
{
    m_tables->setNote(u"Working it out …"_s);
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
    m_head->setAnswer(differenceHeadline(*m_document));
    m_sides->setText(sidesText(*m_document));
    showProblems(*m_problems, problemLines(*m_document));
    fillScopes();
    m_bar->setTimes(barsOf(*m_document));
    m_bar->setVisible(!m_bar->times().empty());
    DataTable sum = differenceTable(*m_document, DifferenceTab::Parts);
    sum.rows = std::min(sum.rows, kSumRows); // of the first device
    m_sum->setTable(sum, unit());
    m_sum->setVisible(!m_sum->rows().empty());
    showTable();
}

DifferenceTab DifferencePage::tab() const
{
    return static_cast<DifferenceTab>(m_tables->tab());
}

void DifferencePage::setTab(DifferenceTab tab)
{
    m_tables->setTab(static_cast<int>(tab));
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
    DataTable table = differenceTable(*m_document, tab(), m_filter);
    const bool filters = tab() != DifferenceTab::Parts;
    m_state->setVisible(filters);
    m_search->setVisible(filters);
    m_clear->setVisible(filters && m_filter != DifferenceFilter());
    m_tables->setNote(filters ? foreignText(table.note) : QString());
    m_view->setTable(std::move(table), unit());
    m_view->setSearch(filters ? m_search->text() : QString());
    Q_EMIT statusChanged();
}

QString DifferencePage::statusText() const
{
    const auto change = m_document->spanChange();
    return change ? u"span, B − A: %1"_s.arg(exactDurationChangeText(*change))
                  : u"nothing to compare"_s;
}

Table DifferencePage::table(qsizetype most) const
{
    return tableOf(*m_view->model(), foreignText(m_view->table().title), most);
}

std::vector<StageItem> DifferencePage::stageItems()
{
    return differenceItems(m_document);
}

std::vector<ComparedTrace> DifferencePage::compared() const
{
    const auto &[a, b] = m_document->sides;
    return {a, b};
}

QVariantMap DifferencePage::chosen(const Redaction *redaction) const
{
    const std::string text = search().toStdString();
    return {{kTab, nameOf(tab())},
            {kState, m_filter.state ? toQString(textOf(*m_filter.state)) : QString()},
            {kSearch, toQString(redaction ? redaction->title(text) : text)}};
}

void DifferencePage::restore(const QVariantMap &chosen)
{
    goTo(chosen[kTab].toString());
    for (std::size_t at = 0; at < kChangeStateCount; ++at) {
        const auto each = static_cast<ChangeState>(at);
        if (toQString(textOf(each)) == chosen[kState].toString())
            setFilter({each, {}});
    }
    setSearch(chosen[kSearch].toString());
}

void DifferencePage::goTo(const QString &place)
{
    if (const auto tab = differenceTabNamed(place))
        setTab(*tab);
}

} // namespace vramscope
