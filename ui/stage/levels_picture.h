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

struct Theme;

/// The content of a LevelsPicture: a few sizes against a limit, with remarks.
struct LevelBars
{
    struct Row
    {
        QString name;
        Bytes bytes = 0;
        Bytes low = 0; ///< of the uncertainty range; without a range equal to `high`
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
    LevelsPicture(LevelBars levels, ByteUnit unit, QWidget *parent = nullptr);

    [[nodiscard]] const LevelBars &levels() const { return m_levels; }
    /// As high as its content at its current width.
    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    /// A piece of text in a row.
    struct Piece
    {
        QString text;
        QFont font;
        QColor color;
    };

    [[nodiscard]] std::vector<Piece> piecesOf(const LevelBars::Row &row) const;
    void paintText(QPainter &painter, const LevelBars::Row &row, QRectF place) const;
    /// The colour of the verdict on the limit, if the row is not well within it.
    [[nodiscard]] QColor barColor(const LevelBars::Row &row, const Theme &theme) const;
    void paintBar(QPainter &painter, const LevelBars::Row &row, const QRectF &place,
                  double bytesPerPixel) const;
    void paintLimit(QPainter &painter, double x) const;
    [[nodiscard]] double rowsTop() const;
    [[nodiscard]] double rowsBottom() const;

    LevelBars m_levels;
    ByteUnit m_unit;
};

} // namespace vramscope
