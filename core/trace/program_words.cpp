// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/program_words.h"

#include "core/base/shipped_documents.h"
#include "core/base/text.h"
#include "core/trace/private_words.h"

#include <algorithm>
#include <unordered_set>

namespace vramscope {

namespace {

/// Words of frameworks, models, devices, recordings and folders, in lower case, and without digits
/// except for devices and models whose letters alone are not a word.
const std::unordered_set<std::string_view> &words()
{
    static const std::unordered_set<std::string_view> all = [] {
        constexpr std::string_view kBetween = " \n";
        const std::string_view text = shippedDocument("words/program.txt");
        std::unordered_set<std::string_view> read;
        for (std::size_t at = 0; at < text.size();) {
            const std::size_t end = std::min(text.find_first_of(kBetween, at), text.size());
            read.insert(text.substr(at, end - at));
            at = end + 1;
        }
        return read;
    }();
    return all;
}

bool isCapital(char c)
{
    return c >= 'A' && c <= 'Z';
}

bool isKnown(std::string_view word)
{
    constexpr std::size_t kMostDigits = 3; // "h100"; u1234567 is an account
    std::string letters = lowered(word);
    if (words().contains(letters))
        return true;
    const std::size_t digits = std::erase_if(letters, isDigit);
    return letters.empty() ||
           (letters.size() == 1 ? digits <= kMostDigits : words().contains(letters));
}

/// The first hump of "LlamaForCausalLM"; the adjoining capitals of "GPTNeo".
std::string_view firstHump(std::string_view word)
{
    std::size_t end = 1;
    while (end < word.size() && isCapital(word[end]) &&
           (end + 1 == word.size() || !(word[end + 1] >= 'a' && word[end + 1] <= 'z')))
        ++end;
    while (end < word.size() && !isCapital(word[end]))
        ++end;
    return word.substr(0, end);
}

/// Signs beyond ASCII that do not occur in words: "×", "·", "–", "→".
bool isSign(std::string_view text)
{
    const std::size_t length = characterLength(text);
    const char32_t code = length > 1 ? codePoint(text.substr(0, length)) : 0;
    return (code >= 0xa0 && code < 0xc0) || code == 0xd7 || code == 0xf7 ||
           (code >= 0x2000 && code < 0x2c00);
}

} // namespace

bool isProgramWord(std::string_view word)
{
    if (isKnown(word))
        return true;
    if (word.size() > 64 || std::ranges::none_of(word.substr(1), isCapital))
        return false;
    while (!word.empty()) {
        const std::string_view hump = firstHump(word);
        if (!isKnown(hump))
            return false;
        word.remove_prefix(hump.size());
    }
    return true;
}

bool holdsProgramWordsOnly(std::string_view text)
{
    return withProgramWordsOnly(text) == text;
}

std::string withProgramWordsOnly(std::string_view text)
{
    std::string result;
    for (std::size_t at = 0; at < text.size();) {
        std::size_t end = at;
        while (end < text.size() && isWordByte(text[end]) && !isSign(text.substr(end)))
            ++end;
        const std::string_view word = text.substr(at, end - at);
        if (!word.empty()) // "name" itself stays
            result += isProgramWord(word) ? word : std::string_view("name");
        else
            result += text[end++];
        at = end;
    }
    return result;
}

} // namespace vramscope
