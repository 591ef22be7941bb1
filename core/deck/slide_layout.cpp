// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/deck/slide_layout.h"

#include "core/base/text.h"

#include <algorithm>
#include <array>

namespace vramscope {

namespace {

constexpr std::string_view kHardBlank = "\xC2\xA0";

constexpr auto kUnits = std::to_array<std::string_view>(
    {"GiB", "MiB", "KiB", "TiB", "B",      "GB",      "MB",       "kB",     "TB",   "bytes",
     "s",   "ms",  "µs",  "ns",  "min",    "h",       "days",     "hours",  "GPUs", "GPU",
     "%",   "×",   "W",   "GHz", "tokens", "million", "tokens/s", "billion"});

/// The word without the signs around it.
std::string_view bare(std::string_view word)
{
    while (!word.empty() && std::string_view(".,;:()").find(word.back()) != std::string_view::npos)
        word.remove_suffix(1);
    return word;
}

bool endsInNumber(std::string_view word)
{
    return !word.empty() && isDigit(word.back());
}

std::vector<std::string_view> wordsOf(std::string_view text)
{
    std::vector<std::string_view> words;
    for (std::size_t from = 0; from <= text.size();) {
        const std::size_t end = std::min(text.find_first_of(" \n", from), text.size());
        if (end > from)
            words.push_back(text.substr(from, end - from));
        from = end + 1;
    }
    return words;
}

/// The text, cut so that it ends with "…" within the width.
std::string cut(std::string text, double width, double points, bool bold, const Measure &measure)
{
    const auto isInside = [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; };
    while (!text.empty() && measure(text + "…", points, bold) > width) {
        while (text.size() > 1 && isInside(text.back()))
            text.pop_back();
        text.pop_back();
    }
    return std::string(trimmed(text)) + "…";
}

/// A title parted in two: lines of about the same length, after a clause where it has one.
std::vector<std::string> halves(std::string_view title, double width, double points,
                                const Measure &measure)
{
    constexpr double kClause = 0.75; // of its length a line after a clause counts
    std::size_t best = 0;
    double least = 0;
    for (std::size_t at = title.find(' '); at != std::string_view::npos;
         at = title.find(' ', at + 1)) {
        const double longer = std::max(measure(title.substr(0, at), points, true),
                                       measure(title.substr(at + 1), points, true));
        const bool ends =
            at > 0 && std::string_view(",;:.").find(title[at - 1]) != std::string_view::npos;
        const double cost = ends ? longer * kClause : longer;
        if (longer <= width && (best == 0 || cost < least)) {
            best = at;
            least = cost;
        }
    }
    if (best == 0)
        return {};
    return {std::string(title.substr(0, best)), std::string(title.substr(best + 1))};
}

} // namespace

std::string unbroken(std::string_view text)
{
    std::string made;
    std::string_view before;
    for (std::size_t from = 0; from <= text.size();) {
        const std::size_t end = std::min(text.find(' ', from), text.size());
        const std::string_view word = text.substr(from, end - from);
        const bool counts = std::ranges::find(kUnits, bare(word)) != kUnits.end();
        if (from > 0)
            made += (endsInNumber(before) && counts) || before == "×" ? kHardBlank
                                                                      : std::string_view(" ");
        made += word;
        before = word;
        from = end + 1;
    }
    return made;
}

std::vector<std::string> wrapped(std::string_view text, double width, double points, bool bold,
                                 std::size_t most, const Measure &measure)
{
    std::vector<std::string> lines;
    for (const std::string_view word : wordsOf(text)) {
        const std::string more =
            lines.empty() ? std::string(word) : lines.back() + ' ' + std::string(word);
        if (lines.empty())
            lines.push_back(more);
        else if (measure(more, points, bold) <= width || lines.size() == most)
            lines.back() = more;
        else
            lines.emplace_back(word);
    }
    for (std::string &line : lines) {
        if (measure(line, points, bold) > width)
            line = cut(line, width, points, bold, measure);
    }
    return lines;
}

TitleLines titleLines(std::string_view title, double width, const Measure &measure)
{
    if (title.ends_with('.'))
        title.remove_suffix(1); // as in every heading
    const std::string text = unbroken(title);
    for (int less = 0; kTitleType - less >= kLeastTitleType; ++less) {
        const double type = kTitleType - less;
        if (measure(text, type, true) <= width)
            return {{text}, type};
        if (auto lines = halves(text, width, type, measure); !lines.empty())
            return {std::move(lines), type};
    }
    return {wrapped(text, width, kLeastTitleType, true, 2, measure), kLeastTitleType};
}

} // namespace vramscope
