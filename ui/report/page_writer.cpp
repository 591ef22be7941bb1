// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/report/page_writer.h"

#include "core/report/html.h"
#include "ui/support/text.h"
#include "ui/support/theme.h"

#include <QFontMetricsF>
#include <QPagedPaintDevice>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr double kFooter = 26 * kPixel;
constexpr double kBody = 8.5; // points

QColor colorOf(Tone tone, const Theme &theme)
{
    return tone == Tone::Good                               ? theme.good
           : tone == Tone::Bad                              ? theme.bad
           : tone == Tone::Warning || tone == Tone::Problem ? theme.warn
                                                            : theme.text;
}

constexpr double kPadding = 5 * kPixel; // left and right of a cell
constexpr double kRowGap = 3 * kPixel;  // above and below its text

} // namespace

PageWriter::PageWriter(QPagedPaintDevice &device, std::function<Drawing(const Figure &)> paint)
    : m_device(device)
    , m_paint(std::move(paint))
    , m_painter(&device)
    , m_wrapping(Qt::AlignLeft | Qt::AlignTop)
    , m_width(device.width())
    , m_bottom(device.height() - kFooter)
{
    m_wrapping.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
}

void PageWriter::write(const Report &report)
{
    m_title = toQString(report.title);
    for (std::size_t at = 0; at < report.blocks.size(); ++at) {
        double wanted = 0;
        // A heading goes with what it is the heading of.
        for (std::size_t next = at; next < report.blocks.size(); ++next) {
            wanted += heightWanted(report.blocks[next]);
            if (!std::holds_alternative<Heading>(report.blocks[next]))
                break;
        }
        ensure(std::min(wanted, m_bottom));
        if (const auto *heading = std::get_if<Heading>(&report.blocks[at]);
            heading && heading->level == 1)
            ensure(m_bottom); // each file, and each comparison, begins a page
        std::visit([this](const auto &block) { (*this)(block); }, report.blocks[at]);
    }
    if (!report.origin.empty()) {
        m_y += 8 * kPixel;
        paintText(toQString(report.origin), font(kSmall), lightTheme().dim, 0);
    }
    paintFooter();
}

const Drawing &PageWriter::drawingOf(const Figure &figure)
{
    const auto [place, isNew] = m_drawings.try_emplace(figure.id);
    if (isNew)
        place->second = m_paint(figure);
    return place->second;
}

QFont PageWriter::font(double points, bool bold) const
{
    QFont font = typeFont();
    font.setPointSizeF(points);
    font.setBold(bold);
    return font;
}

double PageWriter::textHeight(const QString &text, const QFont &font, double width)
{
    m_painter.setFont(font);
    return m_painter.boundingRect(QRectF(0, 0, width, 1e6), text, m_wrapping).height();
}

QSizeF PageWriter::sizeOf(const Drawing &drawing) const
{
    return QSizeF(drawing.size).scaled(m_width, m_bottom * 0.6, Qt::KeepAspectRatio);
}

double PageWriter::heightWanted(const ReportBlock &block)
{
    if (const auto *heading = std::get_if<Heading>(&block))
        return (heading->level == 1 ? 60 : 40) * kPixel;
    if (const auto *paragraph = std::get_if<Paragraph>(&block))
        return textHeight(toQString(paragraph->text), font(paragraph->isAnswer ? 13 : kBody),
                          m_width);
    if (const auto *figure = std::get_if<Figure>(&block)) {
        const Drawing &drawing = drawingOf(*figure);
        return drawing.size.isEmpty() ? 0 : sizeOf(drawing).height() + 30 * kPixel;
    }
    return 80 * kPixel;
}

void PageWriter::ensure(double height)
{
    if (m_y == 0 || m_y + height <= m_bottom)
        return;
    paintFooter();
    m_device.newPage();
    m_y = 0;
    ++m_page;
}

void PageWriter::paintFooter()
{
    m_painter.setFont(font(kSmall));
    m_painter.setPen(lightTheme().dim);
    const QRectF line(0, m_bottom, m_width, kFooter);
    const QFontMetricsF metrics(m_painter.font(), &m_device);
    m_painter.drawText(line, Qt::AlignLeft | Qt::AlignBottom,
                       metrics.elidedText(m_title, Qt::ElideRight, m_width * 0.8));
    m_painter.drawText(line, Qt::AlignRight | Qt::AlignBottom, QString::number(m_page));
}

void PageWriter::paintText(const QString &text, const QFont &font, const QColor &color, double gap)
{
    const double height = textHeight(text, font, m_width);
    ensure(height);
    m_painter.setFont(font);
    m_painter.setPen(color);
    m_painter.drawText(QRectF(0, m_y, m_width, height + kPixel), text, m_wrapping);
    m_y += height + gap * kPixel;
}

void PageWriter::operator()(const Heading &heading)
{
    constexpr double kPoints[] = {15, 11, 9};
    if (m_y > 0)
        m_y += (heading.level == 1 ? 26 : 14) * kPixel;
    const Theme &theme = lightTheme();
    paintText(toQString(heading.text), font(kPoints[std::clamp(heading.level, 1, 3) - 1], true),
              heading.level == 3 ? theme.dim : theme.text, 5);
}

void PageWriter::operator()(const Paragraph &paragraph)
{
    const QColor color = colorOf(paragraph.tone, lightTheme());
    if (paragraph.isAnswer)
        return paintText(toQString(paragraph.text), font(13, true), color, 9);
    const std::string word(toneWord(paragraph.tone));
    paintText(toQString((word.empty() ? word : word + ": ") + paragraph.text), font(kBody),
              paragraph.tone == Tone::Note ? lightTheme().text : color, 5);
}

void PageWriter::operator()(const Figure &figure)
{
    const Drawing &drawing = drawingOf(figure);
    if (drawing.size.isEmpty())
        return;
    const QSizeF size = sizeOf(drawing);
    const QString caption = toQString(figure.caption);
    ensure(size.height() + textHeight(caption, font(kSmall), m_width) + 4 * kPixel);
    m_painter.save();
    m_painter.translate(0, m_y);
    const double scale = size.width() / drawing.size.width();
    m_painter.scale(scale, scale);
    m_painter.setClipRect(QRectF(QPointF(), QSizeF(drawing.size)));
    paint(m_painter, drawing);
    m_painter.restore();
    m_y += size.height() + 4 * kPixel;
    paintText(caption, font(kSmall), lightTheme().dim, 10);
}

void PageWriter::operator()(const PlanDocument &document)
{
    paintText(u"The plan is attached to this file as %1: save it and open it with VRAMscope."_s.arg(
                  attachedName(document.number)),
              font(kBody), lightTheme().text, 5);
}

// Each as wide as its widest text, where all fit; else those that want more than an equal share
// divide what the others leave.
std::vector<double> PageWriter::columnWidths(const ReportTable &table)
{
    const QFontMetricsF metrics(font(kSmall, true), &m_device);
    std::vector<double> widths(table.rows.columns().size(), 2 * kPadding);
    const auto widen = [&](const std::vector<std::string> &cells) {
        for (std::size_t at = 0; at < cells.size() && at < widths.size(); ++at)
            widths[at] = std::max(widths[at], metrics.horizontalAdvance(toQString(cells[at])) +
                                                  2 * kPadding + kPixel);
    };
    widen(table.headings);
    for (const auto &row : table.rows.rows())
        widen(row);
    if (std::accumulate(widths.begin(), widths.end(), 0.0) <= m_width)
        return widths;
    std::vector<std::size_t> order(widths.size());
    std::iota(order.begin(), order.end(), std::size_t(0));
    std::ranges::stable_sort(order, {}, [&](std::size_t at) { return widths[at]; });
    double left = m_width;
    auto wanting = order.begin();
    for (; wanting != order.end(); ++wanting) {
        const double share = left / static_cast<double>(order.end() - wanting);
        if (widths[*wanting] > share)
            break;
        left -= widths[*wanting];
    }
    // By their roots, so that a very long text takes no more of the others than it must.
    double roots = 0;
    for (auto at = wanting; at != order.end(); ++at)
        roots += std::sqrt(widths[*at]);
    for (auto at = wanting; at != order.end(); ++at)
        widths[*at] = left * std::sqrt(widths[*at]) / roots;
    return widths;
}

double PageWriter::rowHeight(const std::vector<std::string> &cells,
                             const std::vector<double> &widths, const QFont &font)
{
    double height = 0;
    for (std::size_t at = 0; at < cells.size(); ++at)
        height =
            std::max(height, textHeight(toQString(cells[at]), font, widths[at] - 2 * kPadding));
    return height + 2 * kRowGap;
}

void PageWriter::paintRow(const ReportTable &table, const std::vector<std::string> &cells,
                          const std::vector<double> &widths, const QFont &font, const QColor &color)
{
    const double height = rowHeight(cells, widths, font);
    m_painter.setFont(font);
    m_painter.setPen(color);
    double x = 0;
    for (std::size_t at = 0; at < cells.size(); ++at) {
        QTextOption option = m_wrapping;
        option.setAlignment(table.rows.columns()[at] == Align::Right ? Qt::AlignRight
                                                                     : Qt::AlignLeft);
        m_painter.drawText(QRectF(x + kPadding, m_y + kRowGap, widths[at] - 2 * kPadding, height),
                           toQString(cells[at]), option);
        x += widths[at];
    }
    m_y += height;
    m_painter.setPen(QPen(lightTheme().line, kPixel));
    m_painter.drawLine(QPointF(0, m_y), QPointF(x, m_y));
}

void PageWriter::paintPairs(const ReportTable &table)
{
    constexpr std::size_t kBeside = 3;
    constexpr double kGap = 16 * kPixel;
    const auto &pairs = table.rows.rows();
    const std::size_t rows = (pairs.size() + kBeside - 1) / kBeside;
    const double width = (m_width - kGap * (kBeside - 1)) / kBeside;
    const QFont plain = font(kSmall);
    const auto paintCell = [&](const QRectF &place, const std::string &text, Qt::Alignment side,
                               const QColor &color) {
        QTextOption option = m_wrapping;
        option.setAlignment(side);
        m_painter.setPen(color);
        m_painter.drawText(place, toQString(text), option);
    };
    const QFontMetricsF metrics(plain, &m_device);
    // A value takes what it needs, but leaves its name some room.
    const auto valueWidth = [&](const std::vector<std::string> &pair) {
        return std::min(metrics.horizontalAdvance(toQString(pair[1])) + kPixel, width * 0.6);
    };
    for (std::size_t row = 0; row < rows; ++row) {
        double height = 0;
        for (std::size_t at = row; at < pairs.size(); at += rows) {
            const double value = valueWidth(pairs[at]);
            const double name = width - value - kPadding;
            height = std::max({height, textHeight(toQString(pairs[at][0]), plain, name),
                               textHeight(toQString(pairs[at][1]), plain, value)});
        }
        height += 2 * kRowGap;
        ensure(height);
        m_painter.setFont(plain);
        for (std::size_t column = 0; row + column * rows < pairs.size(); ++column) {
            const auto &pair = pairs[row + column * rows];
            const double x = static_cast<double>(column) * (width + kGap);
            const double value = valueWidth(pair);
            const double y = m_y + kRowGap;
            paintCell({x, y, width - value - kPadding, height}, pair[0], Qt::AlignLeft,
                      lightTheme().dim);
            paintCell({x + width - value, y, value, height}, pair[1], Qt::AlignRight,
                      lightTheme().text);
            m_painter.setPen(QPen(lightTheme().line, kPixel));
            m_painter.drawLine(QPointF(x, m_y + height), QPointF(x + width, m_y + height));
        }
        m_y += height;
    }
    m_y += 10 * kPixel;
}

void PageWriter::operator()(const ReportTable &table)
{
    if (table.shape == ReportTable::Shape::Pairs)
        return paintPairs(table);
    const std::vector<double> widths = columnWidths(table);
    const QFont plain = font(kSmall);
    const QFont bold = font(kSmall, true);
    const bool headed =
        std::ranges::any_of(table.headings, [](const std::string &one) { return !one.empty(); });
    const auto paintHead = [&] {
        if (headed)
            paintRow(table, table.headings, widths, bold, lightTheme().dim);
    };
    paintHead();
    for (const auto &row : table.rows.rows()) {
        const int page = m_page;
        ensure(rowHeight(row, widths, plain));
        if (m_page != page)
            paintHead();
        paintRow(table, row, widths, plain, lightTheme().text);
    }
    m_y += 10 * kPixel;
}

} // namespace vramscope
