// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/page/labels.h"
#include "ui/page/layout.h"
#include "ui/profile/breakdown_bar.h"
#include "ui/ranks/heat_map.h"
#include "ui/ranks/rank_bars.h"
#include "ui/ranks/rank_grid.h"
#include "ui/ranks/ranks_page.h"
#include "ui/ranks/ranks_text.h"
#include "ui/support/text.h"

#include <QBoxLayout>
#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QScrollArea>
#include <QStackedWidget>
#include <QTimer>

#include <algorithm>
#include <limits>

namespace vramscope {

using namespace Qt::StringLiterals;

QWidget *RanksPage::makeHead()
{
    setBold(*m_headline, Type::Lead);
    m_headline->setTextFormat(Qt::RichText);
    m_coverage->setObjectName(u"coverage"_s);
    showCoverage();
    return panel(column({m_headline, m_spread, m_coverage}, 3, {16, 8, 16, 8}), u"strip"_s);
}

QWidget *RanksPage::makePicture()
{
    const bool hasTimes = !m_study->findings.activity.ranks.empty();
    if (!hasTimes)
        return makeMemoryPicture();
    if (!m_study->hasMemory())
        return makeBars();
    auto *what = choiceBox(u"What the picture shows"_s, {u"memory"_s, u"time"_s});
    auto *pictures = new QStackedWidget;
    pictures->addWidget(makeMemoryPicture());
    pictures->addWidget(makeBars());
    connect(what, &QComboBox::activated, pictures, &QStackedWidget::setCurrentIndex);
    return panel(column({row({what, EmptyRoom()}, 8, {16, 4, 8, 0}), {pictures, 1}}));
}

QWidget *RanksPage::makeMemoryPicture()
{
    if (m_study->count() > kMostTiles)
        m_picture = m_heat = new HeatMap(m_study);
    else
        m_picture = new RankGrid(m_study);
    m_picture->setCurrent(m_current);
    connect(m_picture, &RankPicture::currentChanged, this, &RanksPage::setCurrent);
    connect(m_picture, &RankPicture::openWanted, this, &RanksPage::open);
    connect(m_picture, &RankPicture::comparisonWanted, this, &RanksPage::compare);
    QHBoxLayout *bar = row({}, 8, {16, 0, 8, 0});
    makeBar(*bar);
    return panel(column({bar, {m_picture, 1}}, 2, {0, 4, 0, 0}));
}

QWidget *RanksPage::makeBars()
{
    m_bar = new BreakdownBar;
    m_bar->setCommonScale(true);
    m_bar->setTimes(rankBars(*m_study));
    QLabel *nothing = nullptr;
    if (m_bar->times().empty()) {
        m_bar->hide();
        nothing =
            textLabel(u"These recordings have no device event that can be compared."_s, u"dim"_s);
    }
    QWidget *content = panel(column({nothing, m_bar, EmptyRoom()}, kStyleSpacing, {18, 10, 18, 6}));
    QScrollArea *area = scrolled(content, u"Where the time of each rank went"_s);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAsNeeded);
    if (!m_study->hasMemory()) {
        area->setMinimumHeight(std::min(content->sizeHint().height(), 180));
        area->setMaximumHeight(content->sizeHint().height());
    }
    if (const auto late =
            m_study->findings.activity.late()) // it is in sight, however many there are
        QTimer::singleShot(0, area, [this, area, late] {
            std::vector<std::uint8_t> before(m_study->count(), 1);
            std::fill(before.begin() + static_cast<std::ptrdiff_t>(*late), before.end(), 0);
            const std::size_t at =
                rankBars(*m_study, std::numeric_limits<std::size_t>::max(), before).size();
            area->ensureVisible(0, qRound(m_bar->partRect(at, BarPart::Compute).bottom()), 0,
                                area->height() / 2);
        });
    return area;
}

void RanksPage::makeBar(QHBoxLayout &bar)
{
    m_order = choiceBox(u"Order of the ranks"_s);
    for (std::size_t at = 0; at < kRankOrderCount; ++at)
        m_order->addItem(toQString(rankOrderText(static_cast<RankOrder>(at))));
    connect(m_order, &QComboBox::activated, this, [this](int at) {
        const auto order = static_cast<RankOrder>(at);
        m_picture->setOrder(order);
        if (m_fold)
            m_fold->setVisible(order == RankOrder::Group);
    });
    bar.addWidget(m_order);
    if (!m_heat) {
        QLabel *legend = noteLabel(u"one scale; dashed: the group's median"_s);
        legend->setToolTip(u"Active memory over events, all ranks on one scale of both"_s);
        legend->setMinimumWidth(60);
        bar.addWidget(legend, 1);
        return;
    }
    m_axis = choiceBox(u"What the ranks are laid along"_s);
    fillAxes();
    connect(m_axis, &QComboBox::activated, this, [this](int at) {
        m_heat->setAxis(static_cast<RankAxis>(m_axis->itemData(at).toInt()));
    });
    auto *color =
        choiceBox(u"What the colours say"_s, {u"active memory"_s, u"distance from median"_s});
    connect(color, &QComboBox::activated, this,
            [this](int at) { m_heat->setColoring(static_cast<HeatColoring>(at)); });
    m_fold = new QCheckBox(u"fold groups"_s);
    m_fold->setToolTip(u"Shows each group as a band from its lowest rank to its highest"_s);
    m_fold->setVisible(false);
    connect(m_fold, &QCheckBox::toggled, m_heat, &HeatMap::setFolded);
    bar.addWidget(m_axis);
    bar.addWidget(color);
    bar.addWidget(m_fold);
    m_reading = noteLabel(u"Reading the curves… each line is the peak of its rank"_s);
    m_reading->setMinimumWidth(40);
    if (m_study->run.areCurvesRead)
        m_reading->hide();
    bar.addWidget(m_reading);
    bar.addStretch(1);
}

void RanksPage::fillAxes()
{
    m_axis->clear();
    for (const RankAxis each : axesOf(m_study->run))
        m_axis->addItem(rankAxisText(each), static_cast<int>(each));
    m_axis->setCurrentIndex(m_axis->findData(static_cast<int>(m_heat->axis())));
}

} // namespace vramscope
