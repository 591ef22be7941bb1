// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ask/sentence_words.h"

#include "core/ask/vocabulary.h"
#include "core/base/text.h"
#include "core/base/written_size.h"
#include "core/catalog/gpu_names.h"
#include "core/planner/field.h"

#include <algorithm>
#include <array>

namespace vramscope {

namespace {

constexpr std::string_view kTimes = "\xC3\x97"; // ×
constexpr std::string_view kSpaces = " \t\r\n";
constexpr std::string_view kBreaks = ",;()[]\"'|+?!";

bool isDigits(std::string_view text)
{
    return !text.empty() && std::ranges::all_of(text, isDigit);
}

/// Whether "NxREST" counts GPUs, as in "8xh100" and "2x8xh100", and is no name such as "8x7b" nor
/// the size of a picture.
bool countsRest(std::string_view rest)
{
    if (rest.empty() || (isDigits(rest) && rest.size() < 3))
        return true;
    const std::size_t times = rest.find('x');
    if (times != rest.npos && isDigits(rest.substr(0, times)))
        return countsRest(rest.substr(times + 1));
    constexpr std::array<std::string_view, 3> kGpuWords = {"rtx", "gpu", "gpus"};
    return isOneOf(rest, kGpuWords) || isMaker(rest) || findNamedGpu(rest).gpu;
}

class WordSplitter
{
public:
    explicit WordSplitter(std::string_view sentence)
        : m_sentence(sentence)
    {
    }

    std::vector<SentenceWord> split()
    {
        std::size_t at = 0;
        while (at < m_sentence.size()) {
            const std::size_t end = endOf(at);
            if (end > at)
                addWord(at, end);
            at = end;
            if (at < m_sentence.size())
                at += separator(at);
        }
        return std::move(m_words);
    }

private:
    /// Where the run of letters from `at` ends.
    std::size_t endOf(std::size_t at) const
    {
        while (at < m_sentence.size() && !m_sentence.substr(at).starts_with(kTimes) &&
               m_sentence[at] != '*' && kSpaces.find(m_sentence[at]) == kSpaces.npos &&
               kBreaks.find(m_sentence[at]) == kBreaks.npos)
            ++at;
        return at;
    }

    /// Takes in what ends a word; gives its length.
    std::size_t separator(std::size_t at)
    {
        const bool isTimes = m_sentence.substr(at).starts_with(kTimes);
        const std::size_t length = isTimes ? kTimes.size() : 1;
        if (isTimes || m_sentence[at] == '*')
            push("x", at, at + length);
        else if (kBreaks.find(m_sentence[at]) != kBreaks.npos)
            m_broken = true;
        return length;
    }

    void push(std::string text, std::size_t begin, std::size_t end)
    {
        if (end > begin)
            m_words.push_back({std::move(text), begin, end, m_broken});
        m_broken = false;
    }

    void pushPart(std::size_t begin, std::size_t end)
    {
        push(lowered(m_sentence.substr(begin, end - begin)), begin, end);
    }

    void addWord(std::size_t begin, std::size_t end)
    {
        while (end > begin && (m_sentence[end - 1] == '.' || m_sentence[end - 1] == ':'))
            --end; // of a sentence
        const std::string_view word = m_sentence.substr(begin, end - begin);
        const std::size_t equals = word.find_first_of("=:");
        if (equals == word.npos)
            return addPlain(begin, end);
        const std::string_view left = word.substr(0, equals);
        if (left.find('.') != left.npos || findField(left))
            return push(std::string(word), begin, end);
        addPlain(begin, begin + equals);
        addPlain(begin + equals + 1, end);
    }

    void addPlain(std::size_t begin, std::size_t end)
    {
        const std::string word = lowered(m_sentence.substr(begin, end - begin));
        const std::size_t digits = std::min(
            static_cast<std::size_t>(std::ranges::find_if_not(word, isDigit) - word.begin()),
            word.size());
        if (digits > 0 && digits < word.size() && word[digits] == 'x' &&
            countsRest(std::string_view(word).substr(digits + 1))) {
            pushPart(begin, begin + digits);
            pushPart(begin + digits, begin + digits + 1);
            return addPlain(begin + digits + 1, end);
        }
        // "h100x8"
        if (const std::size_t times = word.rfind('x');
            times != word.npos && times > 0 && isDigits(std::string_view(word).substr(times + 1)) &&
            findNamedGpu(std::string_view(word).substr(0, times)).gpu) {
            pushPart(begin, begin + times);
            pushPart(begin + times, begin + times + 1);
            return pushPart(begin + times + 1, end);
        }
        // "x8", "tp8"
        const std::size_t letters = std::min(word.find_first_of("0123456789"), word.size());
        if (letters < word.size() && std::ranges::all_of(word.substr(letters), isDigit) &&
            (word.substr(0, letters) == "x" || isGluedKeyword(word.substr(0, letters)))) {
            pushPart(begin, begin + letters);
            return pushPart(begin + letters, end);
        }
        pushPart(begin, end);
    }

    std::string_view m_sentence;
    std::vector<SentenceWord> m_words;
    bool m_broken = false;
};

constexpr std::array<std::string_view, 9> kNumberWords = {"zero", "one", "two",   "three", "four",
                                                          "five", "six", "seven", "eight"};

} // namespace

std::vector<SentenceWord> sentenceWords(std::string_view sentence)
{
    return WordSplitter(sentence).split();
}

std::optional<std::int64_t> countOf(const SentenceWord &word)
{
    if (word.text == "single")
        return 1;
    const auto found = std::ranges::find(kNumberWords, word.text);
    if (found != kNumberWords.end() && found != kNumberWords.begin()) // "zero" is a strategy
        return found - kNumberWords.begin();
    return writtenCount(word.text);
}

std::string keyOf(std::span<const SentenceWord> words)
{
    std::string key;
    for (const SentenceWord &word : words)
        key += nameKey(word.text);
    return key;
}

std::size_t unbroken(std::span<const SentenceWord> words, std::size_t most)
{
    std::size_t count = std::min<std::size_t>(words.size(), 1);
    while (count < std::min(words.size(), most) && !words[count].afterBreak)
        ++count;
    return count;
}

} // namespace vramscope
