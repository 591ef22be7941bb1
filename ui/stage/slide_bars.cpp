// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/stage/slide_bars.h"

#include "core/deck/slide_layout.h"
#include "ui/stage/slide.h"
#include "ui/support/hatch.h"
#include "ui/support/text.h"
#include "ui/support/verdict_color.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>
#include <utility>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr double kStrip = 22;   ///< a line of labels above or below a bar
constexpr double kBracket = 12; ///< of the room between a bar's end and the limit
constexpr double kLegendSpace = 10;
constexpr double kRemark = 20;      ///< a line of remarks
constexpr double kInside = 8;       ///< free at both sides of a label in a piece
constexpr double kNameShare = 0.38; ///< of the width, at most
constexpr double kNameGap = 16;
constexpr double kValueGap = 10;
constexpr double kNameType = 16;
constexpr double kLetterType = 20; ///< of a name of one letter
constexpr double kGapType = 18;
constexpr double kSwatch = 13;

double advance(const QString &text, double points, bool bold = false)
{
    return QFontMetricsF(slideFont(points, bold)).horizontalAdvance(text);
}

double nameType(const QString &name)
{
    return name.size() == 1 ? kLetterType : kNameType;
}

/// Bars on the way to a painter.
class PaintedBars
{
public:
    PaintedBars(QPainter &painter, const SlideBars &content, QSizeF place, const Theme &theme)
        : m_painter(painter)
        , m_content(content)
        , m_place(place)
        , m_theme(theme)
    {
        double most = 0;
        double values = 0;
        bool named = false;
        for (const SlideBar &bar : content.bars) {
            most = std::max({most, bar.total(), bar.high, bar.limit.value_or(0)});
            named = named || !bar.name.isEmpty();
            m_left = std::max(m_left, advance(bar.name, nameType(bar.name), true));
            values = std::max(values, advance(bar.text, kNameType, true));
        }
        m_left = named ? std::min(m_left + kNameGap, place.width() * kNameShare) : 0;
        const double right = values > 0 ? values + kValueGap : 0;
        m_scale = most > 0 ? (place.width() - m_left - right) / most : 0;
        m_end = m_left + most * m_scale;
    }

    void paint()
    {
        const double below = kRemark * static_cast<double>(m_content.remarks.size());
        const double legend = legendHeight();
        double strips = 0;
        for (const SlideBar &bar : m_content.bars)
            strips += aboveOf(bar) + belowOf(bar);
        const auto count = static_cast<double>(std::max<std::size_t>(m_content.bars.size(), 1));
        const double each = (m_place.height() - below - legend - strips) / count;
        double y = 0;
        for (std::size_t at = 0; at < m_content.bars.size(); ++at) {
            row(at, y, each);
            y += each + aboveOf(m_content.bars[at]) + belowOf(m_content.bars[at]);
        }
        if (legend > 0)
            paintLegend(m_place.height() - below - legend + kLegendSpace);
        y = m_place.height() - below;
        for (const QString &remark : m_content.remarks) {
            const auto lines = wrapped(unbroken(remark.toStdString()), m_place.width(), kLabelType,
                                       false, 1, slideWidth);
            text(lines.empty() ? QString() : toQString(lines.front()),
                 {0, y, m_place.width(), kRemark}, kLabelType, false, m_theme.dim, Qt::AlignLeft);
            y += kRemark;
        }
    }

private:
    [[nodiscard]] double x(double value) const { return m_left + value * m_scale; }

    void text(const QString &what, const QRectF &place, double points, bool bold,
              const QColor &color, Qt::Alignment side)
    {
        m_painter.setFont(slideFont(points, bold));
        m_painter.setPen(color);
        m_painter.drawText(place, static_cast<int>(side | Qt::AlignVCenter) | Qt::TextDontClip,
                           what);
    }

    [[nodiscard]] bool nameFits(const SlideBar::Piece &piece) const
    {
        return std::max(advance(piece.name, kLabelType), advance(piece.text, kLabelType)) +
                   2 * kInside <=
               piece.value * m_scale;
    }

    [[nodiscard]] static double aboveOf(const SlideBar &bar)
    {
        return bar.limit && !bar.limitText.isEmpty() ? kStrip : 0;
    }
    [[nodiscard]] double rangeHeight(const SlideBar &bar) const
    {
        return bar.range.isEmpty() ? 0 : m_content.bars.size() == 1 ? 2 * kStrip : kStrip;
    }
    [[nodiscard]] double belowOf(const SlideBar &bar) const
    {
        return rangeHeight(bar) + (bar.gap.isEmpty() ? 0 : kStrip + kBracket);
    }

    /// `high` is its height without the labels.
    void row(std::size_t at, double y, double high)
    {
        const SlideBar &bar = m_content.bars[at];
        const std::size_t count = m_content.bars.size();
        const bool leads = at + 1 < count && m_content.bars[at + 1].joined;
        const double most = count == 1 ? 150 : count == 2 ? 76 : count <= 5 ? 44 : 30;
        const double thick = std::clamp(high - (count > 1 ? 10 : 0), 12.0, most);
        const double free = high - thick;
        double top = y + aboveOf(bar) + (leads ? free - 1 : bar.joined ? 1 : free / 2);
        const QRectF place(m_left, top, x(bar.total()) - m_left, thick);
        wash(bar, place);
        pieces(bar, place);
        text(fitted(bar.name), {0, top, m_left - kNameGap, leads ? 2 * thick : thick},
             nameType(bar.name), bar.name.size() == 1, m_theme.text, Qt::AlignLeft);
        const bool crowded =
            bar.limit && *bar.limit >= bar.total() &&
            x(*bar.limit) - place.right() < advance(bar.text, kNameType, true) + 2 * kValueGap;
        const double after = crowded ? x(*bar.limit) : place.right();
        text(bar.text, {after + kValueGap, top, m_place.width(), thick}, kNameType, true,
             m_theme.text, Qt::AlignLeft);
        limit(bar, place);
        top += thick;
        range(bar, top);
        bracket(bar, top + rangeHeight(bar));
    }

    [[nodiscard]] QString fitted(const QString &name) const
    {
        return QFontMetricsF(slideFont(nameType(name)))
            .elidedText(name, Qt::ElideRight, m_left - kNameGap + 1);
    }

    /// What is beyond the limit.
    void wash(const SlideBar &bar, const QRectF &place)
    {
        if (bar.limit && std::max(bar.total(), bar.high) > *bar.limit)
            m_painter.fillRect(
                QRectF(QPointF(x(*bar.limit), place.top() - 4), QPointF(m_end, place.bottom() + 4)),
                m_theme.badFill);
    }

    void pieces(const SlideBar &bar, const QRectF &place)
    {
        double from = 0;
        for (const SlideBar::Piece &piece : bar.pieces) {
            QRectF part(x(from), place.top(), piece.value * m_scale, place.height());
            from += piece.value;
            if (part.width() > 2)
                part.setRight(part.right() - 1); // fills touch with a gap
            fill(piece, part);
            if (!isCrossed(bar, piece, part))
                label(piece, part);
        }
    }

    [[nodiscard]] QColor colorOf(const SlideBar::Piece &piece) const
    {
        return piece.side              ? sideColor(*piece.side, m_theme)
               : piece.color.isValid() ? piece.color
                                       : verdictColor(piece.verdict, m_theme, m_theme.accent);
    }

    void fill(const SlideBar::Piece &piece, const QRectF &part)
    {
        constexpr double kOutline = 2;
        if (piece.hatched) {
            hatch(part);
        } else if (piece.hollow) {
            m_painter.setPen(QPen(m_theme.bad, kOutline));
            m_painter.setBrush(Qt::NoBrush);
            const double inside = kOutline / 2;
            m_painter.drawRect(part.adjusted(inside, inside, -inside, -inside));
        } else {
            m_painter.fillRect(part, colorOf(piece));
        }
    }

    void hatch(const QRectF &part)
    {
        const QColor stroke = m_theme.dark ? QColor(0x9a, 0xa5, 0xb8) : QColor(0x6b, 0x76, 0x89);
        m_painter.fillRect(part, m_theme.card);
        fillHatched(m_painter, {part}, QPen(stroke, 1.2));
        m_painter.setPen(QPen(stroke, 1));
        m_painter.setBrush(Qt::NoBrush);
        m_painter.drawRect(part.adjusted(0.5, 0.5, -0.5, -0.5));
    }

    /// Whether the line of the limit would cross the label of a piece.
    [[nodiscard]] bool isCrossed(const SlideBar &bar, const SlideBar::Piece &piece,
                                 const QRectF &part) const
    {
        const double named = part.left() + 2 * kInside + advance(piece.name, kLabelType);
        return bar.limit && part.left() <= x(*bar.limit) &&
               x(*bar.limit) <= (nameFits(piece) ? named : part.right());
    }

    void label(const SlideBar::Piece &piece, const QRectF &part)
    {
        if (piece.name.isEmpty() || piece.hatched)
            return;
        const QColor color = piece.hollow ? m_theme.bad : textOn(colorOf(piece));
        const QRectF inside = part.adjusted(kInside, 0, -kInside, 0);
        if (nameFits(piece) && part.height() >= 2 * kLabelHigh) {
            const QRectF upper(inside.left(), inside.center().y() - kLabelHigh, inside.width(),
                               kLabelHigh);
            text(piece.name, upper, kLabelType, false, color, Qt::AlignLeft);
            text(piece.text, upper.translated(0, kLabelHigh), kLabelType, true, color,
                 Qt::AlignLeft);
        } else if (advance(piece.text, kLabelType, true) <= inside.width() &&
                   part.height() >= kLabelHigh) {
            text(piece.text, part, kLabelType, true, color, Qt::AlignHCenter);
        }
    }

    void limit(const SlideBar &bar, const QRectF &place)
    {
        if (!bar.limit)
            return;
        constexpr double kThick = 2;
        const QRectF line(x(*bar.limit) - kThick / 2, place.top() - 6, kThick, place.height() + 12);
        m_painter.fillRect(line.adjusted(-1.5, 0, 1.5, 0), m_theme.card);
        m_painter.fillRect(line, m_theme.text);
        const double wide = advance(bar.limitText, kLabelType, true);
        const double left = std::max(m_left, line.right() - wide);
        text(bar.limitText, {left, place.top() - kStrip - 4, wide + 1, kStrip}, kLabelType, true,
             m_theme.text, Qt::AlignLeft);
    }

    void range(const SlideBar &bar, double top)
    {
        if (bar.range.isEmpty())
            return;
        const double y = top + kStrip / 2 + 2;
        const double low = x(bar.low);
        const double high = x(bar.high);
        m_painter.setPen(QPen(m_theme.dim, 1.5));
        m_painter.drawLine(QLineF(low, y, high, y));
        for (const double end : {low, high})
            m_painter.drawLine(QLineF(end, y - 4, end, y + 4));
        const double wide = advance(bar.range, kLabelType);
        const bool single = m_content.bars.size() == 1; // its text is below, else at a side
        const bool right = high + 8 + wide <= m_place.width();
        const double left =
            single  ? std::clamp((low + high - wide) / 2, m_left, m_place.width() - wide)
            : right ? high + 8
                    : low - 8 - wide;
        text(bar.range, {left, single ? y + 4 : y - kStrip / 2, wide + 1, kStrip}, kLabelType,
             false, m_theme.dim, Qt::AlignLeft);
    }

    void bracket(const SlideBar &bar, double top)
    {
        if (bar.gap.isEmpty() || !bar.limit)
            return;
        const bool over = bar.total() > *bar.limit;
        const QColor color = over                    ? m_theme.bad
                             : bar.high > *bar.limit ? m_theme.warn
                                                     : m_theme.good;
        const double from = x(std::min(bar.total(), *bar.limit));
        const double to = x(std::max(bar.total(), *bar.limit));
        m_painter.setPen(QPen(color, 2));
        m_painter.drawPolyline(
            QPolygonF({{from, top + 4}, {from, top + 10}, {to, top + 10}, {to, top + 4}}));
        const double wide = advance(bar.gap, kGapType, true);
        const double left =
            std::clamp((from + to - wide) / 2, m_left, std::max(m_left, m_place.width() - wide));
        text(bar.gap, {left, top + 12, wide + 1, kStrip}, kGapType, true, color, Qt::AlignLeft);
    }

    /// The pieces that do not name themselves, each once.
    [[nodiscard]] std::vector<SlideBar::Piece> legend() const
    {
        constexpr double kLeastShare = 1.0 / 100; // of its bar: else nobody sees it
        std::vector<SlideBar::Piece> named;
        for (const SlideBar &bar : m_content.bars) {
            double from = 0;
            for (const SlideBar::Piece &piece : bar.pieces) {
                const QRectF part(x(from), 0, piece.value * m_scale, 1);
                from += piece.value;
                const auto isIt = [&](const SlideBar::Piece &one) {
                    return one.name == piece.name;
                };
                const bool isSeen = piece.value >= bar.total() * kLeastShare;
                if (isSeen && !piece.name.isEmpty() && std::ranges::none_of(named, isIt) &&
                    (piece.hatched || m_content.bars.size() > 1 || !nameFits(piece) ||
                     isCrossed(bar, piece, part)))
                    named.push_back(piece);
            }
        }
        return named;
    }

    [[nodiscard]] QString legendText(const SlideBar::Piece &piece) const
    {
        return m_content.bars.size() == 1 ? piece.name + u' ' + piece.text : piece.name;
    }

    /// Where each of them is, from the upper left corner of the legend.
    [[nodiscard]] std::vector<QPointF> legendPlaces() const
    {
        constexpr double kBetween = 22;
        std::vector<QPointF> places;
        QPointF at;
        for (const SlideBar::Piece &piece : legend()) {
            const double wide = kSwatch + 8 + advance(legendText(piece), kLabelType) + 1;
            if (at.x() > 0 && at.x() + wide > m_place.width())
                at = QPointF(0, at.y() + kStrip);
            places.push_back(at);
            at.rx() += wide + kBetween;
        }
        return places;
    }

    [[nodiscard]] double legendHeight() const
    {
        const std::vector<QPointF> places = legendPlaces();
        return places.empty() ? 0 : places.back().y() + kStrip + kLegendSpace;
    }

    void paintLegend(double y)
    {
        const std::vector<SlideBar::Piece> named = legend();
        const std::vector<QPointF> places = legendPlaces();
        for (std::size_t at = 0; at < named.size(); ++at) {
            const QPointF place = places[at] + QPointF(0, y);
            const QRectF swatch(place.x(), place.y() + (kStrip - kSwatch) / 2, kSwatch, kSwatch);
            fill(named[at], swatch);
            text(legendText(named[at]), {swatch.right() + 8, place.y(), m_place.width(), kStrip},
                 kLabelType, false, m_theme.dim, Qt::AlignLeft);
        }
    }

    QPainter &m_painter;
    const SlideBars &m_content;
    QSizeF m_place;
    const Theme &m_theme;
    double m_left = 0;
    double m_scale = 0;
    double m_end = 0;
};

} // namespace

void paintBars(QPainter &painter, const SlideBars &bars, QSizeF place, const Theme &theme)
{
    PaintedBars(painter, bars, place, theme).paint();
}

std::vector<SlideBar> barOfEach(std::vector<SlideBar::Piece> pieces)
{
    std::vector<SlideBar> bars;
    bars.reserve(pieces.size());
    for (SlideBar::Piece &piece : pieces) {
        SlideBar &bar = bars.emplace_back();
        bar.name = std::exchange(piece.name, {});
        bar.text = piece.text;
        bar.pieces = {std::move(piece)};
    }
    return bars;
}

SlideBars levelBars(const std::vector<std::pair<QString, Bytes>> &levels, ByteUnit unit,
                    std::optional<Bytes> limit, QStringList remarks)
{
    SlideBars made{{}, std::move(remarks)};
    for (const auto &[name, bytes] : levels) {
        SlideBar bar;
        bar.name = capitalized(name);
        bar.text = bytesText(bytes, unit);
        const bool isOver = limit && bytes > *limit;
        bar.pieces = {{.value = static_cast<double>(bytes),
                       .verdict = isOver ? std::optional(Verdict::DoesNotFit) : std::nullopt}};
        if (limit) {
            bar.limit = static_cast<double>(*limit);
            if (made.bars.empty())
                bar.limitText = u"capacity "_s + bytesText(*limit, unit);
        }
        made.bars.push_back(std::move(bar));
    }
    return made;
}

QColor sideColor(std::size_t side, const Theme &theme)
{
    const QRgb first = theme.dark ? 0xffe2e8f0U : 0xff1f2937U;
    const QRgb other = theme.dark ? 0xff7f8ba0U : 0xff6b7789U;
    return QColor::fromRgb(side == 0 ? first : other);
}

SlideBarsView::SlideBarsView(SlideBars bars, QWidget *parent)
    : QWidget(parent)
    , m_bars(std::move(bars))
{
    setBackgroundRole(QPalette::Base);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

void SlideBarsView::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.scale(kViewPoint, kViewPoint);
    paintBars(painter, m_bars, QSizeF(size()) / kViewPoint, themeOf(this));
}

} // namespace vramscope
