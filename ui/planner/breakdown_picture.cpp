// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/planner/breakdown_picture.h"

#include "ui/charts/stacked_bar_chart.h"
#include "ui/page/layout.h"
#include "ui/planner/answer_view.h"
#include "ui/planner/breakdown_panel.h"
#include "ui/planner/plan_bars.h"
#include "ui/planner/plan_cards.h"
#include "ui/planner/step_page.h"
#include "ui/support/pixel_ratio.h"
#include "ui/support/text.h"

#include <QHBoxLayout>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr int kTableWidth = 340;
constexpr int kTableBeside = 800; ///< narrower pictures show the bars alone

void paintBreakdown(QPainter &painter, double ratio, const Plan &plan, const Estimate &estimate,
                    QSize size, const Theme &theme, ByteUnit unit)
{
    QWidget page;
    auto *answer = new AnswerView;
    auto *cards = new PlanCards;
    QVBoxLayout *charts = column({answer, {cards, 1}}, 12);
    auto *table = new BreakdownPanel;
    table->setWhyShown(false);
    table->setFixedWidth(kTableWidth);
    table->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    table->setVisible(size.width() >= kTableBeside);
    page.setLayout(row({{charts, 1}, table}, 18, {18, 14, 18, 16}));
    // A palette does not pass through a style sheet: every widget gets it.
    page.setStyleSheet(themeStyleSheet(theme));
    page.setPalette(themePalette(theme));
    for (QWidget *child : page.findChildren<QWidget *>())
        child->setPalette(themePalette(theme));
    page.resize(size);
    setPixelRatio(page, ratio);

    answer->showEstimate(estimate, unit);
    table->showEstimate(estimate, estimate.peakMoment, unit);
    const QString name = plan.name ? toQString(*plan.name) : u"This plan"_s;
    cards->step()->setChoicesShown(false);
    cards->showPlan(plan, std::array{NamedEstimate{name, &estimate}}, unit);
    page.setAttribute(Qt::WA_DontShowOnScreen);
    page.show();
    page.render(&painter);
}

} // namespace

Painting breakdownPainting(const Plan &plan, const Estimate &estimate, QSize size,
                           const Theme &theme, ByteUnit unit)
{
    return [=](QPainter &painter, double ratio) {
        paintBreakdown(painter, ratio, plan, estimate, size, theme, unit);
    };
}

} // namespace vramscope
