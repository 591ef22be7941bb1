// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCache>
#include <QStyledItemDelegate>
#include <QTextLayout>

class QTableView;

namespace vramscope {

/// Paints cells like QStyledItemDelegate, but a plain line of text from its cached layout: text
/// layout is most of the cost of painting a table.
class RowDelegate : public QStyledItemDelegate
{
    Q_OBJECT

public:
    explicit RowDelegate(QObject *parent = nullptr);

    void paint(QPainter *painter, const QStyleOptionViewItem &option,
               const QModelIndex &index) const override;

private:
    struct Key
    {
        QString text;
        QSize size;
        Qt::Alignment alignment;
        bool operator==(const Key &) const = default;
    };
    friend size_t qHash(const Key &key, size_t seed)
    {
        return qHashMulti(seed, key.text, key.size.width(), key.size.height(),
                          key.alignment.toInt());
    }
    struct LaidOut
    {
        QFont font;
        QTextLayout layout;
        QPointF place; // from the corner of the cell
    };
    [[nodiscard]] static LaidOut *layOut(const QStyleOptionViewItem &cell);

    mutable QCache<Key, LaidOut> m_texts;
};

/// Makes a table one of plain rows: no grid, no frame, no numbers before them, one row chosen at a
/// time, and Tab leads out of it. The last column takes the width that is left.
void setUpRowTable(QTableView &table);

/// The look of plain rows alone: no grid, no frame, one row chosen at a time, each `padding` pixels
/// higher than its text.
void setUpPlainRows(QTableView &table, int padding = 8);

} // namespace vramscope
