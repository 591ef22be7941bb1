// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/profile/profile_chart.h"
#include "ui/profile/profile_text.h"
#include "ui/support/pixel_ratio.h"
#include "ui/support/text.h"
#include "ui/timeline/chart_axes.h"

#include <QFontMetricsF>
#include <QImage>
#include <QPainter>

#include <array>
#include <cmath>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr double kNarrowestLabel = 28;

/// A moment that no column can hold; what leaves the picture is cut.
std::int64_t roundedTime(double time, std::int64_t origin)
{
    return origin + static_cast<std::int64_t>(std::floor(time));
}

/// Cuts texts to a width. Elision of fonts shapes a text again for each letter: this adds up the
/// widths of letters, which is near enough for a name in a box.
class TextCut
{
public:
    explicit TextCut(const QFontMetricsF &metrics)
        : m_metrics(metrics)
        , m_dots(metrics.horizontalAdvance(u'…'))
    {
        for (std::size_t at = 0; at < m_widths.size(); ++at)
            m_widths[at] = metrics.horizontalAdvance(QChar(static_cast<ushort>(at)));
    }

    [[nodiscard]] QString operator()(const QString &text, double width) const
    {
        double used = 0;
        qsizetype fits = 0; // of the letters, beside the dots
        for (qsizetype at = 0; at < text.size(); ++at) {
            used += widthOf(text[at]);
            if (used <= width - m_dots)
                fits = at + 1;
            if (used > width)
                return text.left(fits) + u'…';
        }
        return text;
    }

private:
    [[nodiscard]] double widthOf(QChar letter) const
    {
        return letter.unicode() < m_widths.size() ? m_widths[letter.unicode()]
                                                  : m_metrics.horizontalAdvance(letter);
    }

    const QFontMetricsF &m_metrics;
    double m_dots;
    std::array<double, 128> m_widths{};
};

} // namespace

void ProfileChart::paint(QPainter &painter) const
{
    painter.setFont(m_small);
    painter.fillRect(m_place, m_style.theme.window);
    painter.save();
    painter.setClipRect(
        QRectF(m_place.left(), m_plot.top(), m_place.width(), m_place.bottom() - m_plot.top()));
    // Hairlines at the ticks, so that things far apart can be told to be at one time.
    const int most = std::max(1, static_cast<int>(m_plot.width() / 110));
    painter.setPen(m_style.theme.line);
    for (const auto &[value, text] : timeTicks(m_visible, most)) {
        const double at = crisp(m_plot.left() + across().toPixel(value));
        painter.drawLine(QPointF(at, m_plot.top()), QPointF(at, m_place.bottom()));
    }
    for (std::size_t line = m_scene.lines->firstBelow(m_scroll);
         line < m_scene.lines->lines().size(); ++line) {
        if (lineRect(line).top() >= m_place.bottom())
            break;
        paintName(painter, line);
        switch (m_scene.lines->lines()[line].kind) {
        case TimelineLine::Kind::Heading:
            paintHeading(painter, line);
            break;
        case TimelineLine::Kind::Cover:
            paintCover(painter, line);
            break;
        case TimelineLine::Kind::Row:
            paintRow(painter, line);
            break;
        case TimelineLine::Kind::Queue:
            paintQueue(painter, line);
            break;
        case TimelineLine::Kind::Memory:
            paintMemory(painter, line);
            break;
        }
    }
    painter.restore();
    paintAxis(painter);
}

void ProfileChart::paintAxis(QPainter &painter) const
{
    const Theme &theme = m_style.theme;
    const double line = rowHeight(m_style.font);
    const QRectF axis(m_plot.left(), m_place.top(), m_plot.width(), line + 4);
    const double widest = QFontMetricsF(m_small).horizontalAdvance(u"000.000000 ms"_s) * 1.15;
    const int most = std::max(1, static_cast<int>(m_plot.width() / std::max(widest, 110.0)));
    for (const auto &[value, text] : timeTicks(m_visible, most)) {
        const double at = m_plot.left() + across().toPixel(value);
        if (at < m_plot.left() - 1)
            continue;
        painter.setPen(theme.border);
        painter.drawLine(QPointF(crisp(at), axis.bottom() - 4), QPointF(crisp(at), axis.bottom()));
        painter.setPen(theme.dim);
        const double room = m_plot.right() - at;
        const double width = QFontMetricsF(m_small).horizontalAdvance(text);
        if (room > width + 6)
            painter.drawText(QPointF(at + 4, axis.bottom() - 5), text);
    }
    painter.setPen(theme.border);
    painter.drawLine(QPointF(m_place.left(), crisp(m_plot.top() - 1)),
                     QPointF(m_plot.right(), crisp(m_plot.top() - 1)));
    if (!m_scene.document->profile->steps().empty())
        paintSteps(painter, QRectF(m_plot.left(), axis.bottom(), m_plot.width(), line));
}

void ProfileChart::paintSteps(QPainter &painter, const QRectF &place) const
{
    const Profile &profile = *m_scene.document->profile;
    const Theme &theme = m_style.theme;
    painter.setPen(theme.dim);
    painter.drawText(QRectF(m_place.left() + 22, place.top(), m_plot.left() - m_place.left() - 26,
                            place.height()),
                     Qt::AlignVCenter | Qt::AlignLeft, u"steps"_s);
    painter.save();
    painter.setClipRect(place);
    double free = place.left();
    for (std::size_t at = 0; at < profile.steps().size(); ++at) {
        const ProfilerStep &step = profile.steps()[at];
        const double left = std::max(x(step.start), place.left() - 2);
        const double right = std::min(x(step.end), place.right() + 2);
        if (right <= place.left() || left >= place.right() || right < free + 1)
            continue; // outside, or too short beside the one before
        free = right;
        const QRectF box(left, place.top() + 1, std::max(1.0, right - left), place.height() - 3);
        painter.fillRect(box, at % 2 == 0 ? theme.selection : theme.line);
        painter.fillRect(QRectF(std::floor(left), place.top() + 1, 1, place.height() - 3),
                         theme.accent);
        if (box.width() > kNarrowestLabel) {
            painter.setPen(theme.text);
            painter.drawText(
                box.adjusted(5, 0, -2, 0), Qt::AlignVCenter | Qt::AlignLeft,
                QFontMetricsF(m_small).elidedText(foreignText(m_scene.document->text(step.name)),
                                                  Qt::ElideMiddle, box.width() - 7));
        }
    }
    painter.restore();
}

void ProfileChart::paintName(QPainter &painter, std::size_t line) const
{
    const TimelineLine &of = m_scene.lines->lines()[line];
    if (of.kind == TimelineLine::Kind::Heading || !of.isFirst)
        return;
    QString name;
    bool folds = false;
    switch (of.kind) {
    case TimelineLine::Kind::Row: {
        const RowGroup &group = m_scene.document->rows->groups[of.group];
        name = groupTitle(*m_scene.document, group);
        folds = group.rowCount > 1;
        break;
    }
    case TimelineLine::Kind::Cover:
        name = u"activity"_s;
        break;
    case TimelineLine::Kind::Queue: {
        const TimeCurve &queue = m_scene.document->devices[of.at].queue;
        const auto peak = queue.peak();
        name = u"queue"_s;
        if (peak)
            name += u", max "_s + countText(queue.values()[*peak]);
        break;
    }
    case TimelineLine::Kind::Memory:
        name = m_scene.document->memory[of.at].source == ProfileMemoryCurves::Source::Snapshot
                   ? u"snapshot memory"_s
                   : u"memory"_s;
        break;
    case TimelineLine::Kind::Heading:
        break;
    }
    const QRectF row = lineRect(line);
    const double height = std::min(row.height(), rowHeight(m_style.font));
    const QRectF place(m_place.left() + 22, row.top(), m_plot.left() - m_place.left() - 26, height);
    painter.setPen(m_style.theme.dim);
    painter.drawText(place, Qt::AlignVCenter | Qt::AlignLeft,
                     QFontMetricsF(m_small).elidedText(name, Qt::ElideRight, place.width()));
    if (folds)
        painter.drawText(QRectF(m_place.left() + 8, row.top(), 14, height),
                         Qt::AlignVCenter | Qt::AlignLeft,
                         m_scene.folds->groups.contains(of.group) ? u"▸"_s : u"▾"_s);
}

void ProfileChart::paintHeading(QPainter &painter, std::size_t line) const
{
    const TimelineLine &of = m_scene.lines->lines()[line];
    const TimelineSection &section = (*m_scene.sections)[of.section];
    const Theme &theme = m_style.theme;
    const QRectF row = lineRect(line);
    const QRectF whole(m_place.left(), row.top(), m_place.width(), row.height());
    painter.fillRect(whole, theme.card);
    painter.setPen(theme.line);
    painter.drawLine(QPointF(whole.left(), crisp(whole.top())),
                     QPointF(whole.right(), crisp(whole.top())));
    painter.setPen(theme.dim);
    painter.drawText(whole.adjusted(8, 0, 0, 0), Qt::AlignVCenter | Qt::AlignLeft,
                     m_scene.folds->sections.contains(of.section) ? u"▸"_s : u"▾"_s);
    QFont bold = m_small;
    bold.setBold(true);
    painter.setFont(bold);
    painter.setPen(theme.text);
    const QString title = sectionTitle(*m_scene.document, section);
    const double width = QFontMetricsF(bold).horizontalAdvance(title);
    painter.drawText(whole.adjusted(22, 0, -8, 0), Qt::AlignVCenter | Qt::AlignLeft,
                     QFontMetricsF(bold).elidedText(title, Qt::ElideRight, whole.width() - 30));
    painter.setFont(m_small);
    if (section.events == 0 || 22 + width + 160 > whole.width())
        return;
    painter.setPen(theme.dim);
    painter.drawText(whole.adjusted(22 + width + 12, 0, -8, 0), Qt::AlignVCenter | Qt::AlignLeft,
                     eventsText(section));
}

void ProfileChart::paintCover(QPainter &painter, std::size_t line) const
{
    static constexpr CoverKind kFromBelow[] = {CoverKind::Compute, CoverKind::Both,
                                               CoverKind::Communication, CoverKind::Copies};
    const DeviceCover &coverage =
        m_scene.document->devices[m_scene.lines->lines()[line].at].coverage;
    const QRectF row = lineRect(line);
    const TimeWindow window = this->window();
    const double pixel = 1 / m_style.pixelRatio;
    const std::int64_t origin = m_scene.document->origin;
    const double step = m_visible.length() / std::max(window.pixels, 1);
    const auto rows = static_cast<int>(row.height() * m_style.pixelRatio);
    QImage image(std::max(window.pixels, 1), std::max(rows, 1),
                 QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::transparent);
    auto *pixels = reinterpret_cast<QRgb *>(image.bits());
    const qsizetype across = image.bytesPerLine() / static_cast<qsizetype>(sizeof(QRgb));
    for (int column = 0; column < window.pixels; ++column) {
        const double low = m_visible.low + step * column;
        const std::int64_t from = roundedTime(low, origin);
        const std::int64_t to = std::max(from + 1, roundedTime(low + step, origin));
        if (to <= coverage.start() || from >= coverage.end())
            continue;
        const CoverTimes times = coverage.within(from, to);
        const auto whole = static_cast<double>(to - from);
        double below = 0;
        for (const CoverKind cover : kFromBelow) {
            const double share = static_cast<double>(timeOf(times, cover)) / whole;
            const int bottom = rows - static_cast<int>(std::lround(below * rows));
            below += share;
            const int top = rows - static_cast<int>(std::lround(below * rows));
            const QRgb color = coverColor(cover, m_style.theme).rgb();
            for (int y = top; y < bottom; ++y)
                pixels[y * across + column] = color;
        }
        const int top = rows - static_cast<int>(std::lround(below * rows));
        for (int y = 0; y < top; ++y)
            pixels[y * across + column] = m_style.theme.line.rgb();
    }
    painter.drawImage(QRectF(row.left(), row.top(), image.width() * pixel, row.height()), image);
}

void ProfileChart::spreadMarks(const TimelineRow &row, const TimeWindow &window, bool faint,
                               std::vector<QRgb> &pixels, std::vector<Label> *labels,
                               const QRectF &place) const
{
    thread_local std::vector<RowMark> marks;
    row.marks(window, marks);
    const double pixel = 1 / m_style.pixelRatio;
    for (const RowMark &mark : marks) {
        QRgb color = m_scene.colors->of(row.kind(), mark.event);
        if (faint)
            color = m_scene.colors->faint(color);
        const auto first = pixels.begin() + mark.first;
        const auto last = pixels.begin() + mark.last;
        std::fill(first, last, color);
        const double width = (mark.last - mark.first) * pixel;
        if (mark.last - mark.first >= 4 && mark.last < window.pixels)
            *(last - 1) = 0; // tells neighbours apart
        if (labels && width >= kNarrowestLabel)
            labels->push_back(
                {QRectF(place.left() + mark.first * pixel, place.top(), width - 1, place.height()),
                 mark.event, color});
    }
}

void ProfileChart::blit(QPainter &painter, const QRectF &place,
                        const std::vector<QRgb> &pixels) const
{
    const auto count = static_cast<int>(pixels.size());
    const double pixel = 1 / m_style.pixelRatio;
    if (!keepsVectors(painter)) {
        const QImage line(reinterpret_cast<const uchar *>(pixels.data()), count, 1,
                          QImage::Format_ARGB32_Premultiplied);
        painter.drawImage(QRectF(place.left(), place.top(), count * pixel, place.height()), line);
        return;
    }
    for (int from = 0; from < count;) {
        int to = from + 1;
        const QRgb color = pixels[static_cast<std::size_t>(from)];
        while (to < count && pixels[static_cast<std::size_t>(to)] == color)
            ++to;
        if (color != 0)
            painter.fillRect(QRectF(place.left() + from * pixel, place.top(), (to - from) * pixel,
                                    place.height()),
                             QColor::fromRgb(color));
        from = to;
    }
}

void ProfileChart::paintLabels(QPainter &painter, EventKind kind,
                               const std::vector<Label> &labels) const
{
    if (labels.empty())
        return;
    const QFontMetricsF metrics(m_small);
    const TextCut cut(metrics);
    const double down = (labels.front().place.height() + metrics.ascent() - metrics.descent()) / 2;
    for (const Label &label : labels) {
        const QString name =
            cut(eventName(*m_scene.document, {kind, label.event}), label.place.width() - 6);
        painter.setPen(textOn(QColor::fromRgb(label.ground)));
        painter.drawText(QPointF(label.place.left() + 4, std::round(label.place.top() + down)),
                         name);
    }
}

void ProfileChart::paintRow(QPainter &painter, std::size_t line) const
{
    const TimelineLine &of = m_scene.lines->lines()[line];
    const TimelineRow &row = m_scene.document->rows->rows[of.at];
    const QRectF place = lineRect(line);
    const TimeWindow window = this->window();
    if (window.pixels <= 0)
        return;
    std::vector<QRgb> pixels(static_cast<std::size_t>(window.pixels), 0);
    std::vector<Label> labels;
    const bool faint = m_scene.found != nullptr;
    spreadMarks(row, window, faint, pixels, faint ? nullptr : &labels, place);
    if (faint)
        spreadMarks(m_scene.found->rows[of.at], window, false, pixels, &labels, place);
    blit(painter, place, pixels);
    paintLabels(painter, row.kind(), labels);
}

void ProfileChart::paintCurve(QPainter &painter, std::size_t line, const TimeCurve &curve,
                              double most, const QColor &color, const QColor &tint) const
{
    const QRectF row = lineRect(line);
    const TimeWindow window = this->window();
    const double pixel = 1 / m_style.pixelRatio;
    const std::int64_t origin = m_scene.document->origin;
    const double step = m_visible.length() / std::max(window.pixels, 1);
    const auto rows = static_cast<int>(std::lround(row.height() * m_style.pixelRatio));
    if (window.pixels <= 0 || rows <= 0)
        return;
    QImage image(window.pixels, rows, QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::transparent);
    const QRgb edge = qPremultiply(color.rgba());
    const QRgb below = qPremultiply(tint.rgba());
    auto *pixels = reinterpret_cast<QRgb *>(image.bits());
    const qsizetype across = image.bytesPerLine() / static_cast<qsizetype>(sizeof(QRgb));
    const bool vectors = keepsVectors(painter);
    for (int column = 0; column < window.pixels; ++column) {
        const double low = m_visible.low + step * column;
        const std::int64_t from = roundedTime(low, origin);
        const auto at = curve.highest(from, std::max(from + 1, roundedTime(low + step, origin)));
        if (!at || curve.values()[*at] <= 0)
            continue;
        const double share = std::min(static_cast<double>(curve.values()[*at]) / most, 1.0);
        const int high = std::max(1, static_cast<int>(std::lround(share * (rows - 1))));
        if (vectors) {
            const double x = row.left() + column * pixel;
            painter.fillRect(QRectF(x, row.bottom() - high * pixel, pixel, high * pixel), tint);
            painter.fillRect(QRectF(x, row.bottom() - high * pixel, pixel, pixel), color);
            continue;
        }
        pixels[(rows - high) * across + column] = edge;
        for (int y = rows - high + 1; y < rows; ++y)
            pixels[y * across + column] = below;
    }
    if (!vectors)
        painter.drawImage(QRectF(row.left(), row.top(), window.pixels * pixel, row.height()),
                          image);
}

void ProfileChart::paintBase(QPainter &painter, std::size_t line) const
{
    const QRectF row = lineRect(line);
    painter.setPen(m_style.theme.line);
    painter.drawLine(QPointF(row.left(), crisp(row.bottom() - 1)),
                     QPointF(row.right(), crisp(row.bottom() - 1)));
}

void ProfileChart::paintScale(QPainter &painter, std::size_t line, const QString &most) const
{
    paintBase(painter, line);
    const QRectF row = lineRect(line);
    const QFontMetricsF metrics(m_small);
    QColor patch = m_style.theme.window;
    patch.setAlpha(205);
    const double width = metrics.horizontalAdvance(most);
    painter.fillRect(QRectF(row.left() + 2, row.top(), width + 6, metrics.height()), patch);
    painter.setPen(m_style.theme.dim);
    painter.drawText(QPointF(row.left() + 5, row.top() + metrics.ascent()), most);
}

void ProfileChart::paintQueue(QPainter &painter, std::size_t line) const
{
    const TimeCurve &queue = m_scene.document->devices[m_scene.lines->lines()[line].at].queue;
    const auto peak = queue.peak();
    if (!peak)
        return;
    const std::int64_t most = std::max<std::int64_t>(queue.values()[*peak], 1);
    QColor tint = m_style.theme.dim;
    tint.setAlpha(50);
    paintCurve(painter, line, queue, static_cast<double>(most), m_style.theme.dim, tint);
    paintBase(painter, line);
}

void ProfileChart::paintMemory(QPainter &painter, std::size_t line) const
{
    const ProfileMemoryCurves &curves = m_scene.document->memory[m_scene.lines->lines()[line].at];
    const auto allocated = curves.allocated.peak();
    const auto reserved = curves.reserved.peak();
    Bytes most = allocated ? curves.allocated.values()[*allocated] : 0;
    QString text = u"%1, at most %2"_s.arg(allocatedName(curves),
                                           bytesText(std::max<Bytes>(most, 0), m_style.unit));
    if (reserved && curves.reserved.values()[*reserved] > 0) {
        const Bytes held = curves.reserved.values()[*reserved];
        most = std::max(most, held);
        text += u" · reserved, at most %1"_s.arg(bytesText(held, m_style.unit));
    }
    const double scale = std::max(static_cast<double>(most), 1.0) * 1.25; // room for the text
    if (reserved) {
        QColor tint = m_style.theme.dim;
        tint.setAlpha(28);
        paintCurve(painter, line, curves.reserved, scale, m_style.theme.dim, tint);
    }
    const QColor color = QColor::fromRgb(seriesColors()[2]);
    QColor tint = color;
    tint.setAlpha(m_style.theme.dark ? 110 : 120);
    paintCurve(painter, line, curves.allocated, scale, color, tint);
    paintScale(painter, line, text);
}

} // namespace vramscope
