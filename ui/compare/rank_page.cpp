// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare/rank_page.h"

#include "ui/compare/rank_details.h"
#include "ui/compare/rank_grid.h"
#include "ui/compare/rank_text.h"
#include "ui/support/file_path.h"
#include "ui/support/text.h"

#include <QComboBox>
#include <QFileInfo>
#include <QLabel>
#include <QScrollArea>
#include <QSplitter>
#include <QVBoxLayout>

#include <algorithm>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

/// A few lines, however many files could not be read: what is more scrolls.
QWidget *leftOutNote(const QString &text, const QFontMetrics &metrics)
{
    constexpr int kMostLines = 4;
    auto *label = new QLabel(text);
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    label->setProperty("role", u"warn"_s);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    label->setContentsMargins(16, 4, 16, 4);
    auto *area = new QScrollArea;
    area->setFrameShape(QFrame::NoFrame);
    area->setWidgetResizable(true);
    area->setWidget(label);
    const int lines = std::min(kMostLines, static_cast<int>(text.count(u'\n')) + 1);
    area->setFixedHeight(lines * metrics.lineSpacing() + 14);
    area->setAccessibleName(u"Files left out"_s);
    return area;
}

} // namespace

RankPage::RankPage(std::shared_ptr<const RankFolder> folder, QWidget *parent)
    : QWidget(parent)
    , m_folder(std::move(folder))
    , m_headline(new QLabel)
    , m_spread(new QLabel)
    , m_order(new QComboBox)
    , m_grid(new RankGrid(m_folder))
    , m_details(new RankDetails(m_folder))
    , m_parts(new QSplitter(Qt::Vertical))
{
    m_parts->setChildrenCollapsible(false);
    m_parts->addWidget(m_grid);
    m_parts->addWidget(m_details);
    connect(m_parts, &QSplitter::splitterMoved, this, [this] { m_areSizesChosen = true; });
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(makeHead());
    if (const QString leftOut = leftOutText(*m_folder); !leftOut.isEmpty())
        layout->addWidget(leftOutNote(leftOut, fontMetrics()));
    layout->addWidget(m_parts, 1);

    const auto open = [this](std::size_t rank) {
        Q_EMIT openWanted(pathText(m_folder->ranks[rank].file), m_folder->ranks[rank].device);
    };
    connect(m_order, &QComboBox::activated, this,
            [this](int at) { m_grid->setOrder(static_cast<RankGrid::Order>(at)); });
    connect(m_grid, &RankGrid::comparisonWanted, this, &RankPage::compare);
    connect(m_grid, &RankGrid::openWanted, this, open);
    connect(m_grid, &RankGrid::currentChanged, this, &RankPage::showTexts);
    connect(m_details, &RankDetails::comparisonWanted, this, &RankPage::compare);
    connect(m_details, &RankDetails::openWanted, this, open);
    showTexts();
}

QWidget *RankPage::makeHead()
{
    for (QLabel *label : {m_headline, m_spread}) {
        label->setWordWrap(true);
        label->setTextFormat(Qt::PlainText);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    }
    QFont larger = m_headline->font();
    larger.setPointSizeF(larger.pointSizeF() * 1.15);
    larger.setBold(true);
    m_headline->setFont(larger);
    if (hasFailed(*m_folder))
        m_headline->setProperty("role", u"bad"_s);
    auto *legend = new QLabel(u"Active memory over events, all ranks on the same axes; dashed: the "
                              "median of the peaks. Click a rank to see it below."_s);
    legend->setProperty("role", u"dim"_s);
    legend->setWordWrap(true);
    m_order->addItems({u"by rank"_s, u"by peak"_s});
    m_order->setAccessibleName(u"Order of the ranks"_s);
    auto *texts = new QVBoxLayout;
    texts->setSpacing(3);
    texts->addWidget(m_headline);
    texts->addWidget(m_spread);
    texts->addWidget(legend);
    auto *head = new QWidget;
    head->setProperty("role", u"strip"_s);
    head->setAttribute(Qt::WA_StyledBackground);
    auto *row = new QHBoxLayout(head);
    row->setContentsMargins(16, 8, 16, 8);
    row->setSpacing(12);
    row->addLayout(texts, 1);
    row->addWidget(m_order, 0, Qt::AlignTop);
    return head;
}

// The ranks take what they need, but leave the chosen one more than half of the page.
void RankPage::resizeEvent(QResizeEvent *event)
{
    constexpr double kLeast = 0.26;
    constexpr double kMost = 0.44;
    QWidget::resizeEvent(event);
    layout()->activate();
    if (m_areSizesChosen)
        return;
    const int height = m_parts->height();
    const int ranks = std::clamp(m_grid->sizeHint().height(), static_cast<int>(height * kLeast),
                                 static_cast<int>(height * kMost));
    m_parts->setSizes({ranks, height - ranks});
}

void RankPage::setUnit(ByteUnit unit)
{
    m_unit = unit;
    m_grid->setUnit(unit);
    m_details->setUnit(unit);
    showTexts();
}

QString RankPage::heading() const
{
    return headingOf(*m_folder, m_unit);
}

void RankPage::showTexts()
{
    m_headline->setText(headlineOf(*m_folder, m_unit));
    m_spread->setText(spreadText(*m_folder, m_unit));
    m_spread->setVisible(!m_spread->text().isEmpty());
    m_details->setRank(m_grid->current());
    Q_EMIT statusChanged();
}

void RankPage::compare(std::size_t rank)
{
    std::vector<ComparedTrace> traces;
    for (const std::size_t each : {m_folder->active.typical, rank}) {
        const Rank &shown = m_folder->ranks[each];
        traces.push_back({QFileInfo(pathText(shown.file)).fileName(), pathText(shown.file), nullptr,
                          shown.device});
    }
    Q_EMIT comparisonWanted(traces);
}

QString RankPage::statusText() const
{
    const Rank &rank = m_folder->ranks[m_grid->current()];
    QStringList parts{u"rank %1"_s.arg(rank.number), QFileInfo(pathText(rank.file)).fileName(),
                      u"peak active %1"_s.arg(bytesText(rank.summary.peakActive, m_unit))};
    if (const QString badge = m_grid->badgeOf(m_grid->current()); !badge.isEmpty())
        parts << badge;
    return parts.join(u" · "_s);
}

} // namespace vramscope
