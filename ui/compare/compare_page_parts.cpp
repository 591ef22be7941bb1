// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/settings/settings.h"
#include "ui/compare/alignment_bar.h"
#include "ui/compare/compare_legend.h"
#include "ui/compare/compare_page.h"
#include "ui/compare/compare_view.h"
#include "ui/compare/difference_view.h"
#include "ui/compare/sites_table.h"
#include "ui/jobs/job.h"
#include "ui/page/labels.h"
#include "ui/page/layout.h"
#include "ui/support/elided_label.h"
#include "ui/timeline/overview.h"

#include <QBoxLayout>
#include <QButtonGroup>
#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSplitter>
#include <QStackedWidget>
#include <QTableWidget>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

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
    m_answer = headlineLabel();
    m_answer->setContentsMargins(18, 8, 18, 0);
    m_answer->setMinimumWidth(1); // a long sentence must not widen the page
    m_legend = new CompareLegend;
    m_chartPart = makeChartPart();
    setLayout(
        column({m_answer,
                m_legend,
                {splitter(Qt::Vertical, {{m_chartPart, 1}, {makePairPart(), 1}}, {420, 380}), 1}}));
}

QWidget *ComparePage::makeChartPart()
{
    m_alignment = new AlignmentBar;
    m_note = noteLabel();
    m_note->setWordWrap(true);
    m_overview = new Overview(m_state);
    m_view = new CompareView(m_state);
    m_charts = panel(column({m_alignment, m_overview, {m_view, 1}}, 2));
    return panel(column({{m_charts, 1}, m_note}, 4, {10, 6, 10, 4}));
}

QWidget *ComparePage::makePairPart()
{
    m_partButtons = new QButtonGroup(this);
    m_baseBox = shortChoice(u"Base of the comparison"_s);
    m_otherBox = shortChoice(u"Compared with the base"_s);
    m_momentBox = choiceBox(u"Moment"_s, {u"each at its peak"_s, u"at the cursor"_s});
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

    auto *swap = new QPushButton(u"Swap"_s);
    swap->setToolTip(u"Compare the other way round"_s);
    connect(swap, &QPushButton::clicked, this, &ComparePage::swapPair);
    QHBoxLayout *bar =
        tabButtons(*m_partButtons, {u"Sites"_s, u"Flame graph"_s, u"Settings"_s}, {}, 6);
    bar->addSpacing(8);
    bar->addWidget(m_baseBox, 100);
    bar->addWidget(noteLabel(u"against"_s));
    bar->addWidget(m_otherBox, 100);
    bar->addWidget(swap);
    bar->addWidget(m_momentBox);
    bar->addStretch(1);
    m_parts->addWidget(m_sites);
    m_parts->addWidget(m_differences);
    m_parts->addWidget(m_settings);
    return panel(column({bar, m_about, {m_parts, 1}}, 6, {14, 8, 14, 8}), u"side"_s);
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
