// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "ui/charts/bar_geometry.h"
#include "ui/support/parts.h"

#include <QWidget>

#include <optional>
#include <vector>

namespace vramscope {

class StackedBarView;

/// One bar: a name and the bytes of each part.
struct StackedBar
{
    QString name;
    PartBytes parts{};
    bool joins = false; ///< belongs to the bar before it: both are selected together
    QString note = {};  ///< part of its hover text
    [[nodiscard]] Bytes total() const { return totalOf(parts); }
    /// Without memory outside the tensors.
    [[nodiscard]] Bytes allocated() const { return total() - parts[kOutsidePart]; }
    bool operator==(const StackedBar &) const = default;
};

/// The content of a StackedBarChart.
struct StackedBars
{
    std::vector<StackedBar> bars;
    std::optional<Bytes> capacity; ///< drawn as a dashed line if known
    std::optional<int> marked;     ///< the bar to emphasise: the peak
    QString emptyText;             ///< shown in place of the bars if the list is empty
    bool operator==(const StackedBars &) const = default;
};

/// Stacked bars of memory parts against the capacity, horizontal (scenarios) or vertical (moments
/// of a step; horizontal if space is short), with total, axis, legend, hover and selection. Follows
/// its palette; costs a few hundred microseconds a change.
class StackedBarChart : public QWidget
{
    Q_OBJECT

public:
    explicit StackedBarChart(Qt::Orientation orientation, QWidget *parent = nullptr);

    void setContent(const StackedBars &content);
    [[nodiscard]] const StackedBars &content() const { return m_content; }
    /// Leaves a part out of the bars, or puts it back; so do Ctrl and a click on its name in the
    /// legend, and the key H for the selected part.
    void setPartHidden(std::size_t part, bool hidden);
    [[nodiscard]] bool isPartHidden(std::size_t part) const;
    void setUnit(ByteUnit unit);
    void setLegendVisible(bool visible);
    /// The part outlined in every bar.
    void setSelectedPart(std::optional<std::size_t> part);
    [[nodiscard]] std::optional<std::size_t> selectedPart() const;
    /// The bar with a tinted slot, and those that join it.
    void setSelectedBar(std::optional<int> bar);

    /// The layout of the bars in this widget's pixels.
    [[nodiscard]] const BarGeometry &geometryOfBars() const;
    /// The values drawn: one row a bar, in bytes.
    [[nodiscard]] std::vector<std::array<double, kPartCount>> drawnValues() const;
    /// The hover text of a point; empty if nothing is there.
    [[nodiscard]] QString hoverText(QPoint point) const;

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;
    [[nodiscard]] bool hasHeightForWidth() const override;
    [[nodiscard]] int heightForWidth(int width) const override;

Q_SIGNALS:
    void partClicked(std::size_t part);
    void barClicked(int bar);

protected:
    void resizeEvent(QResizeEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    void showContent();

    StackedBars m_content; ///< including hidden parts
    StackedBarView *m_view;
};

} // namespace vramscope
