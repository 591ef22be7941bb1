// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/category.h"

#include <algorithm>
#include <array>

namespace vramscope {

namespace {

struct CategoryNames
{
    std::string_view name;
    std::string_view word;
    std::string_view phrase; ///< the name within a sentence; empty: it is the word
};

constexpr std::array<CategoryNames, kRecordedCategoryCount> kCategories{{
    {"Parameters", "parameters", {}},
    {"Gradients", "gradients", {}},
    {"Optimizer states", "optimizer states", {}},
    {"Activations", "activations", {}},
    {"Key-value cache", "key-value cache", {}},
    {"Loss and logits", "loss and logits", {}},
    {"Temporary buffers", "temporary", "temporary buffers"},
    {"Communication", "communication", {}},
    {"Framework", "workspace", "framework"},
    {"Inputs", "inputs", {}},
    {"Unknown", "unknown", {}},
}};

} // namespace

std::string_view categoryName(Category category)
{
    return kCategories[static_cast<std::size_t>(category)].name;
}

std::string_view categoryWord(Category category)
{
    return kCategories[static_cast<std::size_t>(category)].word;
}

std::string_view categoryPhrase(Category category)
{
    const CategoryNames &names = kCategories[static_cast<std::size_t>(category)];
    return names.phrase.empty() ? names.word : names.phrase;
}

std::optional<Category> categoryOfWord(std::string_view word)
{
    const auto found = std::ranges::find_if(kCategories, [word](const CategoryNames &each) {
        return !word.empty() && (each.word == word || each.phrase == word);
    });
    if (found == kCategories.end())
        return std::nullopt;
    return static_cast<Category>(found - kCategories.begin());
}

} // namespace vramscope
