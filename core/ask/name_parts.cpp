// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ask/name_parts.h"

#include "core/base/text.h"
#include "core/catalog/named_model.h"

#include <algorithm>
#include <array>
#include <set>

namespace vramscope {

namespace {

constexpr std::string_view kBetweenParts = " -_/(),:[]";

bool isLetter(char c)
{
    return c >= 'a' && c <= 'z';
}

/// Letters that were changed, left out, added or exchanged with the next. Restricted Damerau and
/// Levenshtein: words are short.
std::size_t typingErrors(std::string_view left, std::string_view right)
{
    std::vector<std::vector<std::size_t>> rows(left.size() + 1,
                                               std::vector<std::size_t>(right.size() + 1));
    for (std::size_t i = 0; i <= left.size(); ++i) {
        for (std::size_t j = 0; j <= right.size(); ++j) {
            if (i == 0 || j == 0) {
                rows[i][j] = i + j;
                continue;
            }
            const std::size_t changed = rows[i - 1][j - 1] + (left[i - 1] == right[j - 1] ? 0 : 1);
            rows[i][j] = std::min({rows[i - 1][j] + 1, rows[i][j - 1] + 1, changed});
            if (i > 1 && j > 1 && left[i - 1] == right[j - 2] && left[i - 2] == right[j - 1])
                rows[i][j] = std::min(rows[i][j], rows[i - 2][j - 2] + 1);
        }
    }
    return rows.back().back();
}

std::size_t errorsAllowed(std::string_view word)
{
    return word.size() >= 7 ? 2 : word.size() >= 4 ? 1 : 0;
}

/// Errors in one word, if they are few; words that differ much in length are not compared.
std::optional<std::size_t> errorsIn(std::string_view written, std::string_view word)
{
    constexpr std::size_t kLongest = 32;
    const std::size_t allowed = std::min(errorsAllowed(written), errorsAllowed(word));
    if (written == word)
        return 0;
    if (allowed == 0 || std::max(written.size(), word.size()) > kLongest)
        return std::nullopt;
    const std::size_t errors = typingErrors(written, word);
    return errors <= allowed ? std::optional(errors) : std::nullopt;
}

using NameWords = std::set<std::string, std::less<>>;

/// Every word of letters in the name of a model, computed or not: none of them is misspelt.
const NameWords &knownNameWords()
{
    static const NameWords words = [] {
        NameWords all;
        const auto add = [&all](std::string_view name) {
            for (std::string &word : speltName(name).words)
                all.insert(std::move(word));
        };
        for (const CatalogueModel &model : catalogueModels()) {
            add(model.name);
            add(model.title);
        }
        for (const ModelAlias &alias : modelAliases()) {
            add(alias.name);
            add(alias.title);
        }
        return all;
    }();
    return words;
}

const NameWords &familyNames()
{
    static const NameWords names = [] {
        NameWords all;
        for (const CatalogueModel &model : catalogueModels()) {
            const std::string name = lowered(model.name);
            all.insert(name.substr(
                0, std::min(name.size(),
                            std::size_t(std::ranges::find_if_not(name, isLetter) - name.begin()))));
        }
        return all;
    }();
    return names;
}

} // namespace

void addNameParts(std::vector<std::string> &parts, std::string_view name, bool halves)
{
    const std::string lower = lowered(name);
    std::string_view rest = lower;
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find_first_of(kBetweenParts), rest.size());
        const std::string_view part = rest.substr(0, end);
        if (!part.empty())
            parts.emplace_back(part);
        const auto [letters, number] = lettersAndNumber(part);
        if (halves && letters.size() > 1 && !number.empty()) {
            parts.emplace_back(letters);
            parts.emplace_back(number);
        }
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
}

bool isModelSize(std::string_view part)
{
    if (part.size() < 2 || !isDigit(part.front()) || (part.back() != 'b' && part.back() != 'm'))
        return false;
    const std::string_view number = part.substr(0, part.size() - 1);
    return std::ranges::all_of(number, [](char c) { return isDigit(c) || c == '.' || c == 'x'; }) &&
           isDigit(number.back());
}

bool looksLikeModelName(std::string_view word)
{
    std::vector<std::string> parts;
    addNameParts(parts, word, false);
    const bool isSized = parts.size() > 1 && std::ranges::any_of(parts, isModelSize);
    const std::size_t slash = word.find('/');
    const bool isOwned = slash != word.npos && slash > 1 &&
                         word.find('/', slash + 1) == word.npos &&
                         std::ranges::any_of(word.substr(0, slash), isLetter) &&
                         std::ranges::any_of(word.substr(slash + 1), isLetter) &&
                         std::ranges::any_of(word.substr(slash + 1), isDigit);
    return isOwned || (isSized && std::ranges::any_of(parts, [](const std::string &part) {
                           return !isModelSize(part) && std::ranges::any_of(part, isLetter);
                       }));
}

bool isRepositoryName(std::string_view word)
{
    const std::size_t slash = word.find('/');
    if (slash == word.npos || word.find('/', slash + 1) != word.npos)
        return false;
    const auto hasLetters = [](std::string_view part) {
        return std::ranges::count_if(part, isLetter) > 1;
    };
    return hasLetters(word.substr(0, slash)) && hasLetters(word.substr(slash + 1)) &&
           word.find_first_of("-0123456789") != word.npos;
}

std::pair<std::string_view, std::string_view> lettersAndNumber(std::string_view part)
{
    const std::size_t digit = std::min(part.find_first_of("0123456789"), part.size());
    return {part.substr(0, digit), part.substr(digit)};
}

SpeltName speltName(std::string_view name)
{
    SpeltName spelt{std::string(name), {}, {}};
    std::vector<std::string> parts;
    addNameParts(parts, name, false);
    for (const std::string &part : parts) {
        const auto [letters, number] = lettersAndNumber(part);
        if (!letters.empty())
            spelt.words.emplace_back(letters);
        if (!number.empty())
            spelt.numbers += (spelt.numbers.empty() ? "" : " ") + std::string(number);
    }
    return spelt;
}

std::optional<std::size_t> spellingErrors(const SpeltName &written, const SpeltName &name)
{
    if (written.words.size() != name.words.size() || written.numbers != name.numbers)
        return std::nullopt;
    std::size_t errors = 0;
    for (std::size_t i = 0; i < name.words.size(); ++i) {
        const auto inWord = errorsIn(written.words[i], name.words[i]);
        if (!inWord || (*inWord > 0 && knownNameWords().contains(written.words[i])))
            return std::nullopt;
        errors += *inWord;
    }
    return errors;
}

std::string_view nearestFamily(std::string_view word)
{
    const std::string written = lowered(word);
    if (knownNameWords().contains(written))
        return {};
    std::string_view nearest;
    std::size_t fewest = 0;
    for (const std::string &family : familyNames()) {
        const auto errors = errorsIn(written, family);
        if (errors && (nearest.empty() || *errors < fewest)) {
            nearest = family;
            fewest = *errors;
        }
    }
    return nearest;
}

} // namespace vramscope
