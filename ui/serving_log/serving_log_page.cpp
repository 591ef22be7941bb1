// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/serving_log/serving_log_page.h"

#include "core/print/cells.h"
#include "core/print/serving_log_report.h"
#include "core/serving_logs/log_diagnosis.h"
#include "ui/serving_log/budget_bar.h"
#include "ui/serving_log/serving_log_rows.h"
#include "ui/support/fact_table.h"
#include "ui/support/scrolled_page.h"
#include "ui/support/text.h"
#include "ui/support/wrapped_label.h"

#include <QBoxLayout>
#include <QFrame>
#include <QPushButton>
#include <QScrollArea>

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
std::pair<QFrame *, QVBoxLayout *> cardNamed(const QString &title)
{
    auto *card = new QFrame;
    card->setProperty("role", u"card"_s);
    card->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    auto *layout = new QVBoxLayout(card);
    layout->setContentsMargins(14, 10, 14, 10);
    layout->setSpacing(6);
    layout->addWidget(boldLabel(title));
    return {card, layout};
}

void clear(QVBoxLayout &layout)
{
    while (QLayoutItem *item = layout.takeAt(0)) {
        delete item->widget();
        delete item;
    }
}

} // namespace

ServingLogPage::ServingLogPage(std::shared_ptr<const ServingLogDocument> document, QWidget *parent)
    : QWidget(parent)
    , m_document(std::move(document))
{
    auto *left = new QVBoxLayout;
    left->setSpacing(12);
    left->addWidget(makeFindings());
    left->addWidget(makePlan());
    left->addStretch(1);
    auto *right = new QVBoxLayout;
    right->setSpacing(12);
    if (!m_document->comparison.rows.empty() && m_document->comparison.whyNot.empty())
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
    scroll->setWidget(content);
    auto *whole = new QVBoxLayout(this);
    whole->setContentsMargins(0, 0, 0, 0);
    whole->addWidget(scroll);
    showFigures();
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
    auto [card, layout] = cardNamed(u"What takes the memory"_s);
    m_bar = new BudgetBar;
    layout->addWidget(m_bar);
    layout->addWidget(plainLabel(budgetNote(m_document->log), u"dim"_s));
    if (budgetBars(m_document->log).empty())
        card->hide();
    return card;
}

QWidget *ServingLogPage::makeFindings()
{
    auto [card, layout] = cardNamed(u"Diagnosis"_s);
    m_findings = new QVBoxLayout;
    m_findings->setSpacing(8);
    layout->addLayout(m_findings);
    return card;
}

QWidget *ServingLogPage::makeComparison()
{
    auto [card, layout] = cardNamed(u"The log beside its plan"_s);
    m_compared = new FactTable(u"The log beside its plan"_s,
                               {QString(), u"Log"_s, u"Plan"_s, u"Difference"_s, u"Why"_s}, {0, 4});
    layout->addWidget(m_compared);
    return card;
}

QWidget *ServingLogPage::makeFigures()
{
    auto [card, layout] = cardNamed(u"Figures"_s);
    layout->addWidget(plainLabel(
        u"Of several ranks the largest use and the smallest room; of what is measured again the "
        "last."_s,
        u"dim"_s));
    m_figures = new FactTable(u"Figures of the log"_s, {u"What it is"_s, u"Value"_s}, {0});
    layout->addWidget(m_figures);
    return card;
}

QWidget *ServingLogPage::makeChecks()
{
    auto [card, layout] = cardNamed(u"Checks"_s);
    auto *table = new FactTable(u"Checks among the figures"_s,
                                {u"Identity"_s, u"Computed"_s, u"Printed"_s, QString()}, {0, 3});
    table->setRows(checkRows(m_document->log));
    layout->addWidget(table);
    return card;
}

QWidget *ServingLogPage::makePlan()
{
    const LogPlan &plan = m_document->plan;
    auto [card, layout] = cardNamed(u"The plan by this log"_s);
    auto *table = new FactTable(u"Settings by the log"_s,
                                {u"Setting"_s, u"Value"_s, u"What says it"_s}, {0, 2});
    table->setRows(settingRows(plan.settings));
    layout->addWidget(table);
    QStringList open;
    for (const std::string &sentence : plan.notTold)
        open << foreignText(sentence);
    if (!open.isEmpty()) {
        layout->addWidget(plainLabel(u"Not told by the log:"_s, u"dim"_s));
        for (const QString &sentence : open)
            layout->addWidget(plainLabel(u"•  "_s + sentence, u"dim"_s));
    }
    if (!m_document->comparison.whyNot.empty() && plan.hasModel)
        layout->addWidget(plainLabel(
            u"It gives no figures: "_s + foreignText(m_document->comparison.whyNot), u"warn"_s));
    m_open = new QPushButton(u"Open as plan"_s);
    m_take = new QPushButton(u"Take over into the plan"_s);
    const bool takes = plan.hasModel && !m_document->takeOver.taken.empty();
    if (takes)
        m_take->setProperty("role", u"primary"_s);
    m_take->setEnabled(takes);
    m_take->setToolTip(
        takes ? u"Opens the plan with what the log measured: its cache is that of the log."_s
        : plan.hasModel
            ? foreignText(m_document->takeOver.notTaken.empty()
                              ? std::string("The log measured nothing that a plan has a field for.")
                              : m_document->takeOver.notTaken.front())
            : u"The log names no model of the catalogue: open the plan and choose one first."_s);
    connect(m_open, &QPushButton::clicked, this, &ServingLogPage::openPlan);
    connect(m_take, &QPushButton::clicked, this, &ServingLogPage::openMeasured);
    auto *buttons = new QHBoxLayout;
    buttons->addWidget(m_open);
    buttons->addWidget(m_take);
    buttons->addStretch(1);
    layout->addLayout(buttons);
    return card;
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
    m_bar->setBars(budgetBars(log));
    m_figures->setRows(figureRows(log, m_unit));
    if (m_compared)
        m_compared->setRows(comparisonRows(m_document->comparison, m_unit));
    clear(*m_findings);
    const std::vector<LogFinding> found = findingsOf(log, &m_document->plan.plan, m_unit);
    for (const LogFinding &finding : found) {
        m_findings->addWidget(boldLabel(foreignText(finding.title)));
        m_findings->addWidget(
            plainLabel(foreignText(finding.sentence), finding.isFault ? u"warn"_s : QString()));
    }
    if (found.empty())
        m_findings->addWidget(
            plainLabel(u"Nothing stands out in the figures that the log states."_s, u"dim"_s));
}

void ServingLogPage::openPlan()
{
    Q_EMIT planWanted(m_document->plan.plan,
                      u"Made of the log. What the log does not tell is at its default."_s);
}

void ServingLogPage::openMeasured()
{
    QStringList taken;
    for (const LogPlanSetting &setting : m_document->takeOver.taken)
        taken << u"%1 %2"_s.arg(foreignText(setting.subject), foreignText(setting.value));
    Q_EMIT planWanted(m_document->takeOver.plan,
                      u"Made of the log, with what it measured: %1."_s.arg(taken.join(u", "_s)));
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
