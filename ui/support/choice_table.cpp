// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/support/choice_table.h"

#include "core/table/table.h"
#include "ui/support/exact_role.h"
#include "ui/support/fact_table.h"
#include "ui/support/text.h"
#include "ui/support/theme.h"

#include <QHeaderView>

#include <utility>

namespace vramscope {

namespace {

constexpr int kOrderRole = Qt::UserRole;
constexpr int kChoiceRole = Qt::UserRole + 1;

/// A row that sorts by numbers where its column has them, and by text where not.
class ChoiceRow : public QTreeWidgetItem
{
public:
    using QTreeWidgetItem::QTreeWidgetItem;

    bool operator<(const QTreeWidgetItem &other) const override
    {
        const int column = treeWidget()->sortColumn();
        const QVariant mine = data(column, kOrderRole);
        const QVariant others = other.data(column, kOrderRole);
        return mine.isValid() || others.isValid() ? mine.toDouble() < others.toDouble()
                                                  : text(column) < other.text(column);
    }
};

/// The number by which a cell is sorted; nothing of words.
QVariant orderOf(const DataTable::Cell &cell)
{
    if (const auto *whole = std::get_if<std::int64_t>(&cell.value))
        return static_cast<double>(*whole);
    const auto *fraction = std::get_if<double>(&cell.value);
    return fraction ? QVariant(*fraction) : QVariant();
}

std::optional<std::size_t> choiceOf(const QTreeWidgetItem *item)
{
    const QVariant choice = item ? item->data(0, kChoiceRole) : QVariant();
    return choice.isValid() ? std::optional<std::size_t>(choice.toULongLong()) : std::nullopt;
}

QColor colorOf(DataTable::Tone tone, const Theme &theme)
{
    return tone == DataTable::Tone::Good      ? theme.good
           : tone == DataTable::Tone::Warning ? theme.warn
                                              : theme.bad;
}

} // namespace

ChoiceTable::ChoiceTable(const QString &name, QWidget *parent)
    : QTreeWidget(parent)
{
    setAccessibleName(name);
    setRootIsDecorated(false);
    setUniformRowHeights(true);
    setAllColumnsShowFocus(true);
    header()->setSectionResizeMode(QHeaderView::ResizeToContents);
    connect(this, &QTreeWidget::currentItemChanged, this, [this](const QTreeWidgetItem *item) {
        if (const auto choice = choiceOf(item); choice && !m_filling)
            Q_EMIT choiceSelected(*choice);
    });
    connect(this, &QTreeWidget::itemActivated, this, [this](const QTreeWidgetItem *item) {
        if (const auto choice = choiceOf(item))
            Q_EMIT choiceTaken(*choice);
    });
}

void ChoiceTable::setTable(const DataTable &table, ByteUnit unit)
{
    m_filling = true;
    const bool isSorted = isSortingEnabled();
    setSortingEnabled(false);
    clear();
    const auto columns = static_cast<int>(table.columns.size());
    setColumnCount(columns);
    const auto sideOf = [&table](int column) {
        const bool isText = table.columns[static_cast<std::size_t>(column)].isText();
        return Qt::Alignment(isText ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter;
    };
    for (int column = 0; column < columns; ++column) {
        const DataTable::Column &of = table.columns[static_cast<std::size_t>(column)];
        headerItem()->setText(column, toQString(of.title));
        headerItem()->setToolTip(column, toQString(of.tip));
        headerItem()->setTextAlignment(column, sideOf(column));
        headerItem()->setData(column, kUnitRole, toQString(unitOf(of.kind)));
    }
    const std::vector<FactRow> rows = plainRows(table, unit);
    for (std::size_t at = 0; at < rows.size(); ++at) {
        auto *row = new ChoiceRow(this);
        if (const DataTable::Target target = table.target(at); target.kind >= 0)
            row->setData(0, kChoiceRole, QVariant::fromValue<qulonglong>(target.at));
        for (int column = 0; column < columns; ++column) {
            const FactCell &fact = rows[at].cells[static_cast<std::size_t>(column)];
            const DataTable::Cell cell = table.cell(at, static_cast<std::size_t>(column));
            row->setText(column, fact.text);
            row->setToolTip(column, fact.tip);
            row->setTextAlignment(column, sideOf(column));
            row->setData(column, kOrderRole, orderOf(cell));
            if (fact.exact)
                row->setData(column, kExactRole, *fact.exact);
            if (cell.tone != DataTable::Tone::Plain)
                row->setForeground(column, colorOf(cell.tone, themeOf(this)));
        }
    }
    setSortingEnabled(isSorted);
    m_filling = false;
}

void ChoiceTable::setSelected(std::optional<std::size_t> choice)
{
    m_filling = true;
    setCurrentItem(nullptr);
    for (int row = 0; choice && row < topLevelItemCount(); ++row)
        if (choiceOf(topLevelItem(row)) == choice)
            setCurrentItem(topLevelItem(row));
    m_filling = false;
}

std::optional<std::size_t> ChoiceTable::selected() const
{
    return choiceOf(currentItem());
}

} // namespace vramscope
