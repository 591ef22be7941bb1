// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/stage/slide.h"

#include "ui/support/text.h"
#include "ui/support/verdict_color.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr double kLeading = 1.2; ///< of a title's line, by its type
constexpr double kNoteLine = 20;
constexpr std::size_t kMostNoteLines = 5;
constexpr double kNoteMark = 3; ///< width of the stroke at the left of a note

std::vector<std::string> problemLines(const QString &problem)
{
    return wrapped(unbroken(problem.toStdString()), kContentWide, kLabelType, false, 2, slideWidth);
}

std::vector<std::string> noteLines(const QString &note)
{
    std::vector<std::string> lines;
    for (const QString &paragraph : note.split(u'\n')) {
        const auto more = wrapped(unbroken(paragraph.toStdString()), kContentWide - kPartGap,
                                  kNoteType, false, kMostNoteLines, slideWidth);
        lines.insert(lines.end(), more.begin(), more.end());
    }
    lines.resize(std::min(lines.size(), kMostNoteLines));
    return lines;
}

std::string oneLine(const QString &text, double width, double points)
{
    const auto lines = wrapped(unbroken(text.toStdString()), width, points, false, 1, slideWidth);
    return lines.empty() ? std::string() : lines.front();
}

void paintTitle(QPainter &painter, const SlideText &text, const QRectF &place, const Theme &theme)
{
    const TitleLines title = titleLines(text.headline.toStdString(), kContentWide, slideWidth);
    const QString words =
        toQString(unbroken(verdictWords(text.headline, text.verdict).toStdString()));
    painter.setFont(slideFont(title.type, true));
    const QFontMetricsF metrics(painter.font());
    double y = place.top() + metrics.ascent();
    for (const std::string &each : title.lines) {
        const QString line = toQString(each);
        const qsizetype at = words.isEmpty() ? -1 : line.indexOf(words);
        double x = place.left();
        const auto part = [&](const QString &piece, const QColor &color) {
            painter.setPen(color);
            painter.drawText(QPointF(x, y), piece);
            x += metrics.horizontalAdvance(piece);
        };
        part(at < 0 ? line : line.first(at), theme.text);
        if (at >= 0) {
            part(words, verdictColor(text.verdict, theme, theme.text));
            part(line.sliced(at + words.size()), theme.text);
        }
        y += title.type * kLeading;
    }
}

} // namespace

SlideText slideText(const StageScene &scene, const QString &note, const QString &title, int number,
                    int count)
{
    QStringList foot{title, scene.foot};
    foot.removeAll(QString());
    return {scene.problem,
            scene.headline,
            scene.verdict,
            scene.kicker,
            note,
            foot.join(u" · "_s),
            u"%1 / %2"_s.arg(QString::number(number), QString::number(count))};
}

QString verdictWords(const QString &headline, const std::optional<Verdict> &verdict)
{
    if (!verdict)
        return {};
    const QString word = verdictText(*verdict);
    const QString probably = u"probably "_s + word;
    for (const QString &words : {probably, word})
        if (const qsizetype at = headline.indexOf(words, 0, Qt::CaseInsensitive); at >= 0)
            return headline.sliced(at, words.size());
    return headline.left(headline.indexOf(u':'));
}

SlideTone toneOf(const std::optional<Verdict> &verdict)
{
    if (!verdict)
        return SlideTone::Plain;
    return *verdict == Verdict::Fits    ? SlideTone::Good
           : *verdict == Verdict::Tight ? SlideTone::Warning
                                        : SlideTone::Bad;
}

QFont slideFont(double points, bool bold)
{
    QFont font = typeFont(points >= kLeastTitleType ? Type::Head : Type::Body, bold);
    font.setPixelSize(qRound(points));
    return font;
}

double slideWidth(std::string_view text, double points, bool bold)
{
    return QFontMetricsF(slideFont(points, bold)).horizontalAdvance(toQString(text));
}

SlidePlaces slidePlaces(const SlideText &text, QSizeF size)
{
    SlidePlaces places;
    places.scale = std::min(size.width() / kSlideWide, size.height() / kSlideHigh);
    places.at = QPointF((size.width() - kSlideWide * places.scale) / 2,
                        (size.height() - kSlideHigh * places.scale) / 2);
    double down = 0;
    const auto place = [&](double top, double bottom) {
        return QRectF(kSlideSide, top + down, kContentWide, bottom - top);
    };
    if (!text.problem.isEmpty()) {
        const auto lines = static_cast<double>(problemLines(text.problem).size());
        places.problem = place(kProblemTop, kProblemTop + lines * kLabelHigh);
        down = std::max(0.0, places.problem.bottom() + 4 - kTitleTop);
    }
    places.headline = place(kTitleTop, kTitleTop + kTitleHigh);
    places.kicker = place(kKickerTop, kKickerTop + kLabelHigh);
    places.picture = place(kBodyTop, kBodyEnd);
    places.picture.setBottom(kBodyEnd);
    places.foot = QRectF(kSlideSide, kFootTop, kContentWide, kLabelHigh);
    if (!text.note.isEmpty()) {
        places.note = places.picture;
        places.note.setTop(kBodyEnd - static_cast<double>(noteLines(text.note).size()) * kNoteLine);
        places.picture.setBottom(places.note.top() - kPartGap);
    }
    const QRectF points = places.picture;
    places.picture =
        QRectF(places.at + points.topLeft() * places.scale, points.size() * places.scale);
    return places;
}

void paintSlideText(QPainter &painter, const SlideText &text, const SlidePlaces &places,
                    const Theme &theme)
{
    painter.save();
    painter.translate(places.at);
    painter.scale(places.scale, places.scale);
    const auto line = [&](const std::string &what, const QRectF &place, double points,
                          const QColor &color, Qt::Alignment side = Qt::AlignLeft) {
        painter.setFont(slideFont(points));
        painter.setPen(color);
        painter.drawText(place, static_cast<int>(side | Qt::AlignTop) | Qt::TextDontClip,
                         toQString(what));
    };
    double y = places.problem.top();
    for (const std::string &each : problemLines(text.problem)) {
        line(each, {kSlideSide, y, kContentWide, kLabelHigh}, kLabelType, theme.warn);
        y += kLabelHigh;
    }
    paintTitle(painter, text, places.headline, theme);
    line(oneLine(text.kicker, kContentWide, kLabelType), places.kicker, kLabelType, theme.dim);
    if (!text.note.isEmpty()) {
        painter.fillRect(QRectF(kSlideSide, places.note.top(), kNoteMark, places.note.height()),
                         theme.accent);
        y = places.note.top();
        for (const std::string &each : noteLines(text.note)) {
            line(each, {kSlideSide + kPartGap, y, kContentWide - kPartGap, kNoteLine}, kNoteType,
                 theme.text);
            y += kNoteLine;
        }
    }
    line(oneLine(text.foot, kContentWide - kPageWide, kFootType), places.foot, kFootType,
         theme.hint);
    line(text.page.toStdString(), places.foot, kFootType, theme.hint, Qt::AlignRight);
    painter.restore();
}

} // namespace vramscope
