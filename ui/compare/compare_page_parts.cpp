// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/planner/settings.h"
#include "ui/compare/alignment_bar.h"
#include "ui/compare/compare_legend.h"
#include "ui/compare/compare_page.h"
#include "ui/compare/compare_view.h"
#include "ui/compare/difference_view.h"
#include "ui/compare/sites_table.h"
#include "ui/jobs/job.h"
#include "ui/support/elided_label.h"
#include "ui/timeline/overview.h"

#include <QButtonGroup>
#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSplitter>
#include <QStackedWidget>
#include <QTableWidget>
#include <QVBoxLayout>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

QLabel *dimLabel(const QString &text)
{
    auto *label = new QLabel(text);
    label->setTextFormat(Qt::PlainText);
    label->setProperty("role", u"dim"_s);
    return label;
}

QComboBox *shortChoice(const QString &name)
{
    auto *box = new QComboBox;
    box->setAccessibleName(name);
    box->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    box->setMinimumWidth(14 * box->fontMetrics().averageCharWidth());
    return box;
}

} // namespace

void ComparePage::buildParts()
{
    m_legend = new CompareLegend;
    auto *whole = new QSplitter(Qt::Vertical);
    whole->setChildrenCollapsible(false);
    m_chartPart = makeChartPart();
    whole->addWidget(m_chartPart);
    whole->addWidget(makePairPart());
    whole->setStretchFactor(0, 1);
    whole->setStretchFactor(1, 1);
    whole->setSizes({420, 380});
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_legend);
    layout->addWidget(whole, 1);
}

QWidget *ComparePage::makeChartPart()
{
    m_alignment = new AlignmentBar;
    m_note = dimLabel({});
    m_note->setWordWrap(true);
    m_charts = new QWidget;
    m_overview = new Overview(m_state);
    m_view = new CompareView(m_state);
    auto *charts = new QVBoxLayout(m_charts);
    charts->setContentsMargins(0, 0, 0, 0);
    charts->setSpacing(2);
    charts->addWidget(m_alignment);
    charts->addWidget(m_overview);
    charts->addWidget(m_view, 1);
    auto *part = new QWidget;
    auto *layout = new QVBoxLayout(part);
    layout->setContentsMargins(10, 6, 10, 4);
    layout->setSpacing(4);
    layout->addWidget(m_charts, 1);
    layout->addWidget(m_note);
    return part;
}

QWidget *ComparePage::makePairPart()
{
    m_partButtons = new QButtonGroup(this);
    m_baseBox = shortChoice(u"Base of the comparison"_s);
    m_otherBox = shortChoice(u"Compared with the base"_s);
    m_momentBox = new QComboBox;
    m_momentBox->addItems({u"each at its peak"_s, u"at the cursor"_s});
    m_momentBox->setAccessibleName(u"Moment"_s);
    m_about = new ElidedLabel(Qt::ElideRight);
    m_parts = new QStackedWidget;
    m_sites = new SitesTable;
    m_differences = new DifferenceView;
    m_settings = new QTableWidget(0, 3);
    m_settings->setAccessibleName(u"Allocator settings that differ"_s);
    m_settings->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_settings->setTabKeyNavigation(false);
    m_settings->setShowGrid(false);
    m_settings->verticalHeader()->hide();
    m_settings->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    m_settings->horizontalHeader()->setHighlightSections(false);
    m_settings->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);

    auto *bar = new QHBoxLayout;
    bar->setSpacing(6);
    for (const auto &[part, text] :
         {std::pair(Part::Sites, u"Sites"_s), std::pair(Part::Differences, u"Flame graph"_s),
          std::pair(Part::Settings, u"Settings"_s)}) {
        auto *button = new QPushButton(text);
        button->setCheckable(true);
        button->setChecked(part == Part::Sites);
        button->setProperty("role", u"tab"_s);
        m_partButtons->addButton(button, static_cast<int>(part));
        bar->addWidget(button);
    }
    auto *swap = new QPushButton(u"Swap"_s);
    swap->setToolTip(u"Compare the other way round"_s);
    connect(swap, &QPushButton::clicked, this, &ComparePage::swapPair);
    bar->addSpacing(8);
    bar->addWidget(m_baseBox, 100);
    bar->addWidget(dimLabel(u"against"_s));
    bar->addWidget(m_otherBox, 100);
    bar->addWidget(swap);
    bar->addWidget(m_momentBox);
    bar->addStretch(1);
    m_parts->addWidget(m_sites);
    m_parts->addWidget(m_differences);
    m_parts->addWidget(m_settings);
    auto *part = new QWidget;
    part->setProperty("role", u"side"_s);
    part->setAttribute(Qt::WA_StyledBackground);
    auto *layout = new QVBoxLayout(part);
    layout->setContentsMargins(14, 8, 14, 8);
    layout->setSpacing(6);
    layout->addLayout(bar);
    layout->addWidget(m_about);
    layout->addWidget(m_parts, 1);
    return part;
}

void ComparePage::connectParts()
{
    connect(m_legend, &CompareLegend::shownChanged, this, [this](std::size_t trace, bool shown) {
        m_scene.setShown(trace, shown);
        m_view->refresh();
        paintOverview();
        Q_EMIT statusChanged();
    });
    connect(m_legend, &CompareLegend::deviceChosen, this, &ComparePage::setDevice);
    connect(m_alignment, &AlignmentBar::changed, this, [this] {
        rebuildScene();
        if (m_moment == Moment::Cursor)
            refreshPair();
    });
    connect(m_partButtons, &QButtonGroup::idClicked, this,
            [this](int part) { setPart(static_cast<Part>(part)); });
    // Whoever is chosen a second time changes places with the other.
    connect(m_baseBox, &QComboBox::activated, this, [this](int at) {
        const auto chosen = static_cast<std::size_t>(at);
        setPair(chosen, chosen == m_b ? m_a : m_b);
    });
    connect(m_otherBox, &QComboBox::activated, this, [this](int at) {
        const auto chosen = static_cast<std::size_t>(at);
        setPair(chosen == m_a ? m_b : m_a, chosen);
    });
    connect(m_momentBox, &QComboBox::activated, this,
            [this](int at) { setMoment(static_cast<Moment>(at)); });
    connect(m_state, &TimelineState::cursorChanged, this, [this] {
        if (m_moment == Moment::Cursor)
            refreshPair();
        Q_EMIT statusChanged();
    });
    connect(m_state, &TimelineState::visibleChanged, this, &ComparePage::statusChanged);
}

void ComparePage::fillPairChoices()
{
    for (QComboBox *box : {m_baseBox, m_otherBox}) {
        const QSignalBlocker blocker(box);
        box->clear();
        for (std::size_t at = 0; at < m_document.traces.size(); ++at) {
            box->addItem(titleOf(m_document.traces[at], at));
            box->setItemData(static_cast<int>(at), m_document.traces[at].path, Qt::ToolTipRole);
        }
        box->setMaximumWidth(std::max(box->minimumWidth(), box->sizeHint().width()));
    }
    m_baseBox->setCurrentIndex(static_cast<int>(m_a));
    m_otherBox->setCurrentIndex(static_cast<int>(m_b));
    m_baseBox->setToolTip(m_baseBox->currentText());
    m_otherBox->setToolTip(m_otherBox->currentText());
}

} // namespace vramscope
