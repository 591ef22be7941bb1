// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/report/report.h"
#include "ui/export/drawing.h"

#include <QFont>
#include <QPainter>
#include <QTextOption>

#include <functional>
#include <map>
#include <string>
#include <vector>

class QPagedPaintDevice;

namespace vramscope {

/// What the plan of a report is called where it is attached; `number` counts from 1.
[[nodiscard]] inline QString attachedName(std::size_t number)
{
    return QStringLiteral("plan-%1.vramplan").arg(number);
}

/// Dots per inch of the pages.
inline constexpr int kPageResolution = 288;
/// A pixel of 1/96 inch on them.
inline constexpr double kPixel = kPageResolution / 96.0;
/// Points of the text in tables.
inline constexpr double kSmall = 7.5;

/// Paints a report on pages, light: rows, pictures and lines of text are never cut, the headings of
/// a table stand on each of its pages, and no heading is the last thing on one.
class PageWriter
{
public:
    /// `paint` gives the picture of a figure, or an empty one. The device has kPageResolution.
    PageWriter(QPagedPaintDevice &device, std::function<Drawing(const Figure &)> paint);

    void write(const Report &report);

private:
    void operator()(const Heading &heading);
    void operator()(const Paragraph &paragraph);
    void operator()(const ReportTable &table);
    void operator()(const Figure &figure);
    void operator()(const PlanDocument &document);

    /// The picture of a figure, made once.
    [[nodiscard]] const Drawing &drawingOf(const Figure &figure);
    [[nodiscard]] QFont font(double points, bool bold = false) const;
    [[nodiscard]] double textHeight(const QString &text, const QFont &font, double width);
    /// What must stand on the page below a heading.
    [[nodiscard]] double heightWanted(const ReportBlock &block);
    [[nodiscard]] QSizeF sizeOf(const Drawing &drawing) const;
    [[nodiscard]] std::vector<double> columnWidths(const ReportTable &table);
    [[nodiscard]] double rowHeight(const std::vector<std::string> &cells,
                                   const std::vector<double> &widths, const QFont &font);
    void paintRow(const ReportTable &table, const std::vector<std::string> &cells,
                  const std::vector<double> &widths, const QFont &font, const QColor &color);
    void paintText(const QString &text, const QFont &font, const QColor &color, double gap);
    /// Names and values in columns beside each other.
    void paintPairs(const ReportTable &table);
    /// Goes to the next page where less than `height` is left of this one.
    void ensure(double height);
    void paintFooter();

    QPagedPaintDevice &m_device;
    std::function<Drawing(const Figure &)> m_paint;
    QPainter m_painter;
    std::map<std::string, Drawing> m_drawings;
    QTextOption m_wrapping;
    QString m_title;
    double m_width = 0;  ///< of what is between the margins
    double m_bottom = 0; ///< of what is above the footer
    double m_y = 0;
    int m_page = 1;
};

} // namespace vramscope
