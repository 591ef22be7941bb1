// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"

#include <QStringList>
#include <QWidget>

#include <optional>
#include <vector>

class QPainter;

namespace vramscope {

/// What a LevelsPicture shows: a few sizes against a limit, and what is to be said beside them.
struct Levels
{
    struct Row
    {
        QString name;
        Bytes bytes = 0;
        Bytes low = 0; ///< of the band of uncertainty; none where it is `high`
        Bytes high = 0;
    };
    std::vector<Row> rows;
    std::optional<Bytes> limit;
    QStringList remarks;
};

/// The answer for people far from the screen: each level with its size in large figures and a bar
/// up to it, the limit as a dashed line through all, remarks below.
class LevelsPicture : public QWidget
{
    Q_OBJECT

public:
    LevelsPicture(Levels levels, ByteUnit unit, QWidget *parent = nullptr);

    [[nodiscard]] const Levels &levels() const { return m_levels; }

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    void paintRow(QPainter &painter, const Levels::Row &row, const QRectF &place,
                  double bytesPerPixel) const;

    Levels m_levels;
    ByteUnit m_unit;
};

} // namespace vramscope
