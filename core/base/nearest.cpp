// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/nearest.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace vramscope {

namespace {

/// Levenshtein's distance. Words are names of fields: short, and cut by the caller.
std::size_t distance(std::string_view left, std::string_view right)
{
    std::vector<std::size_t> row(right.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t(0));
    for (std::size_t i = 0; i < left.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i + 1;
        for (std::size_t j = 0; j < right.size(); ++j) {
            const std::size_t changed = diagonal + (left[i] == right[j] ? 0 : 1);
            diagonal = row[j + 1];
            row[j + 1] = std::min({changed, row[j] + 1, diagonal + 1});
        }
    }
    return row.back();
}

} // namespace

std::string_view nearest(std::string_view word, std::span<const std::string_view> known,
                         std::size_t part)
{
    constexpr std::size_t kLongest = 64;
    word = word.substr(0, kLongest);
    std::string_view best;
    std::size_t fewest = 0;
    for (const std::string_view candidate : known) {
        const std::size_t changes = distance(word, candidate);
        const bool near = changes * part <= std::max(word.size(), candidate.size());
        if (near && (best.empty() || changes < fewest)) {
            best = candidate;
            fewest = changes;
        }
    }
    return best;
}

std::string didYouMean(std::string_view word, std::span<const std::string_view> known,
                       std::size_t part)
{
    const std::string_view found = nearest(word, known, part);
    return found.empty() ? std::string() : " (did you mean '" + std::string(found) + "'?)";
}

} // namespace vramscope
