// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/chart.h"
#include "ui/support/parts.h"

#include <QString>

#include <optional>
#include <vector>

namespace vramscope {

/// A bar of a waterfall: a total from nothing, the bytes that one part or reason adds or removes,
/// or the remainder without a reason.
struct WaterfallBar
{
    enum class Kind { Total, Change, Rest };
    QString name;
    std::optional<std::size_t> part; ///< if the change is of one part
    Bytes from = 0;
    Bytes to = 0;
    Kind kind = Kind::Change;
    [[nodiscard]] Bytes change() const { return to - from; }
    bool operator==(const WaterfallBar &) const = default;
};

/// The steps from one total to another: the first total, every part that differs in the order of
/// all views, and the second total, where the last step ends.
[[nodiscard]] std::vector<WaterfallBar> waterfall(const QString &fromName, const PartBytes &from,
                                                  const QString &toName, const PartBytes &to);

/// A waterfall as horizontal bars, one row each, with sign and bytes next to them. Up and down move
/// through the rows, a click or Enter chooses a row and its part. The bars begin at 0, or at
/// beginning() if the changes are small compared with the totals: the totals are then drawn broken.
class WaterfallChart : public Chart
{
    Q_OBJECT

public:
    explicit WaterfallChart(QWidget *parent = nullptr);

    /// `emptyText` is shown if `bars` is empty.
    void setBars(const std::vector<WaterfallBar> &bars, const QString &emptyText);
    [[nodiscard]] const std::vector<WaterfallBar> &bars() const { return m_bars; }
    /// Lets the bars begin above 0 if the changes would otherwise be slivers.
    void setCutOff(bool cutOff);
    [[nodiscard]] Bytes beginning() const;
    /// The maximum height of a row, if there is room.
    void setMostRowHeight(double height);
    void setSelectedPart(std::optional<std::size_t> part);
    /// The row of a bar in this widget's pixels.
    [[nodiscard]] QRectF row(int bar) const;
    /// "+13.9", "−2.0", "29.2".
    [[nodiscard]] QString label(int bar) const;
    [[nodiscard]] QString hoverText(QPointF point) const override;

    [[nodiscard]] QSize sizeHint() const override { return {420, 280}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {230, 160}; }

Q_SIGNALS:
    void partClicked(std::size_t part);
    void barClicked(int bar);

protected:
    void paintEvent(QPaintEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    [[nodiscard]] QRectF plot() const;
    [[nodiscard]] QRectF box(int bar) const;
    [[nodiscard]] std::optional<int> barAt(QPointF point) const;
    [[nodiscard]] QString barText(int bar) const;
    void paintBar(QPainter &painter, int bar, const Theme &theme) const;
    void paintBreak(QPainter &painter, const QRectF &place, const Theme &theme) const;
    void paintName(QPainter &painter, int bar) const;
    void choose(int bar);

    std::vector<WaterfallBar> m_bars;
    QString m_emptyText;
    bool m_cutOff = false;
    double m_mostRow = 34;
    std::optional<std::size_t> m_part;
    std::optional<int> m_cursor; ///< the row with keyboard focus
};

} // namespace vramscope
