// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/estimate/verdict.h"

#include <QMetaType>
#include <QStyledItemDelegate>

namespace vramscope {

/// The texts of a way to fit.
struct WayRow
{
    QString title;
    QString saved; ///< "−13.7 GiB"
    QString price;
    QString mark;                     ///< the verdict in words
    std::optional<Verdict> verdict{}; ///< with it, where that is the question
};

/// Paints a way to fit: title and bytes in one line, price and mark below it.
class WayDelegate : public QStyledItemDelegate
{
public:
    static constexpr int kRowRole = Qt::UserRole;

    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter *painter, const QStyleOptionViewItem &option,
               const QModelIndex &index) const override;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem &option,
                                 const QModelIndex &index) const override;
};

} // namespace vramscope

Q_DECLARE_METATYPE(vramscope::WayRow)
