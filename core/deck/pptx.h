// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace vramscope {

enum class SlideTone { Plain, Good, Warning, Bad };

/// A column of sizes, each with a bar before its figure.
struct SlideSizes
{
    std::size_t column = 0;
    std::vector<double> values;   ///< one a row
    std::vector<SlideTone> tones; ///< one a row
    double limit = 0;             ///< a line through all bars; 0: none
    std::string limitText;
};

/// A table of a slide. If no column has a title, it has no head. What follows a line end in a cell
/// is below it, in smaller type.
struct SlideTable
{
    std::vector<std::string> columns;
    std::vector<std::vector<std::string>> rows = {}; ///< each with one cell per column
    std::vector<int> words = {};            ///< left-aligned columns; figures are right-aligned
    std::optional<std::size_t> strong = {}; ///< the emphasised row
    std::optional<SlideSizes> sizes = {};
    std::vector<std::pair<std::size_t, std::size_t>> best = {}; ///< rows and columns of good news
};

/// A picture of a slide as pixels and optionally as vectors; viewers without support for vectors
/// show the pixels.
struct SlidePicture
{
    std::string png;
    std::string svg; ///< may be empty
    std::string description;
};

/// One slide: a sentence in at most two lines, what it is about in a line below it, a picture, a
/// table or a table under a picture, and a note.
struct Slide
{
    std::string problem; ///< a limitation of everything shown, at the top; may be empty
    std::string headline;
    std::string verdict; ///< the words of the headline with the colour of its tone; may be empty
    SlideTone tone = SlideTone::Plain;
    std::string kicker; ///< may be empty
    std::optional<SlideTable> table;
    std::optional<SlidePicture> picture;
    std::string note;   ///< may be empty
    std::string foot;   ///< where the figures come from, after the title of the deck; may be empty
    std::string speech; ///< for the person who speaks, in lines; may be empty
};

/// The colours of a deck, "1A1A1A". Slides refer to their role in the theme, so that a user can
/// change them in one place.
struct DeckColors
{
    std::string text;
    std::string ground;
    std::string dim;
    std::string line;
    std::string accent;
    std::string good;
    std::string warning;
    std::string bad;
};

/// A presentation for people without VRAMscope.
struct SlideDeck
{
    std::string title;  ///< in the foot of each slide; may be empty
    std::string source; ///< its origin; may be empty
    std::string date;   ///< "2024-05-01T12:00:00Z", or empty
    DeckColors colors;
    std::vector<Slide> slides; ///< at least one
};

/// The room for a picture in pixels of 1/96 inch, in addition to its texts and table.
struct PictureRoom
{
    int width = 0;
    int height = 0;
};
[[nodiscard]] PictureRoom pictureRoom(const Slide &slide);

/// The deck as a PowerPoint file (Office Open XML), 16:9, with real texts and tables in the fonts
/// and colours of its theme. The same deck gives the same bytes.
[[nodiscard]] Result<std::string> pptx(const SlideDeck &deck);

} // namespace vramscope
