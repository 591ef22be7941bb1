// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "ui/serving_log/log_budget_bars.h"

#include <QWidget>

#include <vector>

namespace vramscope {

/// The budget of each device as a bar of pieces, with names and sizes below.
class BudgetBar : public QWidget
{
    Q_OBJECT

public:
    explicit BudgetBar(QWidget *parent = nullptr);

    void setBars(std::vector<BudgetOfDevice> bars);
    void setUnit(ByteUnit unit);
    [[nodiscard]] const std::vector<BudgetOfDevice> &bars() const { return m_bars; }
    /// Where a piece of a bar is drawn.
    [[nodiscard]] QRectF pieceRect(std::size_t bar, std::size_t piece) const;

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;
    [[nodiscard]] bool hasHeightForWidth() const override { return true; }
    [[nodiscard]] int heightForWidth(int width) const override;

protected:
    bool event(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

private:
    struct LegendEntry
    {
        BudgetPart part = BudgetPart::Weights;
        QString text;
        QRectF rect;
    };
    [[nodiscard]] QFont smallerFont() const;
    [[nodiscard]] double namesWidth() const;
    [[nodiscard]] double wholeWidth() const;
    [[nodiscard]] QRectF barRect(std::size_t bar) const;
    [[nodiscard]] std::vector<LegendEntry> legend(double width) const;
    [[nodiscard]] QString tipText(const BudgetOfDevice &bar, const BudgetPiece &piece) const;

    std::vector<BudgetOfDevice> m_bars;
    ByteUnit m_unit = ByteUnit::Binary;
};

} // namespace vramscope
