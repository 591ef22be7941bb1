// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/stacked_bar_chart.h"
#include "ui/charts/waterfall.h"
#include "ui/jobs/job.h"
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
#include <QVBoxLayout>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr int kLeastBeside = 900; // narrower, the cards stand below each other

QLabel *textLabel(const QString &role)
{
    auto *label = new QLabel;
    label->setProperty("role", role);
    label->setWordWrap(true);
    label->setTextFormat(Qt::PlainText);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

QLabel *cardTitle(const QString &text)
{
    auto *title = new QLabel(text);
    QFont font = title->font();
    font.setBold(true);
    title->setFont(font);
    title->setWordWrap(true);
    return title;
}

QVBoxLayout *layoutOf(QFrame *card)
{
    card->setProperty("role", u"card"_s);
    card->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    auto *layout = new QVBoxLayout(card);
    layout->setContentsMargins(14, 10, 14, 10);
    layout->setSpacing(6);
    return layout;
}

QWidget *tableCard(const QString &title, const QString &about, FactTable *table)
{
    auto *card = new QFrame;
    QVBoxLayout *layout = layoutOf(card);
    layout->addWidget(cardTitle(title));
    if (!about.isEmpty()) {
        QLabel *line = textLabel(u"dim"_s);
        line->setText(about);
        layout->addWidget(line);
    }
    layout->addWidget(table);
    return card;
}

} // namespace

void ReconcilePage::build()
{
    makeTables();
    m_empty = textLabel(u"dim"_s);
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setMargin(24);
    m_note = textLabel(u"warn"_s);
    m_answer = textLabel({});
    QFont large = m_answer->font();
    large.setPointSizeF(large.pointSizeF() * 1.4);
    large.setBold(true);
    m_answer->setFont(large);
    m_about = textLabel({});
    m_remarks = textLabel(u"dim"_s);

    auto *left = new QVBoxLayout;
    left->setSpacing(12);
    left->addWidget(makeMomentsCard());
    left->addWidget(tableCard(u"Levels"_s, {}, m_levels));
    left->addStretch(1);
    auto *right = new QVBoxLayout;
    right->setSpacing(12);
    right->addWidget(makeReasonsCard());
    m_constantsCard = tableCard(
        u"Constants that this recording tells"_s,
        u"Taken over, they replace what the plan assumes of every run like it."_s, m_constants);
    right->addWidget(m_constantsCard);
    right->addStretch(1);
    m_columns = new QBoxLayout(QBoxLayout::LeftToRight);
    m_columns->setSpacing(12);
    m_columns->addLayout(left, 1);
    m_columns->addLayout(right, 1);

    m_body = new QWidget;
    auto *body = new QVBoxLayout(m_body);
    body->setContentsMargins(0, 0, 0, 0);
    body->setSpacing(8);
    for (QLabel *label : {m_answer, m_about, m_remarks})
        body->addWidget(label);
    body->addLayout(m_columns, 1);
    auto *content = new QWidget;
    auto *layout = new QVBoxLayout(content);
    layout->setContentsMargins(18, 12, 18, 16);
    layout->setSpacing(8);
    layout->addWidget(makeHead());
    layout->addWidget(m_note);
    layout->addWidget(m_body, 1);
    layout->addWidget(m_empty, 1);
    auto *scroll = new QScrollArea;
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setAccessibleName(u"The plan compared with the recording"_s);
    scroll->setWidget(content);
    auto *whole = new QVBoxLayout(this);
    whole->setContentsMargins(0, 0, 0, 0);
    whole->addWidget(scroll);
}

QWidget *ReconcilePage::makeHead()
{
    m_title = new ElidedLabel(Qt::ElideMiddle);
    m_title->setProperty("role", u"dim"_s);
    m_device = new QComboBox;
    m_device->setObjectName(u"device"_s);
    m_device->setAccessibleName(u"Device of the recording"_s);
    for (const auto &device : m_recording.document->devices)
        m_device->addItem(u"Device %1"_s.arg(device->device().device));
    m_device->setCurrentIndex(static_cast<int>(m_recording.device));
    m_device->setVisible(m_device->count() > 1);
    connect(m_device, &QComboBox::activated, this,
            [this](int device) { setDevice(static_cast<std::size_t>(device)); });
    auto *head = new QWidget;
    auto *row = new QHBoxLayout(head);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(m_title, 1);
    row->addWidget(m_device);
    row->addWidget(helpLink(u"reconcile"_s));
    return head;
}

void ReconcilePage::makeTables()
{
    const QStringList sides{u"predicted"_s, u"recorded"_s, u"Δ"_s};
    m_parts = new FactTable(u"Parts at the moment"_s, QStringList{u"part"_s} + sides, {0});
    const QStringList reasons{u"adds"_s, u"brings nearer by"_s};
    m_reasons = new FactTable(u"Reasons of the difference"_s,
                              QStringList{u"what is different"_s} + reasons, {0});
    m_candidates = new FactTable(u"What is left by part, and other settings"_s,
                                 QStringList{u"part, or another setting"_s} + reasons, {0});
    m_levels =
        new FactTable(u"Levels of memory"_s,
                      QStringList{u"level"_s} + sides + QStringList{u"recorded where"_s}, {0, 4});
    m_constants = new FactTable(u"Constants"_s,
                                {u"constant"_s, u"planned"_s, u"recorded"_s, u"from"_s}, {0, 3});
    for (const FactTable *table : {m_parts, m_levels}) {
        table->horizontalHeaderItem(1)->setToolTip(u"By the formulas of the plan, for one GPU"_s);
        table->horizontalHeaderItem(2)->setToolTip(u"Read off the recording, of one device"_s);
        table->horizontalHeaderItem(3)->setToolTip(u"Recorded less predicted"_s);
    }
    m_constants->horizontalHeaderItem(1)->setToolTip(u"What the plan reckons with now"_s);
    m_constants->horizontalHeaderItem(2)->setToolTip(u"What this recording tells instead"_s);
    for (const FactTable *table : {m_reasons, m_candidates}) {
        table->horizontalHeaderItem(1)->setToolTip(u"To the prediction at the moment compared"_s);
        table->horizontalHeaderItem(2)->setToolTip(
            u"How far the parts of all moments that were found come closer, taken together"_s);
    }
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
    m_momentBox = new QComboBox;
    m_momentBox->setObjectName(u"moment"_s);
    m_momentBox->setAccessibleName(u"Moment whose parts are listed"_s);
    m_where = textLabel(u"dim"_s);
    auto *card = new QFrame;
    QVBoxLayout *layout = layoutOf(card);
    layout->addWidget(cardTitle(u"Predicted beside recorded"_s));
    layout->addWidget(m_bars);
    auto *row = new QHBoxLayout;
    row->addWidget(m_momentBox);
    row->addWidget(m_where, 1);
    layout->addSpacing(4);
    layout->addLayout(row);
    layout->addWidget(m_parts);
    connect(m_bars, &StackedBarChart::barClicked, this,
            [this](int bar) { selectMoment(momentOfBar(m_bars->content(), bar)); });
    connect(m_bars, &StackedBarChart::partClicked, m_bars, &StackedBarChart::setSelectedPart);
    connect(m_momentBox, &QComboBox::activated, this,
            [this](int moment) { selectMoment(static_cast<std::size_t>(moment)); });
    return card;
}

QWidget *ReconcilePage::makeReasonsCard()
{
    m_waterfall = new WaterfallChart;
    m_waterfall->setCutOff(true);
    m_waterfall->setAccessibleName(u"From predicted to recorded"_s);
    m_wayTitle = cardTitle({});
    auto *card = new QFrame;
    QVBoxLayout *layout = layoutOf(card);
    layout->addWidget(m_wayTitle);
    layout->addWidget(m_waterfall);
    layout->addWidget(m_reasons);
    m_others = new QWidget;
    auto *others = new QVBoxLayout(m_others);
    others->setContentsMargins(0, 8, 0, 0);
    others->addWidget(
        cardTitle(u"What is left by part, and other single settings that come closer"_s));
    others->addWidget(m_candidates);
    layout->addWidget(m_others);
    connect(m_waterfall, &WaterfallChart::barClicked, this, [this](int bar) {
        if (bar > 0) // the first is predicted, the reasons follow
            m_reasons->selectRow(bar - 1);
    });
    return card;
}

void ReconcilePage::resizeEvent(QResizeEvent *event)
{
    m_columns->setDirection(event->size().width() < kLeastBeside ? QBoxLayout::TopToBottom
                                                                 : QBoxLayout::LeftToRight);
    QWidget::resizeEvent(event);
}

} // namespace vramscope
