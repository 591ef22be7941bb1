// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace vramscope {

/// A number of a line, and where it stood.
struct ShapeNumber
{
    std::string_view key;  ///< as the shape names it; empty: read over
    std::string_view text; ///< as printed: "396,928"
    double value = 0;
    int decimals = 0;      ///< behind the point
    std::string_view unit; ///< as printed behind it; empty where the shape asks for none
    std::size_t at = 0;    ///< in the line
};

/// A word of a line.
struct ShapeWord
{
    std::string_view name;
    std::string_view text;
};

struct ShapeMatch
{
    std::size_t begin = 0;
    std::size_t end = 0;
    std::string_view device; ///< what <@> stood for
    std::vector<ShapeNumber> numbers;
    std::vector<ShapeWord> words;
};

/// The shape of a piece of a line, from a small language made for the lines of logs:
///
///     text       itself; a blank stands for one or more blanks and tabs
///     {key}      a number, with or without commas between thousands: -2.14, 396,928
///     {key?}     a number and the unit behind it: 19.9 GiB, 0 B
///     {}         a number that is not kept
///     <@>        the name of a device: CUDA0, CPU_Mapped
///     <=name>    words up to the text that follows in the shape, or else up to a blank or comma
///     <*>        anything
///     <|>        any blanks, bars and colons, or none
///     <^>        the beginning of the line
///     <!text>    nothing: says that the line contains the text, where no other piece of the shape
///                is long enough to look for
///
/// A match takes time that is linear in the line for each <*>: of several ways to fit, the one that
/// ends first is taken, and none is tried again.
class LogShape
{
public:
    explicit LogShape(std::string_view shape);

    /// The first match at or behind `from`.
    [[nodiscard]] std::optional<ShapeMatch> find(std::string_view line, std::size_t from) const;
    /// The longest piece of text that every line with a match contains; four bytes at least.
    [[nodiscard]] std::string_view anchor() const { return m_anchor; }

private:
    enum class Kind { Text, Blanks, Bars, Number, Device, Words };
    struct Part
    {
        Kind kind = Kind::Text;
        std::string_view text; ///< itself, or the key of a number or word
        bool hasUnit = false;
    };
    using Run = std::vector<Part>; ///< between two <*>

    static bool take(const Part &part, const Part *next, std::string_view line, std::size_t &at,
                     ShapeMatch &match);
    static bool fits(const Run &run, std::string_view line, std::size_t at, ShapeMatch &match);
    bool findRun(const Run &run, std::string_view line, std::size_t from, bool anchored,
                 ShapeMatch &match) const;

    std::vector<Run> m_runs;
    std::string_view m_anchor;
    bool m_atBegin = false;
};

} // namespace vramscope
