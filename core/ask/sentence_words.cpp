// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ask/sentence_words.h"

#include "core/ask/vocabulary.h"
#include "core/base/text.h"
#include "core/base/written_size.h"
#include "core/catalog/gpu_names.h"
#include "core/catalog/named_model.h"
#include "core/plan/field.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace vramscope {

namespace {

/// What a character is to the words around it.
enum class Role { Letter, Blank, Break, Times, Joint, Unspaced };

/// A character in the role that it plays, and as it is written in words.
struct Character
{
    Role role = Role::Letter;
    std::size_t length = 1;
    std::string text;
};

bool isOneOfCodes(char32_t code, std::span<const char32_t> codes)
{
    return std::ranges::find(codes, code) != codes.end();
}

constexpr std::array<char32_t, 11> kBlanks = {' ',    '\t',   '\r',   '\n',   0xA0,  0x2007,
                                              0x2009, 0x200A, 0x202F, 0x3000, 0xFEFF};
constexpr std::array<char32_t, 33> kBreaks = {
    ',',    ';',    '(',    ')',    '[',    ']',    '{',    '}',    '"',    '\'',   '|',
    '?',    '!',    '@',    0x2018, 0x2019, 0x201C, 0x201D, 0x201E, 0x2026, 0x3001, 0x3002,
    0xFF01, 0xFF08, 0xFF09, 0xFF0C, 0xFF1A, 0xFF1B, 0xFF1F, 0x300C, 0x300D, '`',    0xB7};
constexpr std::array<char32_t, 8> kDashes = {0x2010, 0x2011, 0x2012, 0x2013,
                                             0x2014, 0x2015, 0x2212, 0xFE63};
constexpr std::array<char32_t, 3> kTimes = {'*', 0xD7, 0x2715};
constexpr std::array<char32_t, 4> kJoints = {'+', '&', 0xFF0B, 0xFF06};
constexpr char32_t kFullWidth = 0xFF01; // the forms of '!' to '~' as wide as an ideograph
constexpr char32_t kLastFullWidth = 0xFF5E;

Character characterAt(std::string_view text)
{
    Character character;
    const std::size_t length = characterLength(text);
    character.length = std::max<std::size_t>(length, 1);
    const std::string_view written = text.substr(0, character.length);
    const char32_t code = length == 0 ? 0 : codePoint(written); // 0: no UTF-8, and so no word
    character.text = lowered(written);
    if (isOneOfCodes(code, kBlanks))
        character.role = Role::Blank;
    else if (isOneOfCodes(code, kBreaks))
        character.role = Role::Break;
    else if (isOneOfCodes(code, kTimes))
        character.role = Role::Times;
    else if (isOneOfCodes(code, kJoints))
        character.role = Role::Joint;
    else if (isOneOfCodes(code, kDashes))
        character.text = "-";
    else if (code >= kFullWidth && code <= kLastFullWidth)
        character.text = lowered(std::string(1, static_cast<char>(code - kFullWidth + '!')));
    else if (code >= kFirstUnspacedCharacter)
        character.role = Role::Unspaced;
    return character;
}

bool isDigits(std::string_view text)
{
    return !text.empty() && std::ranges::all_of(text, isDigit);
}

bool isNumber(std::string_view text)
{
    return !text.empty() && isDigit(text.front()) && writtenCount(text);
}

std::size_t leadingDigits(std::string_view text)
{
    return static_cast<std::size_t>(std::ranges::find_if_not(text, isDigit) - text.begin());
}

/// "80gb", "24g", "1.5tb"
bool isWrittenSize(std::string_view text)
{
    constexpr std::array<std::string_view, 6> kUnits = {"gb", "g", "gib", "tb", "gig", "gigs"};
    const std::size_t digits = std::min(text.find_first_not_of("0123456789."), text.size());
    return digits > 0 && isOneOf(text.substr(digits), kUnits);
}

/// Whether "NxREST" counts GPUs, as in "8xh100", "2x8xh100" and "4x24gb", and is no name such as
/// "8x7b" nor the size of a picture.
bool countsRest(std::string_view rest)
{
    if (rest.empty() || (isDigits(rest) && rest.size() < 3) || isWrittenSize(rest))
        return true;
    const std::size_t times = rest.find('x');
    if (times < 3 && isDigits(rest.substr(0, times)))
        return countsRest(rest.substr(times + 1));
    constexpr std::array<std::string_view, 6> kGpuWords = {"rtx", "gtx",  "rx",
                                                           "gpu", "gpus", "cards"};
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
        while (m_at < m_sentence.size()) {
            const Character next = characterAt(m_sentence.substr(m_at));
            switch (next.role) {
            case Role::Letter:
                takeRun();
                continue;
            case Role::Unspaced:
                takeUnspaced();
                continue;
            case Role::Times:
                push("x", m_at, m_at + next.length);
                break;
            case Role::Joint:
                push("+", m_at, m_at + next.length);
                break;
            case Role::Break:
                m_broken = m_broken || (next.length > 1) || !isAroundOneWord(m_at);
                break;
            case Role::Blank:
                break;
            }
            m_at += next.length;
        }
        joinGroups();
        joinHalfMillions();
        joinThousands();
        joinBillions();
        return std::move(m_words);
    }

private:
    /// A run of letters, as words see it, with the byte of the sentence that each of its own is of.
    struct Run
    {
        std::string text;
        std::vector<std::size_t> places;
        std::size_t end = 0;
    };

    /// Whether a comma or a point at `at` divides the thousands of a number: "131,072", "4.096".
    bool dividesThousands(std::size_t at, std::string_view before) const
    {
        const char c = m_sentence[at];
        if (c != ',' && c != '.' && c != '\'')
            return false;
        const std::string_view rest = m_sentence.substr(at + 1);
        const std::size_t follows = leadingDigits(rest);
        const std::size_t start = before.find_last_not_of("0123456789") + 1; // npos + 1 is 0
        const std::string_view group = before.substr(start);
        const bool isGroup = !group.empty() && group.size() <= 3 && group.front() != '0';
        const bool isWhole = start == 0 || m_joined;
        const bool ends = follows == rest.size() || !(rest[follows] >= 'a' && rest[follows] <= 'z');
        return isGroup && isWhole && follows == 3 && ends;
    }

    /// "0,85" as most of Europe writes it.
    bool dividesDecimals(std::size_t at, std::string_view before) const
    {
        return m_sentence[at] == ',' && before == "0" &&
               leadingDigits(m_sentence.substr(at + 1)) > 0;
    }

    /// Whether the bracket at `at` is around one word without digits: "8-bit (bitsandbytes)".
    bool isAroundOneWord(std::size_t at) const
    {
        if (m_sentence[at] != '(' && m_sentence[at] != ')')
            return false;
        const std::size_t open = m_sentence[at] == '(' ? at : m_sentence.rfind('(', at);
        const std::size_t close = m_sentence.find_first_of(" )", std::min(open, at) + 1);
        return open != m_sentence.npos && close != m_sentence.npos && m_sentence[close] == ')' &&
               (at == open || at == close) &&
               std::none_of(m_sentence.begin() + static_cast<std::ptrdiff_t>(open),
                            m_sentence.begin() + static_cast<std::ptrdiff_t>(close), isDigit);
    }

    void takeRun()
    {
        Run run;
        m_joined = false;
        while (m_at < m_sentence.size()) {
            const Character next = characterAt(m_sentence.substr(m_at));
            if (next.length == 1 && dividesThousands(m_at, run.text)) {
                m_joined = true;
                ++m_at;
                continue;
            }
            if (dividesDecimals(m_at, run.text)) {
                run.text += '.';
                run.places.push_back(m_at++);
                continue;
            }
            if (next.role != Role::Letter)
                break;
            for (const char c : next.text) {
                run.text += c;
                run.places.push_back(m_at);
            }
            m_at += next.length;
        }
        run.end = m_at;
        addWord(run);
    }

    /// Of a script without blanks the longest word of the tables, or else what is up to the next.
    void takeUnspaced()
    {
        const std::size_t begin = m_at;
        if (const std::size_t known = unspacedWord(m_sentence.substr(begin))) {
            m_at += known;
            return push(std::string(m_sentence.substr(begin, known)), begin, m_at);
        }
        while (m_at < m_sentence.size()) {
            const Character next = characterAt(m_sentence.substr(m_at));
            if (next.role != Role::Unspaced ||
                (m_at > begin && unspacedWord(m_sentence.substr(m_at))))
                break;
            m_at += next.length;
        }
        push(std::string(m_sentence.substr(begin, m_at - begin)), begin, m_at);
    }

    void push(std::string text, std::size_t begin, std::size_t end)
    {
        if (end > begin)
            m_words.push_back({std::move(text), begin, end, m_broken});
        m_broken = false;
    }

    /// The letters of a run from `from` to before `to` as a word.
    void pushPart(const Run &run, std::size_t from, std::size_t to)
    {
        if (to > from)
            push(run.text.substr(from, to - from), run.places[from],
                 to < run.places.size() ? run.places[to] : run.end);
    }

    void addWord(const Run &run)
    {
        addParts(run);
        m_broken = m_broken || run.text.ends_with('.'); // of a sentence
    }

    void addParts(const Run &run)
    {
        std::size_t begin = 0;
        std::size_t end = run.text.size();
        const auto isEdge = [&](char c) { return c == '.' || c == ':' || c == '~' || c == '/'; };
        while (end > begin && isEdge(run.text[end - 1]))
            --end;
        const auto isFraction = [&](std::size_t at) { // ".92"
            return run.text[at] == '.' && at + 1 < end && isDigit(run.text[at + 1]);
        };
        while (begin < end && (isEdge(run.text[begin]) || run.text[begin] == '-') &&
               !isFraction(begin))
            ++begin;
        const std::string_view word = std::string_view(run.text).substr(begin, end - begin);
        const std::size_t equals = word.find_first_of("=:");
        if (equals == word.npos)
            return addPlain(run, begin, end);
        const std::string_view left = word.substr(0, equals);
        const std::size_t ownName = left.rfind('.') + 1;         // npos + 1 is 0
        const bool isOfTool = ownName > 0 && !findField(left) && // "rollout.gpu_memory_utilization"
                              !keywordsOf(nameKey(left.substr(ownName))).empty();
        if (isOfTool) {
            addPlain(run, begin + ownName, begin + equals);
            return addPlain(run, begin + equals + 1, end);
        }
        if (left.find('.') != left.npos || findField(left)) {
            const std::size_t from = run.places[begin];
            const std::size_t to = end < run.places.size() ? run.places[end] : run.end;
            return push(std::string(m_sentence.substr(from, to - from)), from, to);
        }
        addPlain(run, begin, begin + equals);
        addPlain(run, begin + equals + 1, end);
    }

    /// "openrlhf.cli.train_dpo" and "ppo.py" are words between points; "llama.cpp" is one.
    static std::size_t dotted(std::string_view word)
    {
        const std::size_t dot = word.find('.');
        const auto isLetter = [](char c) { return (c >= 'a' && c <= 'z') || c == '_' || c == '.'; };
        const std::string_view behind = word.substr(std::min(dot, word.size()));
        const bool isPlain = std::ranges::all_of(word, isLetter) ||
                             (std::ranges::all_of(word.substr(0, dot), isLetter) &&
                              !phrasesOf(nameKey(behind.substr(behind.size() > 1))).empty());
        return dot != word.npos && dot > 0 && dot + 1 < word.size() && isPlain && !isKnownWord(word)
                   ? dot
                   : 0;
    }

    /// Where a word that no table has ends its first part, if one of its parts is a word that means
    /// something: "13B_qlora_single_device", "deepspeed_configs/zero3_bf16.json".
    static std::size_t partEnd(std::string_view word)
    {
        constexpr std::string_view kDividers = "_/";
        constexpr auto kTasks = std::to_array<std::string_view>({"lora", "qlora", "sft", "dpo"});
        const std::size_t hyphen = word.rfind('-');
        const bool isTask =
            hyphen != word.npos && isOneOf(word.substr(hyphen + 1), kTasks); // "alpaca-lora"
        const std::size_t divider = isTask ? hyphen : word.find_first_of(kDividers);
        const auto isOfTables = [](std::string_view part) {
            return !phrasesOf(nameKey(part)).empty();
        };
        const bool isWhole = word.find('.') == word.npos || word.ends_with(".json") ||
                             word.ends_with(".yaml") || word.ends_with(".yml");
        if (divider == word.npos || divider == 0 || divider + 1 == word.size() || !isWhole ||
            isKnownWord(word) || isOfTables(word) || !keywordsOf(nameKey(word)).empty() ||
            namedModel(word).known() || namedModel(nameInRecipe(word)).known())
            return 0;
        for (std::string_view rest = word; !rest.empty();) {
            const std::size_t end = std::min(rest.find_first_of(kDividers), rest.size());
            const std::string_view part = rest.substr(0, end);
            if (isOfTables(part.substr(0, part.find('.'))))
                return divider;
            rest.remove_prefix(std::min(end + 1, rest.size()));
        }
        return 0;
    }

    void addPlain(const Run &run, std::size_t begin, std::size_t end)
    {
        const std::string_view word = std::string_view(run.text).substr(begin, end - begin);
        if (const std::size_t part = partEnd(word)) {
            addPlain(run, begin, begin + part);
            return addPlain(run, begin + part + 1, end);
        }
        if (const std::size_t dot = dotted(word)) {
            addPlain(run, begin, begin + dot);
            return addPlain(run, begin + dot + 1, end);
        }
        const std::size_t digits = leadingDigits(word);
        if (digits > 0 && digits < word.size() && word[digits] == 'x' &&
            countsRest(word.substr(digits + 1))) {
            pushPart(run, begin, begin + digits);
            pushPart(run, begin + digits, begin + digits + 1);
            return addPlain(run, begin + digits + 1, end);
        }
        // "h100x8"
        if (const std::size_t times = word.rfind('x'); times != word.npos && times > 0 &&
                                                       isDigits(word.substr(times + 1)) &&
                                                       findNamedGpu(word.substr(0, times)).gpu) {
            pushPart(run, begin, begin + times);
            pushPart(run, begin + times, begin + times + 1);
            return pushPart(run, begin + times + 1, end);
        }
        if (const std::size_t cut = glued(word)) {
            pushPart(run, begin, begin + cut);
            return pushPart(run, begin + cut, end);
        }
        pushPart(run, begin, end);
    }

    /// Where a word is two: "x8", "tp8", "8gpus", "8h100"; 0: it is one.
    static std::size_t glued(std::string_view word)
    {
        const std::size_t letters = std::min(word.find_first_of("0123456789"), word.size());
        if (letters > 0 && isNumber(word.substr(letters)) && !findNamedGpu(word).gpu) {
            const std::string_view name = word.substr(0, letters);
            const bool isRank = name == "r" && word.substr(letters) != "1"; // DeepSeek R1
            if (name == "x" || isRank || (name.size() > 1 && !keywordsOf(nameKey(name)).empty()))
                return letters;
        }
        constexpr std::array<std::string_view, 7> kCounted = {"gpu",  "gpus",  "node", "nodes",
                                                              "card", "cards", "rtx"};
        const std::size_t digits = leadingDigits(word);
        const std::string_view rest = word.substr(digits);
        const bool counts = isOneOf(rest, kCounted) ||
                            (rest.size() > 2 && !keywordsOf(nameKey(rest)).empty()) ||
                            (rest.size() > 1 && !isDigit(rest.front()) && findNamedGpu(rest).gpu);
        return digits > 0 && !rest.empty() && counts && !findNamedGpu(word).gpu ? digits : 0;
    }

    /// "8 192" and "131 072" are numbers whose thousands a blank divides.
    void joinGroups()
    {
        constexpr std::int64_t kStep = 256; // of lengths, which are what people write so
        for (std::size_t at = 0; at + 1 < m_words.size(); ++at) {
            SentenceWord &word = m_words[at];
            const SentenceWord &next = m_words[at + 1];
            const bool isGroup = word.text.size() <= 3 && next.text.size() == 3;
            if (!isDigits(word.text) || next.afterBreak ||
                !(next.text == "k" || (isGroup && isDigits(next.text))))
                continue;
            const auto joined = writtenCount(word.text + next.text); // "32 k" too
            if (!joined || *joined % kStep != 0)
                continue;
            word.text += next.text;
            word.end = next.end;
            m_words.erase(m_words.begin() + static_cast<std::ptrdiff_t>(at) + 1);
        }
    }

    /// "Half a million tokens".
    void joinHalfMillions()
    {
        for (std::size_t at = 0; at + 2 < m_words.size(); ++at) {
            if (m_words[at].text != "half" || m_words[at + 1].text != "a" ||
                m_words[at + 2].text != "million")
                continue;
            m_words[at].text = "500000";
            m_words[at].end = m_words[at + 2].end;
            const auto first = m_words.begin() + static_cast<std::ptrdiff_t>(at) + 1;
            m_words.erase(first, first + 2);
        }
    }

    /// "32 thousand tokens" and "two thousand" are 32k and 2k, "two hundred" is 200.
    void joinThousands()
    {
        constexpr auto kThousands = std::to_array<std::string_view>(
            {"thousand", "tausend", "tsd", "mille", "mil", "thousands"});
        constexpr auto kHundreds = std::to_array<std::string_view>({"hundred", "hundert"});
        for (std::size_t at = 0; at + 1 < m_words.size(); ++at) {
            std::string &word = m_words[at].text;
            const auto spelt = isDigits(word) ? std::nullopt : numberWord(word);
            const bool isThousand = isOneOf(m_words[at + 1].text, kThousands);
            const bool isHundred = spelt && isOneOf(m_words[at + 1].text, kHundreds);
            if ((!isDigits(word) && !spelt) || m_words[at + 1].afterBreak ||
                (!isThousand && !isHundred))
                continue;
            word = spelt ? std::to_string(*spelt) : word;
            word += isHundred ? "00" : "k";
            m_words[at].end = m_words[at + 1].end;
            m_words.erase(m_words.begin() + static_cast<std::ptrdiff_t>(at) + 1);
        }
    }

    /// "70 billion parameters" is 70b.
    void joinBillions()
    {
        constexpr auto kParameters =
            std::to_array<std::string_view>({"parameter", "parameters", "param", "params"});
        for (std::size_t at = 0; at + 1 < m_words.size(); ++at) {
            SentenceWord &word = m_words[at];
            const std::string &scale = m_words[at + 1].text;
            const bool isScale = scale == "billion" || scale == "million" || scale == "trillion";
            constexpr auto kOne =
                std::to_array<std::string_view>({"a", "one", "un", "une", "ein", "eine"});
            const bool isOne = isOneOf(word.text, kOne);
            if (!(isDigit(word.text.front()) || isOne) || !isScale || m_words[at + 1].afterBreak)
                continue;
            word.text = (isOne ? "1" : word.text) + scale.front();
            std::size_t taken = 1;
            if (at + 2 < m_words.size() && isOneOf(m_words[at + 2].text, kParameters))
                ++taken;
            word.end = m_words[at + taken].end;
            const auto first = m_words.begin() + static_cast<std::ptrdiff_t>(at) + 1;
            m_words.erase(first, first + static_cast<std::ptrdiff_t>(taken));
        }
    }

    std::string_view m_sentence;
    std::size_t m_at = 0;
    std::vector<SentenceWord> m_words;
    bool m_broken = false;
    bool m_joined = false; ///< the run has thousands divided by a comma or a point
};

} // namespace

std::string nameInRecipe(std::string_view recipe)
{
    const std::size_t slash = recipe.find('/');
    if (slash == recipe.npos || recipe.find('_') == recipe.npos)
        return {};
    std::string name(recipe.substr(0, recipe.find('_', slash)));
    std::ranges::replace(name, '/', '-');
    std::ranges::replace(name, '_', '.');
    return name;
}

std::vector<SentenceWord> sentenceWords(std::string_view sentence)
{
    return WordSplitter(sentence).split();
}

std::optional<std::int64_t> countOf(const SentenceWord &word)
{
    const std::optional<std::int64_t> number = numberWord(word.text);
    return number ? number : writtenCount(word.text);
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
