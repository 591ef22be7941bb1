// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "ui/timeline/timeline_data.h"
#include "ui/trace/coloring.h"

#include <QIcon>
#include <QWidget>

#include <optional>

class QComboBox;
class QPainter;
class QToolButton;

namespace vramscope {

class Study;

/// The legend of a timeline with its own colours, independent of what allocations are coloured by:
/// the bands and the segments. Empty for other timelines.
[[nodiscard]] std::vector<LegendEntry> ownLegend(TimelineKind kind, const Study &study);
/// A small square of a colour, for legends and rows.
[[nodiscard]] QIcon swatch(QRgb color, double ratio);
/// Names next to their colours on one line of `place`, as many as fit; `unlisted` and the rest are
/// counted. In the painter's font.
void paintLegend(QPainter &painter, const QRectF &place, const std::vector<LegendEntry> &entries,
                 std::size_t unlisted, const QColor &text);

/// The legend of the timelines, mostly in one line: a choice of what the colours show, and a button
/// a colour that shows this group alone. As many as fit; the rest is counted.
class LegendBar : public QWidget
{
    Q_OBJECT

public:
    explicit LegendBar(QWidget *parent = nullptr);

    void setColorBy(ColorBy by);
    void setColoring(const Coloring &coloring, ByteUnit unit);
    /// Shows a view's own colours, such as the bands: names and colours, nothing to choose.
    void setFixed(std::vector<LegendEntry> entries, ByteUnit unit);
    /// For an audience: only the names, without the choice of colours, in up to `lines` lines.
    void showNamesAlone(int lines);
    /// The group that is shown alone, if any.
    void setChosen(std::optional<std::uint32_t> group);

    [[nodiscard]] QSize minimumSizeHint() const override;

Q_SIGNALS:
    void colorByChosen(vramscope::ColorBy by);
    /// The user chose a group, or the chosen one again, which clears the choice.
    void groupChosen(std::optional<std::uint32_t> group);

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    void setEntries(std::vector<LegendEntry> entries, std::size_t unlisted, ByteUnit unit,
                    bool choosable);
    void arrange();

    QComboBox *m_by;
    QToolButton *m_rest;
    std::vector<LegendEntry> m_entries;
    std::vector<QToolButton *> m_buttons; // one an entry
    std::size_t m_unlisted = 0;
    int m_lines = 1;
};

} // namespace vramscope
