// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/planner/layouts_table.h"

#include "ui/planner/field_text.h"
#include "ui/planner/fit_text.h"
#include "ui/support/text.h"
#include "ui/support/verdict_color.h"

#include <QHeaderView>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

enum Column { Letter, Device, Room, Word, Recomputed, Bubble, Sent, Cache, Fields, ColumnCount };

constexpr int kSortRole = Qt::UserRole;
constexpr int kLayoutRole = Qt::UserRole + 1;

/// A row that sorts by numbers, not by their texts.
class Row : public QTreeWidgetItem
{
public:
    using QTreeWidgetItem::QTreeWidgetItem;

    bool operator<(const QTreeWidgetItem &other) const override
    {
        const int column = treeWidget()->sortColumn();
        if (column == Fields)
            return text(column) < other.text(column);
        return data(column, kSortRole).toDouble() < other.data(column, kSortRole).toDouble();
    }

    void put(int column, const QString &text, double number)
    {
        setText(column, text);
        setData(column, kSortRole, number);
        setTextAlignment(
            column,
            Qt::Alignment(column == Letter || column == Word ? Qt::AlignLeft : Qt::AlignRight) |
                Qt::AlignVCenter);
    }
};

QString percentText(double share)
{
    return share == 0 ? u"0"_s : toQString(formatNumber(100 * share, 3)) + u" %"_s;
}

} // namespace

LayoutsTable::LayoutsTable(QWidget *parent)
    : QTreeWidget(parent)
{
    setAccessibleName(u"Layouts that fit"_s);
    setHeaderLabels({u""_s, u"peak"_s, u"to spare"_s, u"verdict"_s, u"recomputed"_s, u"bubble"_s,
                     u"sent"_s, u"cache tokens"_s, u"layout"_s});
    const QStringList tips = {
        {},
        u"Of the device, per GPU"_s,
        u"What the GPU has, less the peak"_s,
        u"Whether all, or a part, of the range in which the peak may lie is within the GPU's "
        "memory"_s,
        u"Share of the step's arithmetic that checkpointing runs again"_s,
        u"Share of the step in which a pipeline stage waits"_s,
        u"Bytes that each GPU sends in a step"_s,
        u"Tokens whose keys and values the cache holds"_s,
        u"What it sets, beside the settings of the plan"_s,
    };
    for (int column = 0; column < columnCount(); ++column)
        headerItem()->setToolTip(column, tips.value(column));
    setRootIsDecorated(false);
    setUniformRowHeights(true);
    setAllColumnsShowFocus(true);
    setSortingEnabled(true);
    sortByColumn(Letter, Qt::AscendingOrder);
    header()->setSectionResizeMode(QHeaderView::ResizeToContents);
    for (const int column : {Device, Room, Recomputed, Bubble, Sent, Cache})
        headerItem()->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
    connect(this, &QTreeWidget::currentItemChanged, this, [this](QTreeWidgetItem *item) {
        if (item && !m_filling)
            Q_EMIT layoutSelected(item->data(Letter, kLayoutRole).toULongLong());
    });
    connect(this, &QTreeWidget::itemActivated, this, [this](QTreeWidgetItem *item) {
        Q_EMIT layoutTaken(item->data(Letter, kLayoutRole).toULongLong());
    });
}

void LayoutsTable::showLayouts(std::span<const Layout> layouts, ByteUnit unit)
{
    m_filling = true;
    setSortingEnabled(false);
    clear();
    bool bubble = false;
    bool cache = false;
    for (std::size_t i = 0; i < layouts.size(); ++i) {
        const Layout &layout = layouts[i];
        const FitSummary &standing = layout.standing;
        auto *row = new Row(this);
        const auto bytes = [&](int column, Bytes size) {
            row->put(column, bytesText(size, unit), static_cast<double>(size));
            row->setToolTip(column, exactBytesText(size, unit));
        };
        row->put(Letter, choiceLetter(i), static_cast<double>(i));
        row->setData(Letter, kLayoutRole, QVariant::fromValue<qulonglong>(i));
        bytes(Device, standing.device);
        bytes(Room, standing.headroom);
        row->put(Word, verdictText(standing.verdict), static_cast<double>(standing.verdict));
        row->setForeground(Word, verdictColor(standing.verdict, themeOf(this)));
        row->put(Recomputed, percentText(layout.recomputeShare), layout.recomputeShare);
        row->put(Bubble, percentText(layout.bubbleShare), layout.bubbleShare);
        bytes(Sent, layout.communicationBytes);
        row->put(Cache, countText(layout.cacheTokens), static_cast<double>(layout.cacheTokens));
        row->setText(Fields, settingsText(layout.fields, unit));
        bubble |= layout.bubbleShare > 0;
        cache |= layout.cacheTokens > 0;
    }
    setColumnHidden(Bubble, !bubble);
    setColumnHidden(Cache, !cache);
    setColumnHidden(Recomputed, cache);
    setSortingEnabled(true);
    m_filling = false;
}

void LayoutsTable::setSelected(std::optional<std::size_t> layout)
{
    m_filling = true;
    setCurrentItem(nullptr);
    for (int i = 0; layout && i < topLevelItemCount(); ++i) {
        if (topLevelItem(i)->data(Letter, kLayoutRole).toULongLong() == *layout)
            setCurrentItem(topLevelItem(i));
    }
    m_filling = false;
}

std::optional<std::size_t> LayoutsTable::selected() const
{
    const QTreeWidgetItem *item = currentItem();
    return item ? std::optional<std::size_t>(item->data(Letter, kLayoutRole).toULongLong())
                : std::nullopt;
}

} // namespace vramscope
