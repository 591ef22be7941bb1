// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/catalogue_shapes.h"

#include <string>
#include <string_view>
#include <vector>

namespace vramscope {

/// Words that a model must all match, whatever their case. "8B" is a size: that of the name, or the
/// parameters rounded to as many digits; "7B-9B", ">30B" and "<1B" are ranges of it. Any other word
/// is a part of name, title, family, year, repository, kind or parameters: "qwen", "2025", "moe".
class CatalogueSearch
{
public:
    explicit CatalogueSearch(std::string_view words = {});

    [[nodiscard]] bool empty() const { return m_words.empty(); }
    [[nodiscard]] bool finds(const CatalogueShape &shape) const;

private:
    /// Parameters from `least` to below `end`; a size has its word too, for names.
    struct Word
    {
        std::string text; ///< in small letters
        bool size = false;
        bool range = false;
        double least = 0;
        double end = 0;
    };
    [[nodiscard]] static Word wordOf(std::string_view text);

    std::vector<Word> m_words;
};

/// Whether `text`, in small letters, contains every one of some words.
[[nodiscard]] bool holdsWords(std::string_view words, std::string_view text);

/// The text that CatalogueSearch searches, in small letters.
[[nodiscard]] std::string searchedText(const CatalogueShape &shape);

} // namespace vramscope
