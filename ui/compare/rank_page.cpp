// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare/rank_page.h"

#include "ui/compare/rank_grid.h"
#include "ui/compare/rank_text.h"
#include "ui/support/file_path.h"
#include "ui/support/text.h"

#include <QComboBox>
#include <QFileInfo>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

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
    , m_heading(new QLabel)
    , m_order(new QComboBox)
    , m_compare(new QPushButton)
    , m_grid(new RankGrid(m_folder))
{
    m_heading->setWordWrap(true);
    m_heading->setTextFormat(Qt::PlainText);
    m_order->addItems({u"by rank"_s, u"by peak"_s});
    m_order->setAccessibleName(u"Order of the ranks"_s);
    auto *strip = new QWidget;
    strip->setProperty("role", u"strip"_s);
    strip->setAttribute(Qt::WA_StyledBackground);
    auto *row = new QHBoxLayout(strip);
    row->setContentsMargins(16, 8, 16, 8);
    row->setSpacing(12);
    row->addWidget(m_heading, 1);
    row->addWidget(m_order);
    row->addWidget(m_compare);
    auto *legend = new QLabel(
        u"Active memory over events, every rank on the same axes; dashed: the median of the "
        "peaks. Click a rank to open it."_s);
    legend->setProperty("role", u"dim"_s);
    legend->setWordWrap(true);
    legend->setContentsMargins(16, 6, 16, 0);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(strip);
    layout->addWidget(legend);
    if (const QString leftOut = leftOutText(*m_folder); !leftOut.isEmpty())
        layout->addWidget(leftOutNote(leftOut, fontMetrics()));
    layout->addWidget(m_grid, 1);

    connect(m_order, &QComboBox::activated, this,
            [this](int at) { m_grid->setOrder(static_cast<RankGrid::Order>(at)); });
    connect(m_compare, &QPushButton::clicked, this, [this] { compare(m_grid->current()); });
    connect(m_grid, &RankGrid::comparisonWanted, this, &RankPage::compare);
    connect(m_grid, &RankGrid::openWanted, this, [this](std::size_t rank) {
        Q_EMIT openWanted(pathText(m_folder->ranks[rank].file), m_folder->ranks[rank].device);
    });
    connect(m_grid, &RankGrid::currentChanged, this, &RankPage::showTexts);
    showTexts();
}

void RankPage::setUnit(ByteUnit unit)
{
    m_unit = unit;
    m_grid->setUnit(unit);
    showTexts();
}

QString RankPage::heading() const
{
    return m_heading->text();
}

void RankPage::showTexts()
{
    m_heading->setText(headingOf(*m_folder, m_unit));
    const std::size_t typical = m_folder->active.typical;
    const std::size_t current = m_grid->current();
    const int number = m_folder->ranks[current].number;
    m_compare->setEnabled(current != typical);
    m_compare->setText(current == typical
                           ? u"Compare with the typical rank"_s
                           : u"Compare rank %1 with the typical rank %2"_s.arg(number).arg(
                                 m_folder->ranks[typical].number));
    m_compare->setToolTip(current == typical
                              ? u"This is the typical rank: choose another one."_s
                              : u"Where rank %1 holds other memory than the rank nearest to the "
                                "median"_s.arg(number));
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
