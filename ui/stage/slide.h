// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/deck/slide_layout.h"
#include "core/estimate/verdict.h"
#include "ui/stage/stage_item.h"

#include <QFont>
#include <QRectF>
#include <QString>

#include <optional>

class QPainter;

namespace vramscope {

struct Theme;

/// What is written around the view of an item, on a screen and on a page alike.
struct SlideText
{
    QString problem; ///< above everything; may be empty
    QString headline;
    std::optional<Verdict> verdict; ///< which gives its words in the headline their colour
    QString kicker;                 ///< below the headline; may be empty
    QString note;                   ///< may be empty
    QString foot;
    QString page;
};

/// The places of the parts.
struct SlidePlaces
{
    double scale = 1; ///< pixels of a point
    QPointF at;       ///< of the slide's upper left corner
    QRectF problem;
    QRectF headline;
    QRectF kicker;
    QRectF picture;
    QRectF note;
    QRectF foot;
};

/// The texts of a scene with a note, as slide `number` of `count`.
[[nodiscard]] SlideText slideText(const StageScene &scene, const QString &note,
                                  const QString &title, int number, int count);

/// Places the parts on a slide of a size; everything has the same share of a small slide as of a
/// large one.
[[nodiscard]] SlidePlaces slidePlaces(const SlideText &text, QSizeF size);

void paintSlideText(QPainter &painter, const SlideText &text, const SlidePlaces &places,
                    const Theme &theme);

/// The words of a headline with its verdict: "does not fit"; otherwise the text before its colon;
/// empty if there is neither.
[[nodiscard]] QString verdictWords(const QString &headline, const std::optional<Verdict> &verdict);

/// The tone of its colour.
[[nodiscard]] SlideTone toneOf(const std::optional<Verdict> &verdict);

/// The font of a slide, whose pixels are points.
[[nodiscard]] QFont slideFont(double points, bool bold = false);
/// Widths in it.
[[nodiscard]] double slideWidth(std::string_view text, double points, bool bold);
/// Logical pixels of a point in a view that is painted on a slide: small type is 15 points.
inline constexpr double kViewPoint = 0.8;

} // namespace vramscope
