// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/planner/plans_compare_view.h"

#include "core/base/sentence.h"
#include "core/plan/field.h"
#include "core/print/plan_choice_report.h"
#include "core/settings/job_text.h"
#include "ui/charts/waterfall.h"
#include "ui/page/layout.h"
#include "ui/planner/choice_box.h"
#include "ui/planner/scenario_list.h"
#include "ui/support/text.h"
#include "ui/support/wrapped_label.h"

#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QResizeEvent>
#include <QSignalBlocker>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <array>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr int kLeastHead = 460;   // narrower, the level stands below the plans
constexpr int kLeastBeside = 620; // narrower, the settings stand below the bars

const ComparablePlan *planOf(const std::vector<ComparablePlan> &plans, const QString &key)
{
    const auto found = std::ranges::find(plans, key, &ComparablePlan::key);
    return found == plans.end() ? nullptr : &*found;
}

void fillWithPlans(QComboBox *box, const std::vector<ComparablePlan> &plans, const QString &chosen)
{
    const QSignalBlocker silent(box);
    box->clear();
    for (const ComparablePlan &plan : plans)
        box->addItem(plan.title, plan.key);
    box->setCurrentIndex(box->findData(chosen));
    box->setToolTip(box->currentText());
}

/// The letter of a pinned plan, whose name is above and in a row of its own.
QString headOf(const ComparablePlan &plan)
{
    return plan.title.startsWith(plan.key + u' ') ? plan.key : plan.title;
}

PartBytes peakParts(const Estimate &estimate, bool device)
{
    return device ? partBytes(estimate, estimate.peakMoment)
                  : allocatedParts(estimate, estimate.peakMoment);
}

} // namespace

PlansCompareView::PlansCompareView(Source source, QWidget *parent)
    : QWidget(parent)
    , m_source(std::move(source))
    , m_level(new QPushButton(u"up to the device"_s))
    , m_head(new QBoxLayout(QBoxLayout::LeftToRight))
    , m_decision(new WrappedLabel)
    , m_content(new QBoxLayout(QBoxLayout::LeftToRight))
    , m_chart(new WaterfallChart)
    , m_fields(new QTreeWidget)
{
    QHBoxLayout *plans = row({new QLabel(u"From"_s)}, 6);
    m_from = addPlanBox(plans, u"Plan to compare from"_s, &m_fromKey);
    plans->addWidget(new QLabel(u"to"_s));
    m_to = addPlanBox(plans, u"Plan to compare with"_s, &m_toKey);
    m_level->setCheckable(true);
    m_level->setProperty("role", u"tab"_s);
    m_level->setToolTip(u"Count what lies between the tensors and what nvidia-smi shows, too"_s);
    QHBoxLayout *level = row({m_level, EmptyRoom{0}}, kStyleSpacing);
    m_head->setSpacing(6);
    m_head->addLayout(plans, 1);
    m_head->addLayout(level);
    m_decision->setObjectName(u"decision"_s);
    m_decision->setTextFormat(Qt::PlainText);
    m_decision->ignoreWidth();
    m_fields->setAccessibleName(u"Costs and settings that differ"_s);
    m_fields->setRootIsDecorated(false);
    m_fields->setFrameShape(QFrame::NoFrame);
    m_fields->setColumnCount(3);
    m_content->setSpacing(12);
    m_content->addWidget(m_chart, 3);
    m_content->addWidget(m_fields, 2);
    setLayout(column({m_head, m_decision, {m_content, 1}}, 6, {4, 2, 4, 0}));
    connect(m_level, &QPushButton::toggled, this, &PlansCompareView::setDeviceLevel);
    connect(m_chart, &WaterfallChart::partClicked, this, &PlansCompareView::partClicked);
}

QComboBox *PlansCompareView::addPlanBox(QBoxLayout *row, const QString &name, QString *chosen)
{
    auto *box = new ChoiceBox({}, false); // elides what is too long
    box->setAccessibleName(name);
    row->addWidget(box, 1);
    connect(box, &QComboBox::activated, this, [this, box, chosen](int index) {
        *chosen = box->itemData(index).toString();
        refresh();
    });
    return box;
}

void PlansCompareView::plansChanged(ByteUnit unit)
{
    m_unit = unit;
    m_stale = true;
    if (isVisible())
        refresh();
}

void PlansCompareView::setDeviceLevel(bool device)
{
    m_device = device;
    m_level->setChecked(device);
    refresh();
}

void PlansCompareView::setSelectedPart(std::optional<std::size_t> part)
{
    m_chart->setSelectedPart(part);
}

void PlansCompareView::refresh()
{
    m_stale = false;
    const std::vector<ComparablePlan> plans = m_source();
    const ComparablePlan *from = planOf(plans, m_fromKey);
    const ComparablePlan *to = planOf(plans, m_toKey);
    from = from ? from : &plans.front();
    to = to ? to : &plans.back();
    fillWithPlans(m_from, plans, from->key);
    fillWithPlans(m_to, plans, to->key);
    m_chart->setUnit(m_unit);
    const ComparablePlan *missing = !from->estimate->computed ? from : to;
    if (missing->estimate->computed)
        m_chart->setBars(waterfall(from->title, peakParts(*from->estimate, m_device), to->title,
                                   peakParts(*to->estimate, m_device)),
                         {});
    else
        m_chart->setBars(
            {}, u"%1: %2"_s.arg(missing->title, toQString(whyNotComputed(*missing->estimate))));
    showFields(*from, *to);
}

void PlansCompareView::showFields(const ComparablePlan &from, const ComparablePlan &to)
{
    m_fields->clear();
    m_fields->setHeaderLabels({u"Setting"_s, headOf(from), headOf(to)});
    m_fields->header()->setSectionResizeMode(QHeaderView::Stretch);
    const auto add = [&](const QStringList &cells) {
        auto *item = new QTreeWidgetItem(m_fields, cells);
        for (int column = 0; column < cells.size(); ++column)
            item->setToolTip(column, cells[column]);
    };
    const std::vector<FieldDifference> differences = differingFields(
        *from.plan, *from.estimate->settings, *to.plan, *to.estimate->settings, m_unit);
    showDecision(from, to, !differences.empty());
    if (differences.empty())
        return add({u"no setting differs"_s, {}, {}});
    add({u"Job"_s, toQString(jobText(*from.plan, *from.estimate->settings)),
         toQString(jobText(*to.plan, *to.estimate->settings))});
    const std::array plans{PlanToChoose{from.plan, from.estimate},
                           PlanToChoose{to.plan, to.estimate}};
    for (const CostFigure &figure : costFigures(plans))
        add({toQString(figure.name), toQString(figure.values[0]), toQString(figure.values[1])});
    for (const FieldDifference &one : differences)
        add({toQString(one.field->label), one.before, one.after});
}

void PlansCompareView::showDecision(const ComparablePlan &from, const ComparablePlan &to,
                                    bool differ)
{
    const std::array plans{PlanToChoose{from.plan, from.estimate},
                           PlanToChoose{to.plan, to.estimate}};
    const std::array names{withinSentence(from.title.toStdString()),
                           withinSentence(to.title.toStdString())};
    m_decision->setVisible(differ);
    m_decision->setText(
        toQString(capitalized(choiceSentence(choosePlan(plans), plans, names, m_unit))));
}

void PlansCompareView::showEvent(QShowEvent *event)
{
    if (m_stale)
        refresh();
    QWidget::showEvent(event);
}

void PlansCompareView::resizeEvent(QResizeEvent *event)
{
    m_head->setDirection(event->size().width() < kLeastHead ? QBoxLayout::TopToBottom
                                                            : QBoxLayout::LeftToRight);
    m_content->setDirection(event->size().width() < kLeastBeside ? QBoxLayout::TopToBottom
                                                                 : QBoxLayout::LeftToRight);
    QWidget::resizeEvent(event);
}

} // namespace vramscope
