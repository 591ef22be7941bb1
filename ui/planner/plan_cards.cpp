// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/planner/plan_cards.h"

#include "core/plan/choices.h"
#include "core/plan/plan.h"
#include "ui/page/layout.h"
#include "ui/planner/lower_card.h"
#include "ui/planner/step_page.h"
#include "ui/support/theme.h"

#include <QFrame>
#include <QResizeEvent>
#include <QVBoxLayout>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

/// Narrower, what stands beside the title of the bars goes below it.
constexpr int kLeastCards = 480;

QString cardTitle(const QString &title, const QString &remark, const Theme &theme)
{
    return u"<b>%1</b> <span style=\"color:%2\">· %3</span>"_s.arg(title, theme.dim.name(), remark);
}

} // namespace

PlanCards::PlanCards(QWidget *parent)
    : QWidget(parent)
    , m_breakdown(new StackedBarChart(Qt::Horizontal))
    , m_lower(new LowerCard)
    , m_step(new StepPage)
    , m_breakdownTitle(new QLabel)
    , m_head(row({{m_breakdownTitle, 1}}, kStyleSpacing))
{
    m_breakdown->setLegendVisible(false); // the breakdown next to it is one
    m_breakdownTitle->setTextFormat(Qt::RichText);
    m_breakdownTitle->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    auto *card = new QFrame;
    card->setProperty("role", u"card"_s);
    card->setLayout(column({m_head, {m_breakdown, 1}}, 4, {16, 12, 16, 8}));
    m_lower->addPage(u"One step"_s, m_step);
    setLayout(column({card, {m_lower, 1}}, 12));
    connect(m_breakdown, &StackedBarChart::partClicked, this, &PlanCards::partClicked);
    connect(m_step, &StepPage::partClicked, this, &PlanCards::partClicked);
    connect(m_step, &StepPage::momentClicked, this, &PlanCards::momentClicked);
}

void PlanCards::showPlan(const Plan &plan, std::span<const NamedEstimate> scenarios, ByteUnit unit)
{
    m_breakdown->setUnit(unit);
    m_breakdown->setContent(scenarioBars(scenarios));
    if (!scenarios.empty())
        m_step->showPlan(plan, *scenarios.front().estimate, unit);
    m_breakdownTitle->setText(cardTitle(u"Where it goes, at the peak"_s,
                                        u"per GPU, in %1"_s.arg(QLatin1StringView(gigaUnit(unit))),
                                        themeOf(this)));
    const bool pipeline = !scenarios.empty() && runsPipeline(*scenarios.front().estimate);
    m_lower->setPageTitle(m_step, pipeline                               ? u"Phases"_s
                                  : plan.workload == Workload::Inference ? u"Serving"_s
                                                                         : u"One step"_s);
}

void PlanCards::addToHead(QWidget *widget)
{
    m_head->addWidget(widget, 0, Qt::AlignLeft | Qt::AlignVCenter);
}

void PlanCards::resizeEvent(QResizeEvent *event)
{
    const bool beside = event->size().width() >= kLeastCards;
    m_head->setDirection(beside ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
    QWidget::resizeEvent(event);
}

void PlanCards::setSelectedPart(std::optional<std::size_t> part)
{
    m_breakdown->setSelectedPart(part);
    m_step->setSelectedPart(part);
}

void PlanCards::setSelectedMoment(std::optional<int> moment)
{
    m_step->setSelectedMoment(moment);
}

} // namespace vramscope
