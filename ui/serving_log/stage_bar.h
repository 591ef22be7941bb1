// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/serving_logs/serving_log.h"
#include "ui/charts/chart.h"

namespace vramscope {

/// The stages of a start as arrows in order, a row for each attempt: what each took, and where the
/// start ended. Of many attempts the last ones.
class StageBar : public Chart
{
    Q_OBJECT

public:
    explicit StageBar(QWidget *parent = nullptr);

    void setLog(const ServingLog &log);
    [[nodiscard]] QString hoverText(QPointF point) const override;

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void relayout() override;
    void paintEvent(QPaintEvent *event) override;

private:
    struct Row
    {
        QString name; ///< "Attempt 2"; empty where there is one
        std::vector<LogStageSpan> stages;
        bool isLast = false; ///< of the log: its last stage is where the log ends
    };
    /// An arrow: its stage, and what its place shows.
    struct Arrow
    {
        const LogStageSpan *stage = nullptr;
        QString name;
        QString facts;
        QRectF place;
        bool isReached = false; ///< the log ends in it
    };
    [[nodiscard]] int rowHeight() const;
    [[nodiscard]] double namesWidth() const;
    [[nodiscard]] std::vector<Arrow> arrows(std::size_t row) const;
    void paintArrow(QPainter &painter, const Arrow &arrow) const;

    std::vector<Row> m_rows;
    int m_target = 1;
    bool m_hasModels = false; ///< more than one model is loaded
    int m_leftOut = 0;        ///< earlier attempts
};

} // namespace vramscope
