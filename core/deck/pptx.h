// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace vramscope {

/// A table of a slide. Columns without any title have no head.
struct SlideTable
{
    std::vector<std::string> columns;
    std::vector<std::vector<std::string>> rows; ///< as many cells each as there are columns
    std::vector<int> words;                     ///< columns set to the left; figures to the right
    std::optional<std::size_t> strong;          ///< the row that stands out
};

/// A picture of a slide as pixels and, where it has them, as vectors; viewers that know no vectors
/// show the pixels.
struct SlidePicture
{
    std::string png;
    std::string svg; ///< may be empty
    std::string description;
};

enum class SlideTone { Plain, Good, Warning, Bad };

/// One slide: a sentence, above it the question that it answers, below it a table, a picture or the
/// one beside the other, and a note.
struct Slide
{
    std::string problem;  ///< which limits all that is shown, above everything; may be empty
    std::string question; ///< may be empty
    std::string headline;
    SlideTone tone = SlideTone::Plain;
    std::optional<SlideTable> table;
    std::optional<SlidePicture> picture;
    std::string note; ///< may be empty
};

/// The colours of a deck, "1A1A1A". Whoever has the slides can change them in one place: slides
/// name them by their part in the theme.
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
    std::string title;  ///< in the foot of each slide
    std::string source; ///< what it was made of; may be empty
    std::string date;   ///< "2024-05-01T12:00:00Z"; empty: none
    DeckColors colors;
    std::vector<Slide> slides; ///< at least one
};

/// The room of a picture in pixels, of which the slide has 1280 × 720, beside its texts and table.
struct PictureRoom
{
    int width = 0;
    int height = 0;
};
[[nodiscard]] PictureRoom pictureRoom(const Slide &slide);

/// The deck as a file of PowerPoint (Office Open XML), 16:9, with real texts and tables in the
/// fonts and colours of its theme. The same deck gives the same bytes.
[[nodiscard]] Result<std::string> pptx(const SlideDeck &deck);

} // namespace vramscope
