// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/catalogue_search.h"

#include "core/base/format.h"
#include "core/base/text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>

namespace vramscope {

namespace {

/// "7.5b": a number of parameters, and the unit of its last digit.
struct WrittenSize
{
    double value = 0;
    double unit = 0;
};

std::optional<WrittenSize> sizeOf(std::string_view text)
{
    constexpr std::string_view kUnits = "kmbt";
    if (text.empty() || !isDigit(text.front()))
        return std::nullopt;
    const std::size_t rank = kUnits.find(text.back());
    if (rank == kUnits.npos)
        return std::nullopt;
    text.remove_suffix(1);
    double number = 0;
    const auto [end, error] =
        std::from_chars(text.data(), text.data() + text.size(), number, std::chars_format::fixed);
    if (error != std::errc() || end != text.data() + text.size())
        return std::nullopt;
    const double scale = std::pow(1000.0, static_cast<double>(rank + 1));
    const std::size_t point = text.find('.');
    const std::size_t decimals = point == text.npos ? 0 : text.size() - point - 1;
    return WrittenSize{number * scale, scale / std::pow(10.0, static_cast<double>(decimals))};
}

bool inWord(char c)
{
    return isDigit(c) || (c >= 'a' && c <= 'z') || c == '.';
}

/// Whether a text has a word by itself: "8b" in "llama-3-8b", not in "48b" or "8x8b".
bool standsAlone(std::string_view word, std::string_view text)
{
    for (std::size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1)) {
        const std::size_t end = at + word.size();
        if ((at == 0 || !inWord(text[at - 1])) && (end == text.size() || !inWord(text[end])))
            return true;
    }
    return false;
}

std::vector<std::string_view> split(std::string_view words)
{
    constexpr std::string_view kBlanks = " \t\r\n";
    std::vector<std::string_view> found;
    for (words = trimmed(words); !words.empty(); words = trimmed(words)) {
        const std::size_t length = std::min(words.find_first_of(kBlanks), words.size());
        found.push_back(words.substr(0, length));
        words.remove_prefix(length);
    }
    return found;
}

} // namespace

CatalogueSearch::Word CatalogueSearch::wordOf(std::string_view text)
{
    constexpr double kAny = std::numeric_limits<double>::infinity();
    Word word{lowered(text)};
    const std::string_view lower = word.text;
    if (const auto size = sizeOf(lower)) {
        word.size = true;
        word.least = size->value - size->unit / 2;
        word.end = size->value + size->unit / 2;
        return word;
    }
    const std::size_t dash = lower.find('-');
    const auto first = sizeOf(lower.substr(0, dash));
    const auto last = dash == lower.npos ? std::nullopt : sizeOf(lower.substr(dash + 1));
    const auto bound = lower.empty() ? std::nullopt : sizeOf(lower.substr(1));
    word.range = true;
    if (first && last) {
        word.least = first->value;
        word.end = std::nextafter(last->value, kAny);
    } else if (bound && lower.front() == '>') {
        word.least = bound->value;
        word.end = kAny;
    } else if (bound && lower.front() == '<') {
        word.end = bound->value;
    } else {
        word.range = false;
    }
    return word;
}

CatalogueSearch::CatalogueSearch(std::string_view words)
{
    for (const std::string_view word : split(words))
        m_words.push_back(wordOf(word));
}

bool CatalogueSearch::finds(const CatalogueShape &shape) const
{
    const std::string text = searchedText(shape);
    const double parameters = static_cast<double>(shape.parameters);
    return std::ranges::all_of(m_words, [&](const Word &word) {
        const bool within = shape.computed() && parameters >= word.least && parameters < word.end;
        if (word.range)
            return within;
        if (word.size)
            return within || standsAlone(word.text, text);
        return text.find(word.text) != text.npos;
    });
}

bool holdsWords(std::string_view words, std::string_view text)
{
    return std::ranges::all_of(split(words), [text](std::string_view word) {
        return text.find(lowered(word)) != text.npos;
    });
}

std::string searchedText(const CatalogueShape &shape)
{
    const CatalogueModel &model = *shape.model;
    std::string text = model.name + ' ' + model.title + ' ' + model.family + ' ' +
                       std::to_string(model.year) + ' ' + model.repository;
    if (shape.computed())
        text += ' ' + shape.kind() + ' ' + formatShortCount(shape.parameters);
    return lowered(text);
}

} // namespace vramscope
