// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/planner/step_page.h"

#include "core/plan/choices.h"
#include "core/plan/plan.h"
#include "ui/charts/stacked_bar_chart.h"
#include "ui/charts/step_chart.h"
#include "ui/page/labels.h"
#include "ui/planner/look.h"
#include "ui/planner/plan_bars.h"
#include "ui/support/elided_label.h"
#include "ui/support/text.h"

#include <QButtonGroup>
#include <QHBoxLayout>
#include <QPushButton>
#include <QResizeEvent>
#include <QStackedLayout>

namespace vramscope {

using namespace Qt::StringLiterals;

StepPage::StepPage(QWidget *parent)
    : PlanFollower(parent)
    , m_title(new QLabel)
    , m_remark(new ElidedLabel(Qt::ElideRight))
    , m_head(new QBoxLayout(QBoxLayout::LeftToRight))
    , m_charts(new QStackedLayout)
    , m_course(new StepChart)
    , m_moments(new StackedBarChart(Qt::Vertical))
{
    auto *titles = new QHBoxLayout;
    titles->setSpacing(2);
    m_title->setFont(typeFont(m_title, Type::Body, true));
    m_remark->setForegroundRole(QPalette::PlaceholderText);
    titles->addWidget(m_title);
    titles->addWidget(m_remark, 1);
    auto *choices = new QHBoxLayout;
    choices->setSpacing(2);
    m_kinds = addChoice(choices, {u"steady state"_s, u"first step"_s}, u"which step"_s);
    choices->addSpacing(10);
    m_views = addChoice(choices, {u"blocks"_s, u"moments"_s}, u"the step by"_s);
    choices->addStretch();
    m_head->setSpacing(2);
    m_head->addLayout(titles, 1);
    m_head->addLayout(choices);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(4, 2, 4, 0);
    layout->setSpacing(4);
    layout->addLayout(m_head);
    layout->addLayout(m_charts, 1);  // before it has widgets: the first is shown at once
    m_course->setLegendShown(false); // the breakdown next to it names the parts
    m_charts->addWidget(m_course);
    m_charts->addWidget(m_moments);
    connect(m_kinds, &QButtonGroup::idClicked, this,
            [this](int id) { setStepKind(static_cast<StepKind>(id)); });
    connect(m_views, &QButtonGroup::idClicked, this,
            [this](int id) { setView(static_cast<View>(id)); });
    connect(m_course, &StepChart::partClicked, this, &StepPage::partClicked);
    connect(m_moments, &StackedBarChart::partClicked, this, &StepPage::partClicked);
    connect(m_moments, &StackedBarChart::barClicked, this, &StepPage::momentClicked);
    connect(m_course, &StepChart::momentClicked, this, [this](const QString &name) {
        for (std::size_t at = 0; at < m_estimate.moments.size(); ++at) {
            if (toQString(m_estimate.moments[at].name) == name) {
                Q_EMIT momentClicked(static_cast<int>(at));
                return;
            }
        }
    });
}

QButtonGroup *StepPage::addChoice(QLayout *layout, const QStringList &names,
                                  const QString &description)
{
    auto *group = new QButtonGroup(this);
    for (qsizetype id = 0; id < names.size(); ++id) {
        QPushButton *button = tabButton(names[id]);
        button->setChecked(id == 0);
        button->setAccessibleDescription(description);
        group->addButton(button, static_cast<int>(id));
        layout->addWidget(button);
    }
    return group;
}

StepPage::View StepPage::shownView() const
{
    return runsPipeline(m_estimate) ? View::Moments : m_view;
}

void StepPage::compute()
{
    m_course->setUnit(m_unit);
    m_moments->setUnit(m_unit);
    const View view = shownView();
    m_charts->setCurrentIndex(static_cast<int>(view));
    for (QAbstractButton *button : m_kinds->buttons())
        button->setVisible(m_choicesShown && !serving() && view == View::Course);
    for (QAbstractButton *button : m_views->buttons())
        button->setVisible(m_choicesShown && !runsPipeline(m_estimate));
    m_views->button(0)->setText(serving() ? u"cache"_s : u"blocks"_s);
    if (view == View::Moments)
        m_moments->setContent(momentBars(m_estimate));
    else
        m_course->setCurve(serving() ? cacheCurve(m_plan, m_estimate)
                                     : stepCurve(lifecycle(m_estimate), m_estimate, m_kind));
    m_course->setAccessibleName(serving() ? u"Memory as the cache fills"_s
                                          : u"Memory over the step"_s);
    showTitle();
}

void StepPage::showTitle()
{
    const bool course = shownView() == View::Course;
    const QString title = runsPipeline(m_estimate) ? pipelineTitle(m_estimate)
                          : !serving()             ? stepTitle(m_estimate)
                          : course                 ? u"The cache as it fills"_s
                                                   : u"While serving"_s;
    const QString remark = serving() && course && m_plan.inference.engine != Engine::Vllm
                               ? u"on the device, by what runs at once, in %1"_s
                           : serving() && course ? u"allocated, by what runs at once, in %1"_s
                           : course              ? u"allocated, in %1"_s
                                                 : u"allocated at each moment, in %1"_s;
    m_title->setText(title);
    m_remark->setFullText(u" · "_s + remark.arg(QLatin1StringView(gigaUnit(m_unit))));
}

void StepPage::setChoicesShown(bool shown)
{
    m_choicesShown = shown;
    for (QAbstractButton *button : m_views->buttons())
        button->setVisible(shown && !runsPipeline(m_estimate));
}

void StepPage::setView(View view)
{
    m_view = view;
    m_views->button(static_cast<int>(view))->setChecked(true);
    outdate();
}

void StepPage::setStepKind(StepKind kind)
{
    m_kind = kind;
    m_kinds->button(static_cast<int>(kind))->setChecked(true);
    outdate();
}

void StepPage::setSelectedPart(std::optional<std::size_t> part)
{
    m_course->setSelectedPart(part);
    m_moments->setSelectedPart(part);
}

void StepPage::setSelectedMoment(std::optional<int> moment)
{
    m_moments->setSelectedBar(moment);
    const auto at = static_cast<std::size_t>(moment.value_or(0));
    m_course->setSelectedMoment(moment && at < m_estimate.moments.size()
                                    ? toQString(m_estimate.moments[at].name)
                                    : QString());
}

void StepPage::resizeEvent(QResizeEvent *event)
{
    // The choices stand below the title where both have no room in one line.
    const int wanted = m_title->sizeHint().width() + fontMetrics().averageCharWidth() * 50;
    m_head->setDirection(event->size().width() >= wanted ? QBoxLayout::LeftToRight
                                                         : QBoxLayout::TopToBottom);
    PlanFollower::resizeEvent(event);
}

} // namespace vramscope
