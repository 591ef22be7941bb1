// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/serving_log/serving_log_page.h"

#include "core/print/cells.h"
#include "core/print/serving_log_report.h"
#include "core/serving_logs/log_diagnosis.h"
#include "ui/charts/segment_bars.h"
#include "ui/serving_log/log_budget_bars.h"
#include "ui/serving_log/serving_log_rows.h"
#include "ui/support/fact_table.h"
#include "ui/support/scrolled_page.h"
#include "ui/support/text.h"
#include "ui/support/wrapped_label.h"

#include <QBoxLayout>
#include <QFrame>
#include <QPushButton>
#include <QScrollArea>
#include <QStyle>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr int kLeastSideBySide = 900; // narrower, the cards stand below each other

QLabel *plainLabel(const QString &text, const QString &role = {})
{
    auto *label = new WrappedLabel(text);
    label->setTextFormat(Qt::PlainText);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    if (!role.isEmpty())
        label->setProperty("role", role);
    label->ignoreWidth();
    return label;
}

QLabel *boldLabel(const QString &text, double larger = 1)
{
    QLabel *label = plainLabel(text);
    QFont font = label->font();
    font.setBold(true);
    font.setPointSizeF(font.pointSizeF() * larger);
    label->setFont(font);
    return label;
}

/// A card with a title; what it holds comes below.
struct Card
{
    QFrame *frame;
    QVBoxLayout *layout;
    QLabel *title;
};

Card cardNamed(const QString &title)
{
    auto *card = new QFrame;
    card->setProperty("role", u"card"_s);
    card->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    auto *layout = new QVBoxLayout(card);
    layout->setContentsMargins(14, 10, 14, 10);
    layout->setSpacing(6);
    QLabel *label = boldLabel(title);
    layout->addWidget(label);
    return {card, layout, label};
}

/// A title that fits a button.
QString shortened(const QString &title)
{
    constexpr qsizetype kMost = 30;
    return title.size() > kMost ? title.first(kMost - 1) + u'…' : title;
}

void clear(QVBoxLayout &layout)
{
    while (QLayoutItem *item = layout.takeAt(0)) {
        delete item->widget();
        delete item;
    }
}

} // namespace

ServingLogPage::ServingLogPage(std::shared_ptr<const ServingLogDocument> document, QString title,
                               QWidget *parent)
    : QWidget(parent)
    , m_document(std::move(document))
    , m_title(std::move(title))
    , m_planned(m_document->implied)
{
    auto *left = new QVBoxLayout;
    left->setSpacing(12);
    left->addWidget(makeFindings());
    left->addWidget(makePlan());
    left->addStretch(1);
    auto *right = new QVBoxLayout;
    right->setSpacing(12);
    right->addWidget(makeComparison());
    right->addWidget(makeFigures());
    if (!m_document->log.checks.empty())
        right->addWidget(makeChecks());
    right->addStretch(1);
    m_columns = new QBoxLayout(QBoxLayout::LeftToRight);
    m_columns->setSpacing(12);
    m_columns->addLayout(left, 1);
    m_columns->addLayout(right, 1);
    auto *content = new ScrolledPage;
    auto *layout = new QVBoxLayout(content);
    layout->setContentsMargins(18, 12, 18, 16);
    layout->setSpacing(12);
    layout->addWidget(makeHead());
    layout->addWidget(makeBudget());
    layout->addLayout(m_columns, 1);
    auto *scroll = new QScrollArea;
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setAccessibleName(u"Figures of the log"_s);
    scroll->setWidget(content);
    auto *whole = new QVBoxLayout(this);
    whole->setContentsMargins(0, 0, 0, 0);
    whole->addWidget(scroll);
    showFigures();
    showPlan();
}

QWidget *ServingLogPage::makeHead()
{
    const ServingLog &log = m_document->log;
    auto *head = new QWidget;
    auto *layout = new QVBoxLayout(head);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    m_answer = boldLabel({}, 1.4);
    layout->addWidget(m_answer);
    layout->addWidget(
        plainLabel(u"%1 · %2, %3"_s.arg(
                       foreignText(servingLogTitle(log)), toQString(counted(log.lines, "line")),
                       toQString(counted(static_cast<std::int64_t>(log.figures.size()), "figure"))),
                   u"dim"_s));
    for (const LogRefusal &refusal : log.refusals)
        layout->addWidget(
            plainLabel(u"Line %1%2: %3"_s.arg(countText(refusal.line),
                                              refusal.count > 1 ? u", %1 times"_s.arg(refusal.count)
                                                                : QString(),
                                              foreignText(refusal.sentence)),
                       u"warn"_s));
    for (const std::string &problem : log.problems)
        layout->addWidget(plainLabel(foreignText(problem), u"warn"_s));
    return head;
}

QWidget *ServingLogPage::makeBudget()
{
    auto [card, layout, title] = cardNamed(u"What takes the memory"_s);
    m_bar = new SegmentBars;
    m_bar->setAccessibleName(u"What takes the memory"_s);
    layout->addWidget(m_bar);
    layout->addWidget(plainLabel(budgetNote(m_document->log), u"dim"_s));
    if (budgetBars(m_document->log, m_unit).empty())
        card->hide();
    return card;
}

QWidget *ServingLogPage::makeFindings()
{
    auto [card, layout, title] = cardNamed(u"Diagnosis"_s);
    m_findings = new QVBoxLayout;
    m_findings->setSpacing(8);
    layout->addLayout(m_findings);
    return card;
}

QWidget *ServingLogPage::makeComparison()
{
    auto [card, layout, title] = cardNamed({});
    m_comparison = card;
    m_comparedTitle = title;
    m_compared = new FactTable(u"The log beside its plan"_s,
                               {QString(), u"Log"_s, u"Plan"_s, u"Difference"_s, u"Why"_s}, {0, 4});
    layout->addWidget(m_compared);
    return card;
}

QWidget *ServingLogPage::makeFigures()
{
    auto [card, layout, title] = cardNamed(u"Figures"_s);
    layout->addWidget(plainLabel(
        u"Across ranks: highest use, lowest room. Repeated measurements: last value."_s, u"dim"_s));
    m_figures = new FactTable(u"Figures of the log"_s, {u"What it is"_s, u"Value"_s}, {0});
    layout->addWidget(m_figures);
    return card;
}

QWidget *ServingLogPage::makeChecks()
{
    auto [card, layout, title] = cardNamed(u"Checks"_s);
    auto *table = new FactTable(u"Checks among the figures"_s,
                                {u"Identity"_s, u"Computed"_s, u"Printed"_s, QString()}, {0, 3});
    table->setRows(checkRows(m_document->log));
    layout->addWidget(table);
    return card;
}

QWidget *ServingLogPage::makePlan()
{
    auto [card, layout, title] = cardNamed({});
    m_planHead = title;
    m_settings =
        new FactTable(u"Settings from the log"_s, {u"Setting"_s, u"Value"_s, u"Source"_s}, {0, 2});
    layout->addWidget(m_settings);
    m_notes = new QVBoxLayout;
    m_notes->setSpacing(6);
    layout->addLayout(m_notes);
    m_open = new QPushButton(u"Open as plan"_s);
    m_take = new QPushButton;
    connect(m_open, &QPushButton::clicked, this, &ServingLogPage::openPlan);
    connect(m_take, &QPushButton::clicked, this, &ServingLogPage::takeOver);
    auto *buttons = new QHBoxLayout;
    buttons->addWidget(m_open);
    buttons->addWidget(m_take);
    buttons->addStretch(1);
    layout->addLayout(buttons);
    return card;
}

void ServingLogPage::setPlan(const Plan &plan, const QString &title)
{
    if (m_plan == plan && m_planTitle == title && m_missing.isEmpty())
        return;
    if (m_plan != plan)
        m_planned = plannedLog(m_document->log, plan);
    m_plan = plan;
    m_planTitle = title;
    m_missing.clear();
    showFigures();
    showPlan();
}

void ServingLogPage::setPlanMissing(const QString &why)
{
    m_missing = why;
    showPlan();
}

void ServingLogPage::showPlan()
{
    const LogPlan &plan = m_planned.plan;
    m_planHead->setText(m_plan ? u"%1 with what the log says"_s.arg(m_planTitle)
                               : u"Plan inferred from this log"_s);
    m_settings->setRows(settingRows(plan.settings));
    clear(*m_notes);
    if (!m_missing.isEmpty())
        m_notes->addWidget(plainLabel(m_missing, u"warn"_s));
    if (!plan.notTold.empty()) {
        m_notes->addWidget(plainLabel(u"Not in the log:"_s, u"dim"_s));
        for (const std::string &sentence : plan.notTold)
            m_notes->addWidget(plainLabel(u"•  "_s + foreignText(sentence), u"dim"_s));
    }
    if (!m_planned.comparison.whyNot.empty() && plan.hasModel)
        m_notes->addWidget(plainLabel(
            u"It gives no figures: "_s + foreignText(m_planned.comparison.whyNot), u"warn"_s));
    if (!m_plan)
        m_notes->addWidget(plainLabel(u"Drop a plan here to compare it with this log, or choose "
                                      "Trace, Compare with a plan."_s,
                                      u"dim"_s));
    showButtons();
}

void ServingLogPage::showButtons()
{
    const LogTakeOver &takeOver = m_planned.takeOver;
    const bool takes = m_planned.plan.hasModel && !takeOver.taken.empty() && m_missing.isEmpty();
    m_take->setText(m_plan ? u"Take over into %1"_s.arg(shortened(m_planTitle))
                           : u"Take over into a plan"_s);
    m_take->setEnabled(takes);
    m_take->setProperty("role", takes ? u"primary"_s : QString());
    m_take->style()->unpolish(m_take); // the style sheet reads the role
    m_take->style()->polish(m_take);
    if (!m_missing.isEmpty())
        m_take->setToolTip(m_missing);
    else if (!m_planned.plan.hasModel)
        m_take->setToolTip(u"The log names no model of the catalogue: open the plan and choose one "
                           "first."_s);
    else if (!takes)
        m_take->setToolTip(
            foreignText(takeOver.notTaken.empty()
                            ? std::string("The log measured nothing that a plan has a field for.")
                            : takeOver.notTaken.front()));
    else
        m_take->setToolTip(
            m_plan ? u"Puts what the log says and measured into the plan; you can undo this in its "
                     "tab."_s
                   : u"Opens the plan with what the log measured: its cache is that of the "
                     "log."_s);
}

void ServingLogPage::setUnit(ByteUnit unit)
{
    if (m_unit == unit)
        return;
    m_unit = unit;
    showFigures();
}

void ServingLogPage::showFigures()
{
    const ServingLog &log = m_document->log;
    m_answer->setText(foreignText(servingLogAnswer(log, m_unit)));
    m_bar->setUnit(m_unit);
    m_bar->setBars(budgetBars(log, m_unit));
    m_figures->setRows(figureRows(log, m_unit));
    const LogComparison &comparison = m_planned.comparison;
    m_comparison->setVisible(!comparison.rows.empty() && comparison.whyNot.empty());
    m_comparedTitle->setText(m_plan ? u"The log beside %1"_s.arg(m_planTitle)
                                    : u"The log beside its plan"_s);
    m_compared->setRows(comparisonRows(comparison, m_unit));
    clear(*m_findings);
    const std::vector<LogFinding> found = findingsOf(log, &m_planned.plan.plan, m_unit);
    for (const LogFinding &finding : found) {
        m_findings->addWidget(boldLabel(foreignText(finding.title)));
        m_findings->addWidget(
            plainLabel(foreignText(finding.sentence), finding.isFault ? u"warn"_s : QString()));
    }
    if (found.empty())
        m_findings->addWidget(plainLabel(u"No problems found in this log."_s, u"dim"_s));
}

void ServingLogPage::openPlan()
{
    Q_EMIT planWanted(m_planned.plan.plan,
                      u"Made of the log. What the log does not tell is at its default."_s);
}

void ServingLogPage::takeOver()
{
    if (m_plan)
        return Q_EMIT editWanted(m_planned.takeOver.plan, u"take over %1"_s.arg(m_title));
    QStringList taken;
    for (const LogPlanSetting &setting : m_planned.takeOver.taken)
        taken << u"%1 %2"_s.arg(foreignText(setting.subject), foreignText(setting.value));
    Q_EMIT planWanted(m_planned.takeOver.plan,
                      u"Made of the log, with what it measured: %1."_s.arg(taken.join(u", "_s)));
}

std::shared_ptr<const ServingLogDocument> ServingLogPage::shown() const
{
    return m_plan ? std::make_shared<const ServingLogDocument>(
                        ServingLogDocument{m_document->log, m_planned})
                  : m_document;
}

QString ServingLogPage::statusText() const
{
    return u"%1 · %2"_s.arg(foreignText(servingLogTitle(m_document->log)),
                            foreignText(servingLogAnswer(m_document->log, m_unit)));
}

void ServingLogPage::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    const bool isNarrow = width() < kLeastSideBySide;
    m_columns->setDirection(isNarrow ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
    m_columns->setStretch(0, isNarrow ? 0 : 1); // what is too high stays below the last card
}

} // namespace vramscope
