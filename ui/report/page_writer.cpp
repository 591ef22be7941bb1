// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/report/page_writer.h"

#include "core/document/html.h"
#include "ui/support/text.h"
#include "ui/support/theme.h"

#include <QFontMetricsF>
#include <QPagedPaintDevice>

#include <algorithm>
#include <numeric>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr double kPixel = kPageResolution / 96.0;
constexpr double kPadding = 5 * kPixel; // left and right of a cell
constexpr double kRowGap = 3 * kPixel;  // above and below its text
constexpr double kFooter = 26 * kPixel;
constexpr double kBody = 8.5; // points
constexpr double kSmall = 7.5;

QColor colorOf(Tone tone, const Theme &theme)
{
    return tone == Tone::Good      ? theme.good
           : tone == Tone::Bad     ? theme.bad
           : tone == Tone::Warning ? theme.warn
                                   : theme.text;
}

} // namespace

PageWriter::PageWriter(QPagedPaintDevice &device, std::function<QImage(const Figure &)> paint)
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
        std::visit([this](const auto &block) { (*this)(block); }, report.blocks[at]);
    }
    paintFooter();
}

const QImage &PageWriter::imageOf(const Figure &figure)
{
    const auto [place, isNew] = m_images.try_emplace(figure.id);
    if (isNew)
        place->second = m_paint(figure);
    return place->second;
}

QFont PageWriter::font(double points, bool bold) const
{
    QFont font(u"DejaVu Sans"_s);
    font.setPointSizeF(points);
    font.setBold(bold);
    return font;
}

double PageWriter::textHeight(const QString &text, const QFont &font, double width)
{
    m_painter.setFont(font);
    return m_painter.boundingRect(QRectF(0, 0, width, 1e6), text, m_wrapping).height();
}

QSizeF PageWriter::sizeOf(const QImage &image) const
{
    return QSizeF(image.size()).scaled(m_width, m_bottom * 0.6, Qt::KeepAspectRatio);
}

double PageWriter::heightWanted(const Block &block)
{
    if (const auto *heading = std::get_if<Heading>(&block))
        return (heading->level == 1 ? 60 : 40) * kPixel;
    if (const auto *paragraph = std::get_if<Paragraph>(&block))
        return textHeight(toQString(paragraph->text), font(paragraph->isAnswer ? 13 : kBody),
                          m_width);
    if (const auto *figure = std::get_if<Figure>(&block))
        return sizeOf(imageOf(*figure)).height() + 30 * kPixel;
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
    const QImage &image = imageOf(figure);
    if (image.isNull())
        return;
    const QSizeF size = sizeOf(image);
    const QString caption = toQString(figure.caption);
    ensure(size.height() + textHeight(caption, font(kSmall), m_width) + 4 * kPixel);
    m_painter.drawImage(QRectF(QPointF(0, m_y), size), image,
                        QRectF(QPointF(), QSizeF(image.size())));
    m_y += size.height() + 4 * kPixel;
    paintText(caption, font(kSmall), lightTheme().dim, 10);
}

// Line by line, so that a long document runs over pages.
void PageWriter::operator()(const Code &code)
{
    if (!code.title.empty())
        paintText(toQString(code.title), font(kBody, true), lightTheme().dim, 3);
    QFont mono(u"DejaVu Sans Mono"_s);
    mono.setPointSizeF(6.5);
    for (const QString &line : toQString(code.text).split(u'\n'))
        paintText(line.isEmpty() ? u" "_s : line, mono, lightTheme().text, 0);
    m_y += 6 * kPixel;
}

// Each as wide as its widest text, where all fit; else those that want more than their share of
// what is left share it.
std::vector<double> PageWriter::columnWidths(const DataTable &table)
{
    const QFontMetricsF metrics(font(kSmall, true), &m_device);
    std::vector<double> widths(table.rows.columns().size(), 2 * kPadding);
    const auto widen = [&](const std::vector<std::string> &cells) {
        for (std::size_t at = 0; at < cells.size() && at < widths.size(); ++at)
            widths[at] = std::max(widths[at],
                                  metrics.horizontalAdvance(toQString(cells[at])) + 2 * kPadding);
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
    for (std::size_t at = 0; at < order.size(); ++at) {
        double &width = widths[order[at]];
        width = std::min(width, left / static_cast<double>(order.size() - at));
        left -= width;
    }
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

void PageWriter::paintRow(const DataTable &table, const std::vector<std::string> &cells,
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

void PageWriter::operator()(const DataTable &table)
{
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
