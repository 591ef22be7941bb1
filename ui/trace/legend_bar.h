// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "ui/timeline/timeline_data.h"
#include "ui/trace/coloring.h"

#include <QWidget>

#include <optional>

class QComboBox;
class QPainter;
class QToolButton;

namespace vramscope {

class Study;

/// What the colours of a timeline mean that has some of its own, whatever allocations are coloured
/// by: the bands and the segments. None for the others.
[[nodiscard]] std::vector<LegendEntry> ownLegend(TimelineKind kind, const Study &study);
/// Names beside their colours on one line of `place`, as many as have room; `unlisted` and the rest
/// are counted. In the painter's font.
void paintLegend(QPainter &painter, const QRectF &place, const std::vector<LegendEntry> &entries,
                 std::size_t unlisted, const QColor &text);

/// What the colours of the timelines mean, mostly in a line: by what they are chosen, and a button
/// a colour that shows this group alone. As many as have room; the rest is counted.
class LegendBar : public QWidget
{
    Q_OBJECT

public:
    explicit LegendBar(QWidget *parent = nullptr);

    void setColorBy(ColorBy by);
    void setColoring(const Coloring &coloring, ByteUnit unit);
    /// A colouring of the view's own, such as the bands: names and colours, nothing to choose.
    void setFixed(std::vector<LegendEntry> entries, ByteUnit unit);
    /// For an audience: the names alone, without the choice of colours, in up to so many lines.
    void showNamesAlone(int lines);
    /// The group that is shown alone, if any.
    void setChosen(std::optional<std::uint32_t> group);

    [[nodiscard]] QSize minimumSizeHint() const override;

Q_SIGNALS:
    void colorByChosen(vramscope::ColorBy by);
    /// A group was chosen, or the chosen one once more: then none.
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
