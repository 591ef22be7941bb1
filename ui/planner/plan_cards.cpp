// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/planner/plan_cards.h"

#include "ui/planner/lower_card.h"
#include "ui/support/theme.h"

#include <QFrame>
#include <QVBoxLayout>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

/// Puts a title line over a content.
void layOut(QWidget *parent, QLabel *title, QWidget *content, QMargins margins)
{
    auto *layout = new QVBoxLayout(parent);
    layout->setContentsMargins(margins);
    layout->setSpacing(6);
    title->setTextFormat(Qt::RichText);
    title->setWordWrap(true);
    layout->addWidget(title);
    layout->addWidget(content, 1);
}

QString cardTitle(const QString &title, const QString &remark, const Theme &theme)
{
    return u"<b>%1</b> <span style=\"color:%2\">· %3</span>"_s.arg(title, theme.dim.name(), remark);
}

} // namespace

PlanCards::PlanCards(QWidget *parent)
    : QWidget(parent)
    , m_breakdown(new StackedBarChart(Qt::Horizontal))
    , m_moments(new StackedBarChart(Qt::Vertical))
    , m_lower(new LowerCard)
    , m_step(new QWidget)
    , m_breakdownTitle(new QLabel)
    , m_momentsTitle(new QLabel)
{
    m_breakdown->setLegendVisible(true);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(12);
    auto *card = new QFrame;
    card->setProperty("role", u"card"_s);
    layOut(card, m_breakdownTitle, m_breakdown, {14, 10, 14, 8});
    layOut(m_step, m_momentsTitle, m_moments, {4, 4, 4, 0});
    m_lower->addPage(u"One step"_s, m_step);
    layout->addWidget(card);
    layout->addWidget(m_lower, 1);
    for (const StackedBarChart *chart : {m_breakdown, m_moments})
        connect(chart, &StackedBarChart::partClicked, this, &PlanCards::partClicked);
    connect(m_moments, &StackedBarChart::barClicked, this, &PlanCards::momentClicked);
}

void PlanCards::showEstimates(std::span<const NamedEstimate> scenarios, ByteUnit unit, bool serving)
{
    const Theme &theme = themeOf(this);
    m_breakdown->setUnit(unit);
    m_moments->setUnit(unit);
    m_breakdown->setContent(scenarioBars(scenarios));
    m_moments->setContent(scenarios.empty() ? StackedBars{}
                                            : momentBars(*scenarios.front().estimate));
    m_breakdownTitle->setText(cardTitle(u"Where it goes, at the peak"_s,
                                        u"per GPU, in %1"_s.arg(QLatin1StringView(gigaUnit(unit))),
                                        theme));
    m_lower->setPageTitle(m_step, serving ? u"While serving"_s : u"One step"_s);
    m_momentsTitle->setText(cardTitle(
        serving ? u"While serving"_s : u"One training step"_s,
        u"allocated at each moment, in %1"_s.arg(QLatin1StringView(gigaUnit(unit))), theme));
}

void PlanCards::setSelectedPart(std::optional<std::size_t> part)
{
    m_breakdown->setSelectedPart(part);
    m_moments->setSelectedPart(part);
}

void PlanCards::setSelectedMoment(std::optional<int> moment)
{
    m_moments->setSelectedBar(moment);
}

} // namespace vramscope
