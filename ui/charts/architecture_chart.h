// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/model_parts.h"
#include "ui/charts/chart.h"
#include "ui/support/theme.h"

#include <QColor>
#include <QString>

#include <functional>
#include <vector>

namespace vramscope {

/// "Embedding", "Attention", …
[[nodiscard]] QString modelPartName(ModelPart part);
/// Its colour: one hue for the vocabulary, one for attention, one for what follows it.
[[nodiscard]] QColor modelPartColor(ModelPart part);

/// The structure of a model, small enough for the form: a bar of its parameters by purpose, a
/// legend with their counts, and rows of its layers, windows, heads and experts, one cell each.
/// Hovering shows the exact number and how it is counted; the accessible description contains all
/// of it.
class ArchitectureChart : public Chart
{
    Q_OBJECT

public:
    explicit ArchitectureChart(QWidget *parent = nullptr);

    void setArchitecture(const Architecture &architecture);
    [[nodiscard]] const std::vector<ModelPartCount> &parts() const { return m_parts; }
    [[nodiscard]] std::int64_t total() const { return m_total; }
    /// A description of the bar part, legend entry or row at a point; empty if there is nothing.
    [[nodiscard]] QString hoverText(QPointF point) const override;
    /// The content of the rows, in sentences.
    [[nodiscard]] QString rowWords() const;
    /// The place of a part in the bar.
    [[nodiscard]] QRectF segment(std::size_t part) const;

    [[nodiscard]] QSize sizeHint() const override { return {280, height()}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {180, height()}; }

protected:
    void paintEvent(QPaintEvent *event) override;
    void relayout() override;

private:
    /// A row of cells, each a layer, a head or an expert.
    struct Row
    {
        QString name;
        std::int64_t cells = 0;
        std::function<QColor(std::int64_t cell)> color; ///< invalid: empty
        std::int64_t groups = 0; ///< each with a mark below its cells; 0: none
        QString value;
        QString words;
    };

    void addLayerRows();
    void addListedRows();
    void addWindowRow();
    void addHeadRow();
    void addExpertRow();
    [[nodiscard]] QString partText(const ModelPartCount &part) const;
    [[nodiscard]] QFont textFont() const { return typeFont(this, Type::Small); }
    [[nodiscard]] int rowHeight() const;
    [[nodiscard]] int legendLines() const;
    [[nodiscard]] QString nameOf(ModelPart part) const;
    [[nodiscard]] QRectF legendEntry(std::size_t part) const;
    [[nodiscard]] QRectF rowAt(std::size_t row) const;
    [[nodiscard]] QRectF cellsOf(std::size_t row) const;
    void paintBar(QPainter &painter) const;
    void paintLegend(QPainter &painter) const;
    void paintRow(QPainter &painter, std::size_t row) const;

    Architecture m_architecture;
    std::vector<ModelPartCount> m_parts;
    std::int64_t m_total = 0;
    std::vector<Row> m_rows;
};

} // namespace vramscope
