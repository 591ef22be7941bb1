// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/ranks/rank_details.h"

#include "core/describe/rank_answer.h"
#include "core/describe/rank_tables.h"
#include "ui/page/labels.h"
#include "ui/page/layout.h"
#include "ui/ranks/rank_curve.h"
#include "ui/support/fact_table.h"
#include "ui/support/text.h"

#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QStackedWidget>
#include <QStyle>
#include <QTabBar>
#include <QVBoxLayout>

#include <algorithm>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

enum Part { Sites, Curve, Kinds, StepsPart };

QScrollArea *scrolledTable(FactTable *table)
{
    return scrolled(panel(column({table, EmptyRoom()}, kStyleSpacing, {16, 2, 16, 8}), u"side"_s),
                    u"Details of the selected rank"_s);
}

} // namespace

RankDetails::RankDetails(RunStudyPointer study, QWidget *parent)
    : QWidget(parent)
    , m_study(std::move(study))
    , m_title(new QLabel)
    , m_answer(textLabel())
    , m_whyNot(textLabel({}, u"dim"_s))
    , m_compare(new QPushButton)
    , m_open(new QPushButton)
    , m_tabs(viewTabs(u"What is shown of the rank"_s))
    , m_stack(new QStackedWidget)
    , m_note(textLabel({}, u"dim"_s))
    , m_curve(new RankCurve(m_study))
    , m_sites(new FactTable(u"The peak by place"_s))
    , m_kinds(new FactTable(u"The peak by category"_s))
    , m_steps(new FactTable(u"Steps"_s))
{
    setStyled(*this, u"side-below"_s);
    setLayout(column({makeHead(), {makeParts(), 1}}));
    connect(m_compare, &QPushButton::clicked, this, [this] { Q_EMIT comparisonWanted(m_rank); });
    connect(m_open, &QPushButton::clicked, this, [this] { Q_EMIT openWanted(m_rank); });
    refresh();
}

QWidget *RankDetails::makeHead()
{
    m_title->setProperty("role", u"heading"_s);
    m_title->setTextFormat(Qt::PlainText);
    m_answer->setObjectName(u"rankAnswer"_s);
    m_whyNot->setObjectName(u"whyNotCompared"_s);
    m_compare->setObjectName(u"compareRank"_s);
    m_open->setObjectName(u"openRank"_s);
    QHBoxLayout *top = row({m_title, EmptyRoom(), m_compare, m_open}, 8);
    return panel(column({top, m_answer, m_whyNot}, 4, {16, 8, 16, 4}));
}

QWidget *RankDetails::makeParts()
{
    for (const QString &title : {u"Places"_s, u"Curve"_s, u"Categories"_s, u"Steps"_s})
        m_tabs->addTab(title);
    m_stack->addWidget(scrolledTable(m_sites));
    m_stack->addWidget(m_curve);
    m_stack->addWidget(scrolledTable(m_kinds));
    m_stack->addWidget(scrolledTable(m_steps));
    QVBoxLayout *top = column({{m_tabs, 0, Qt::AlignLeft}, m_note}, kStyleSpacing, {16, 0, 16, 0});
    connect(m_tabs, &QTabBar::currentChanged, this, [this](int part) {
        m_stack->setCurrentIndex(part);
        refreshTables();
    });
    return panel(column({top, {m_stack, 1}}, 2));
}

void RankDetails::takeCurves(RunStudyPointer study)
{
    m_study = std::move(study);
    m_curve->takeCurves(m_study);
}

void RankDetails::takeUnit()
{
    m_curve->setUnit(m_unit);
    refresh();
}

void RankDetails::setRank(std::size_t rank)
{
    m_rank = rank;
    m_curve->setRank(rank);
    refresh();
}

void RankDetails::refresh()
{
    const std::size_t typical = m_study->typicalOf(m_rank);
    const QString why = toQString(whyNotCompared(*m_study, m_rank));
    m_title->setText(foreignText(rankHeading(*m_study, m_rank)));
    m_answer->setText(foreignText(rankAnswer(*m_study, m_rank, m_unit)));
    m_whyNot->setText(why);
    m_whyNot->setVisible(!why.isEmpty());
    m_compare->setVisible(why.isEmpty());
    m_compare->setText(u"Compare with rank %1"_s.arg(m_study->number(typical)));
    const bool hasMemory = m_study->rank(m_rank).hasMemory;
    m_compare->setToolTip(
        (hasMemory ? u"Opens both snapshots: where rank %1 holds other memory than rank %2, the "
                     "typical one of its group"_s
                   : u"Opens both profiler traces: where the time of rank %1 differs from that of "
                     "rank %2, whose span is the median"_s)
            .arg(m_study->number(m_rank))
            .arg(m_study->number(typical)));
    m_tabs->setVisible(hasMemory);
    if (!hasMemory) // there is nothing else
        m_tabs->setCurrentIndex(StepsPart);
    m_open->setText(u"Open rank %1"_s.arg(m_study->number(m_rank)));
    refreshTables();
}

// Only what is in front is worked out: comparing two ranks takes a moment.
void RankDetails::refreshTables()
{
    const std::size_t typical = m_study->typicalOf(m_rank);
    const bool isTypical = typical == m_rank;
    const RankSummary &rank = m_study->rank(m_rank);
    QString note;
    switch (m_tabs->currentIndex()) {
    case Sites: {
        m_sites->setTable(rankSitesTable(*m_study, m_rank), m_unit);
        note =
            m_sites->rows().empty()
                ? u"What it held at its peak, or what rank %1 did, is not in this file."_s.arg(
                      m_study->number(typical))
            : isTypical
                ? u"Where most of its peak was allocated."_s
                : u"Where its peak was allocated, what differs most first. Rank %1 is the typical "
                  "one of its group."_s.arg(m_study->number(typical));
        break;
    }
    case Kinds:
        m_kinds->setTable(rankCategoriesTable(*m_study, m_rank), m_unit);
        note = rank.peak.areCategoriesSure
                   ? u"The categories are judged by stacks and lifetimes."_s
                   : u"The categories are judged by stacks and lifetimes; of this rank they are "
                     "unsure."_s;
        break;
    case StepsPart:
        if (!rank.hasMemory) {
            m_steps->setTable(rankTimesTable(*m_study, m_rank), m_unit);
            note = foreignText(rank.profile->stepsFrom);
            break;
        }
        m_steps->setTable(rankStepsTable(*m_study, m_rank), m_unit);
        note = foreignText(rank.steps.how);
        if (rank.steps.rows.size() > kMostStepRows)
            note += u" The first %1 of %2."_s.arg(kMostStepRows)
                        .arg(countedText(std::ssize(rank.steps.rows), "row"));
        break;
    default:
        break;
    }
    m_note->setText(note);
    m_note->setVisible(!note.isEmpty());
}

} // namespace vramscope
