// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/stage/slide.h"

#include "ui/support/verdict_color.h"

#include <QPainter>

#include <algorithm>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

// Lengths of a slide of this size; others show it as large as they have room for.
constexpr QSizeF kStage(640, 360);
constexpr double kMargin = 22;
constexpr double kGap = 12;
constexpr double kQuestion = 12; ///< heights of type
constexpr double kHeadline = 22;
constexpr double kLeastHeadline = 13;
constexpr double kNote = 13;
constexpr double kLeastNote = 8;
constexpr double kFooter = 10;
constexpr double kHeadlineShare = 0.2; ///< of the height, at most
constexpr double kProblemShare = 0.12;
constexpr double kNoteShare = 0.25;

QFont sized(QFont font, double height, double scale, bool bold = false)
{
    font.setPixelSize(std::max(1, qRound(height * scale)));
    font.setBold(bold);
    return font;
}

/// The font at the largest height with which a text keeps to a place.
QFont fitting(QFont font, const QString &text, const QRectF &place, double least)
{
    const auto fits = [&] {
        const QRectF bounds =
            QFontMetricsF(font).boundingRect(place, Qt::TextWordWrap | Qt::AlignLeft, text);
        return bounds.height() <= place.height() && bounds.width() <= place.width();
    };
    while (font.pixelSize() - 1 >= least && !fits())
        font.setPixelSize(font.pixelSize() - 1);
    return font;
}

} // namespace

SlidePlaces slidePlaces(const SlideText &text, QSizeF size, const QFont &font)
{
    SlidePlaces places;
    places.scale = std::min(size.width() / kStage.width(), size.height() / kStage.height());
    const double scale = places.scale;
    QRectF rest = QRectF(QPointF(), size)
                      .adjusted(kMargin * scale, kMargin * scale * 0.75, -kMargin * scale,
                                -kMargin * scale * 0.5);
    const auto heightOf = [&](const QString &what, double height, double least, double share,
                              bool bold) {
        const QRectF most(rest.topLeft(), QSizeF(rest.width(), size.height() * share));
        const QFont used = fitting(sized(font, height, scale, bold), what, most, least * scale);
        return std::min(most.height(),
                        QFontMetricsF(used).boundingRect(most, Qt::TextWordWrap, what).height());
    };
    if (!text.problem.isEmpty()) {
        places.problem = rest;
        places.problem.setHeight(
            heightOf(text.problem, kQuestion, kLeastNote, kProblemShare, false));
        rest.setTop(places.problem.bottom() + kGap / 4 * scale);
    }
    if (!text.question.isEmpty()) {
        places.question = rest;
        places.question.setHeight(kQuestion * 1.4 * scale);
        rest.setTop(places.question.bottom());
    }
    places.headline = rest;
    places.headline.setHeight(
        heightOf(text.headline, kHeadline, kLeastHeadline, kHeadlineShare, true));
    rest.setTop(places.headline.bottom() + kGap * scale);
    places.footer = rest;
    places.footer.setTop(rest.bottom() - kFooter * 1.5 * scale);
    rest.setBottom(places.footer.top() - kGap / 2 * scale);
    if (!text.note.isEmpty()) {
        places.note = rest;
        places.note.setTop(rest.bottom() -
                           heightOf(text.note, kNote, kLeastNote, kNoteShare, false));
        rest.setBottom(places.note.top() - kGap * scale);
    }
    places.picture = rest;
    return places;
}

void paintSlideText(QPainter &painter, const SlideText &text, const SlidePlaces &places,
                    const QFont &font, const Theme &theme)
{
    const double scale = places.scale;
    if (!text.problem.isEmpty()) {
        painter.setPen(theme.warn);
        painter.setFont(fitting(sized(font, kQuestion, scale), text.problem, places.problem,
                                kLeastNote * scale));
        painter.drawText(places.problem, Qt::TextWordWrap, text.problem);
    }
    if (!text.question.isEmpty()) {
        painter.setPen(theme.dim);
        painter.setFont(sized(font, kQuestion, scale));
        painter.drawText(places.question, Qt::AlignLeft | Qt::AlignTop,
                         painter.fontMetrics().elidedText(text.question, Qt::ElideRight,
                                                          int(places.question.width())));
    }
    painter.setPen(verdictColor(text.verdict, theme, theme.text));
    painter.setFont(fitting(sized(font, kHeadline, scale, true), text.headline, places.headline,
                            kLeastHeadline * scale));
    painter.drawText(places.headline, Qt::TextWordWrap, text.headline);
    if (!text.note.isEmpty()) {
        painter.setFont(
            fitting(sized(font, kNote, scale), text.note, places.note, kLeastNote * scale));
        painter.fillRect(QRectF(places.note.left() - kGap * scale, places.note.top(), 3 * scale,
                                places.note.height()),
                         theme.accent);
        painter.setPen(theme.text);
        painter.drawText(places.note, Qt::TextWordWrap, text.note);
    }
    painter.setPen(theme.dim);
    painter.setFont(sized(font, kFooter, scale));
    painter.drawText(places.footer, Qt::AlignRight | Qt::AlignVCenter,
                     painter.fontMetrics().elidedText(text.footer, Qt::ElideLeft,
                                                      static_cast<int>(places.footer.width())));
}

QString slideFooter(const QString &title, int slide, int count)
{
    const QString place =
        u"%1 · %2 of %3"_s.arg(title, QString::number(slide), QString::number(count));
    return slide == count ? place + u" · end"_s : place;
}

} // namespace vramscope
