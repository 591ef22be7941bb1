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
    QString note = {};  ///< said with it where the mouse rests on it
    [[nodiscard]] Bytes total() const;
    /// Without what lies outside the tensors.
    [[nodiscard]] Bytes allocated() const;
    bool operator==(const StackedBar &) const = default;
};

/// What a StackedBarChart shows.
struct StackedBars
{
    std::vector<StackedBar> bars;
    std::optional<Bytes> capacity; ///< drawn as a dashed line where known
    std::optional<int> marked;     ///< the bar to stress: the peak
    QString emptyText;             ///< said in place of the bars when there are none
    bool operator==(const StackedBars &) const = default;
};

/// Stacked bars of memory parts against the capacity, lying (scenarios) or standing (moments of a
/// step; they lie down where space is short), with total, axis, legend, hover and selection.
/// Follows its palette; costs a few hundred microseconds a change.
class StackedBarChart : public QWidget
{
    Q_OBJECT

public:
    explicit StackedBarChart(Qt::Orientation orientation, QWidget *parent = nullptr);

    void setContent(const StackedBars &content);
    [[nodiscard]] const StackedBars &content() const { return m_content; }
    /// Leaves a part out of the bars, or puts it back; so do Ctrl and a click on its name in the
    /// legend, and the key H for the selected one.
    void setPartHidden(std::size_t part, bool hidden);
    [[nodiscard]] bool isPartHidden(std::size_t part) const;
    void setUnit(ByteUnit unit);
    void setLegendVisible(bool visible);
    /// The part outlined in every bar.
    void setSelectedPart(std::optional<std::size_t> part);
    [[nodiscard]] std::optional<std::size_t> selectedPart() const;
    /// The bar with a tinted slot, and those that join it.
    void setSelectedBar(std::optional<int> bar);

    /// Where the bars lie in this widget's pixels.
    [[nodiscard]] const BarGeometry &geometryOfBars() const;
    /// The values that the bars are drawn with: one row a bar, in bytes.
    [[nodiscard]] std::vector<std::array<double, kPartCount>> drawnValues() const;
    /// What hovering over a point says; empty where nothing is.
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

    StackedBars m_content; ///< with the parts that are left out
    StackedBarView *m_view;
};

} // namespace vramscope
