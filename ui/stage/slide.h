// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/estimate/verdict.h"

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
    QString problem;  ///< above everything; may be empty
    QString question; ///< above the sentence that answers it; may be empty
    QString headline;
    std::optional<Verdict> verdict; ///< which gives the headline its colour
    QString note;                   ///< may be empty
    QString footer;
};

/// The places of the parts.
struct SlidePlaces
{
    double scale = 1; ///< of everything
    QRectF problem;
    QRectF question;
    QRectF headline;
    QRectF picture;
    QRectF note;
    QRectF footer;
};

/// Places the parts on a slide of a size; everything has the same share of a small slide as of a
/// large one.
[[nodiscard]] SlidePlaces slidePlaces(const SlideText &text, QSizeF size, const QFont &font);

void paintSlideText(QPainter &painter, const SlideText &text, const SlidePlaces &places,
                    const QFont &font, const Theme &theme);

/// "Llama 3 8B · 2 of 5"; the last one ends with " · end".
[[nodiscard]] QString slideFooter(const QString &title, int slide, int count);

} // namespace vramscope
