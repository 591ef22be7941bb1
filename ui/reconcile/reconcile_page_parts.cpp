// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/stacked_bar_chart.h"
#include "ui/charts/waterfall.h"
#include "ui/jobs/job.h"
#include "ui/page/card.h"
#include "ui/page/labels.h"
#include "ui/page/layout.h"
#include "ui/reconcile/reconcile_page.h"
#include "ui/reconcile/reconcile_rows.h"
#include "ui/support/elided_label.h"
#include "ui/support/fact_table.h"
#include "ui/support/help_link.h"
#include "ui/support/text.h"

#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QResizeEvent>
#include <QScrollArea>

namespace vramscope {

using namespace Qt::StringLiterals;

void ReconcilePage::build()
{
    makeTables();
    m_empty = emptyLabel();
    m_note = textLabel({}, u"warn"_s);
    m_answer = textLabel();
    setBold(*m_answer, Type::Head);
    m_about = textLabel();
    m_remarks = textLabel({}, u"dim"_s);
    m_constantsCard =
        new Card(u"Constants from this recording"_s,
                 {wideLabel(u"Apply these to all plans like this one."_s, u"dim"_s), m_constants});
    m_columns = new CardColumns({makeMomentsCard(), new Card(u"Levels"_s, {m_levels})},
                                {makeReasonsCard(), m_constantsCard});
    m_body = panel(column({m_answer, m_about, m_remarks, {m_columns, 1}}, 8));
    QWidget *content =
        panel(column({makeHead(), m_note, {m_body, 1}, {m_empty, 1}}, 8, {18, 12, 18, 16}));
    setLayout(column({scrolled(content, u"The plan compared with the recording"_s)}));
}

QLayout *ReconcilePage::makeHead()
{
    m_title = elidedLabel(Qt::ElideMiddle);
    m_device = choiceBox(u"Device of the recording"_s);
    m_device->setObjectName(u"device"_s);
    for (const auto &device : m_recording.document->devices)
        m_device->addItem(u"Device %1"_s.arg(device->device().device));
    m_device->setCurrentIndex(static_cast<int>(m_recording.device));
    if (m_device->count() < 2)
        m_device->hide();
    connect(m_device, &QComboBox::activated, this,
            [this](int device) { showDevice(static_cast<std::size_t>(device)); });
    return row({{m_title, 1}, m_device, helpLink(u"reconcile"_s)}, kStyleSpacing);
}

void ReconcilePage::makeTables()
{
    m_parts = new FactTable(u"Parts at the moment"_s);
    m_reasons = new FactTable(u"Reasons of the difference"_s);
    m_candidates = new FactTable(u"The unexplained rest by part, and other settings"_s);
    m_levels = new FactTable(u"Levels of memory"_s);
    m_constants = new FactTable(u"Constants"_s);
    for (const auto &[table, list] : {std::pair(m_reasons, &Reconciliation::reasons),
                                      std::pair(m_candidates, &Reconciliation::candidates)})
        connect(table, &FactTable::buttonPressed, this, [this, list = list](int row) {
            trySetting((*m_reconciliation.*list)[static_cast<std::size_t>(row)]);
        });
    connect(m_constants, &FactTable::buttonPressed, this, [this](int row) {
        takeOver(m_reconciliation->calibrations[static_cast<std::size_t>(row)]);
    });
}

QWidget *ReconcilePage::makeMomentsCard()
{
    m_bars = new StackedBarChart(Qt::Horizontal);
    m_bars->setLegendVisible(true);
    m_bars->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Minimum); // the page scrolls instead
    m_momentBox = choiceBox(u"Moment whose parts are listed"_s);
    m_momentBox->setObjectName(u"moment"_s);
    m_where = textLabel({}, u"dim"_s);
    connect(m_bars, &StackedBarChart::barClicked, this,
            [this](int bar) { selectMoment(momentOfBar(m_bars->content(), bar)); });
    connect(m_bars, &StackedBarChart::partClicked, m_bars, &StackedBarChart::setSelectedPart);
    connect(m_momentBox, &QComboBox::activated, this,
            [this](int moment) { selectMoment(static_cast<std::size_t>(moment)); });
    QHBoxLayout *choice = row({m_momentBox, {m_where, 1}}, kStyleSpacing, {0, 4, 0, 0});
    return new Card(u"Predicted next to recorded"_s, {m_bars, choice, m_parts});
}

QWidget *ReconcilePage::makeReasonsCard()
{
    m_waterfall = new WaterfallChart;
    m_waterfall->setCutOff(true);
    m_waterfall->setAccessibleName(u"From predicted to recorded"_s);
    connect(m_waterfall, &WaterfallChart::barClicked, this, [this](int bar) {
        if (bar > 0) // the first is predicted, the reasons follow
            m_reasons->selectRow(bar - 1);
    });
    QLabel *title =
        textLabel(u"The unexplained rest by part, and other single settings that come closer"_s);
    setBold(*title);
    m_others = panel(column({title, m_candidates}, kStyleSpacing, {0, 8, 0, 0}));
    m_wayCard = new Card({}, {m_waterfall, m_reasons, m_others});
    return m_wayCard;
}

void ReconcilePage::resizeEvent(QResizeEvent *event)
{
    m_columns->fitTo(event->size().width());
    DocumentPage::resizeEvent(event);
}

} // namespace vramscope
