// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ask/vocabulary.h"

#include "core/base/csv.h"
#include "core/base/nearest.h"
#include "core/base/parts.h"
#include "core/base/shipped_documents.h"
#include "core/base/text.h"
#include "core/base/written_size.h"
#include "core/catalog/catalogue.h"
#include "core/catalog/gpu_names.h"
#include "core/catalog/tools.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <set>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace vramscope {

namespace {

constexpr std::array<std::string_view, 4> kWhens = {"always", "training", "serving", "diffusion"};
constexpr std::array<std::string_view, 9> kQuestions = {
    "", "most", "least", "count", "which", "model", "format", "gpu", "memory"};

constexpr std::array<std::string_view, 8> kMakers = {"nvidia", "amd",   "intel",    "geforce",
                                                     "radeon", "tesla", "instinct", "quadro"};

/// The rows of a shipped table, each by the text of its columns.
template<class Row>
std::vector<Row> rowsOf(std::string_view path, Row (*read)(const std::vector<std::string> &))
{
    const Result<CsvTable> table = parseCsv(shippedDocument(path));
    assert(table);
    std::vector<Row> rows;
    for (const CsvRow &row : table->rows)
        rows.push_back(read(row.cells));
    return rows;
}

AskedWhen whenOf(std::string_view text)
{
    const auto found = std::ranges::find(kWhens, text);
    assert(found != kWhens.end());
    return static_cast<AskedWhen>(found - kWhens.begin());
}

const std::vector<AskedPhrase> &phraseTable()
{
    static const std::vector<AskedPhrase> rows =
        rowsOf<AskedPhrase>("words/phrases.csv", [](const std::vector<std::string> &cells) {
            return AskedPhrase{cells[0], whenOf(cells[1]), cells[2], cells[3]};
        });
    return rows;
}

const std::vector<AskedKeyword> &keywordTable()
{
    static const std::vector<AskedKeyword> rows =
        rowsOf<AskedKeyword>("words/keywords.csv", [](const std::vector<std::string> &cells) {
            return AskedKeyword{cells[0], whenOf(cells[1]), cells[2]};
        });
    return rows;
}

template<class Row>
using RowIndex = std::unordered_map<std::string, std::vector<const Row *>>;

template<class Row>
RowIndex<Row> indexOf(const std::vector<Row> &rows)
{
    RowIndex<Row> index;
    for (const Row &row : rows) {
        for (const std::string_view words : partsOf(row.words, '|'))
            index[nameKey(words)].push_back(&row);
    }
    return index;
}

const RowIndex<AskedPhrase> &phraseIndex()
{
    static const RowIndex<AskedPhrase> index = indexOf(phraseTable());
    return index;
}

/// Words that say nothing about memory, and whether they join others within a phrase.
const std::unordered_map<std::string, bool> &ordinaryWords()
{
    struct Row
    {
        std::string words;
        bool joins = false;
    };
    static const std::unordered_map<std::string, bool> words = [] {
        std::unordered_map<std::string, bool> all;
        for (const Row &row :
             rowsOf<Row>("words/ordinary.csv", [](const std::vector<std::string> &cells) {
                 return Row{cells[1], !cells[2].empty()};
             })) {
            for (const std::string_view word : partsOf(row.words, ' '))
                all[nameKey(word)] |= row.joins;
        }
        return all;
    }();
    return words;
}

/// Phrases without the words that join others in them, of those that have two others at least.
const RowIndex<AskedPhrase> &squeezedIndex()
{
    static const RowIndex<AskedPhrase> index = [] {
        RowIndex<AskedPhrase> all;
        for (const AskedPhrase &row : phraseTable()) {
            for (const std::string_view words : partsOf(row.words, '|')) {
                std::string key;
                std::size_t content = 0;
                for (const std::string_view word : partsOf(words, ' ')) {
                    if (joins(word))
                        continue;
                    key += nameKey(word);
                    ++content;
                }
                std::vector<const AskedPhrase *> &rows = all[key];
                if (content > 1 && std::ranges::find(rows, &row) == rows.end())
                    rows.push_back(&row);
            }
        }
        std::erase_if(all, [](const auto &entry) { return entry.second.empty(); });
        return all;
    }();
    return index;
}

const RowIndex<AskedKeyword> &keywordIndex()
{
    static const RowIndex<AskedKeyword> index = indexOf(keywordTable());
    return index;
}

struct QuestionRow
{
    std::string words;
    std::string asks;
};

const std::vector<QuestionRow> &questionTable()
{
    static const std::vector<QuestionRow> rows =
        rowsOf<QuestionRow>("words/questions.csv", [](const std::vector<std::string> &cells) {
            return QuestionRow{cells[0], cells[1]};
        });
    return rows;
}

const std::unordered_map<std::string, AskedQuestion> &questionIndex()
{
    static const std::unordered_map<std::string, AskedQuestion> index = [] {
        std::unordered_map<std::string, AskedQuestion> all;
        for (const QuestionRow &row : questionTable()) {
            const auto asks = std::ranges::find(kQuestions, row.asks) - kQuestions.begin();
            for (const std::string_view words : partsOf(row.words, '|'))
                all.try_emplace(nameKey(words), static_cast<AskedQuestion>(asks));
        }
        return all;
    }();
    return index;
}

const std::unordered_map<std::string, std::int64_t> &numberWords()
{
    struct Row
    {
        std::string words;
        std::int64_t number = 0;
    };
    static const std::unordered_map<std::string, std::int64_t> index = [] {
        std::unordered_map<std::string, std::int64_t> all;
        for (const Row &row :
             rowsOf<Row>("words/numbers.csv", [](const std::vector<std::string> &cells) {
                 return Row{cells[0], writtenCount(cells[1]).value_or(0)};
             })) {
            for (const std::string_view word : partsOf(row.words, '|'))
                all.try_emplace(std::string(word), row.number);
        }
        return all;
    }();
    return index;
}

/// Of the tables, what begins with no letter of ASCII.
const std::set<std::string, std::greater<>> &unspacedWords()
{
    static const std::set<std::string, std::greater<>> words = [] {
        std::set<std::string, std::greater<>> all;
        const auto add = [&](const std::string &key) {
            if (codePoint(std::string_view(key).substr(0, characterLength(key))) >=
                kFirstUnspacedCharacter)
                all.insert(key);
        };
        for (const auto &[key, rows] : phraseIndex())
            add(key);
        for (const auto &[key, rows] : keywordIndex())
            add(key);
        for (const auto &[key, asks] : questionIndex())
            add(key);
        for (const auto &[key, number] : numberWords())
            add(key);
        for (const auto &[key, joins] : ordinaryWords())
            add(key);
        return all;
    }();
    return words;
}

template<class Row>
std::span<const Row *const> rowsFor(const RowIndex<Row> &index, std::string_view key)
{
    const auto found = index.find(std::string(key));
    return found == index.end() ? std::span<const Row *const>() : std::span(found->second);
}

/// The row of that kind of plan before those of others.
template<class Row>
const Row *rowOf(std::span<const Row *const> rows, AskedWhen when)
{
    for (const Row *row : rows)
        if (row->when == AskedWhen::Always || row->when == when)
            return row;
    return rows.empty() ? nullptr : rows.front();
}

/// The words of phrases, keywords and questions, each once.
const std::set<std::string, std::less<>> &tableWords()
{
    static const std::set<std::string, std::less<>> words = [] {
        std::set<std::string, std::less<>> all;
        const auto add = [&](const auto &rows) {
            for (const auto &row : rows)
                for (const std::string_view phrase : partsOf(row.words, '|'))
                    for (const std::string_view word : partsOf(phrase, ' '))
                        all.emplace(word);
        };
        add(phraseTable());
        add(keywordTable());
        add(questionTable());
        for (const Tool &tool : tools())
            for (const std::string &name : tool.words)
                if (name.find_first_of(" .") == name.npos)
                    all.emplace(name);
        return all;
    }();
    return words;
}

/// Whether `other` is `word` with one letter added, left out or another, or two swapped.
bool isOneOff(std::string_view word, std::string_view other)
{
    const auto [end, otherEnd] = std::ranges::mismatch(word, other);
    const std::string_view rest = word.substr(static_cast<std::size_t>(end - word.begin()));
    const std::string_view with = other.substr(static_cast<std::size_t>(otherEnd - other.begin()));
    if (rest.size() == with.size() + 1)
        return rest.substr(1) == with;
    if (with.size() == rest.size() + 1)
        return with.substr(1) == rest;
    if (rest.size() != with.size() || rest.empty())
        return false;
    const bool isSwapped = rest.size() > 1 && rest[0] == with[1] && rest[1] == with[0] &&
                           rest.substr(2) == with.substr(2);
    return isSwapped || rest.substr(1) == with.substr(1);
}

} // namespace

bool isKnownWord(std::string_view word)
{
    return tableWords().contains(word) || isOrdinary(word) || numberWord(word);
}

std::string_view meantWord(std::string_view word)
{
    constexpr std::size_t kLeast = 4; // letters: shorter words are near too many
    std::string_view meant;
    if (word.size() < kLeast ||
        !std::ranges::all_of(word, [](char c) { return c >= 'a' && c <= 'z'; }))
        return meant;
    for (const std::string &known : tableWords()) {
        if (known.size() < kLeast || known.front() != word.front() || !isOneOff(word, known))
            continue;
        if (!meant.empty())
            return {};
        meant = known;
    }
    return meant;
}

std::span<const AskedPhrase> askedPhrases()
{
    return phraseTable();
}

std::span<const AskedKeyword> askedKeywords()
{
    return keywordTable();
}

std::span<const AskedPhrase *const> phrasesOf(std::string_view key)
{
    return rowsFor(phraseIndex(), key);
}

std::span<const AskedKeyword *const> keywordsOf(std::string_view key)
{
    return rowsFor(keywordIndex(), key);
}

std::span<const AskedPhrase *const> squeezedPhrasesOf(std::string_view key)
{
    return rowsFor(squeezedIndex(), key);
}

const AskedPhrase *rowFor(std::span<const AskedPhrase *const> rows, AskedWhen when)
{
    return rowOf(rows, when);
}

const AskedKeyword *findKeyword(std::string_view key, AskedWhen when)
{
    return rowOf(keywordsOf(key), when);
}

AskedQuestion questionOf(std::string_view key)
{
    const auto found = questionIndex().find(std::string(key));
    return found == questionIndex().end() ? AskedQuestion::None : found->second;
}

std::optional<std::int64_t> numberWord(std::string_view word)
{
    const auto found = numberWords().find(std::string(word));
    return found == numberWords().end() ? std::nullopt : std::optional(found->second);
}

bool isOrdinary(std::string_view word)
{
    return isMaker(word) || ordinaryWords().contains(nameKey(word));
}

bool joins(std::string_view word)
{
    const auto found = ordinaryWords().find(nameKey(word));
    return found != ordinaryWords().end() && found->second;
}

bool isMaker(std::string_view word)
{
    return isOneOf(word, kMakers);
}

std::size_t unspacedWord(std::string_view text)
{
    const auto &words = unspacedWords(); // from the last on: a longer word stands before its start
    for (auto at = words.lower_bound(std::string(text)); at != words.end(); ++at) {
        if (text.starts_with(*at))
            return at->size();
        if (at->front() != text.front())
            break;
    }
    return 0;
}

std::string didYouMeanAsked(std::string_view word)
{
    std::vector<std::string_view> known;
    for (const AskedPhrase &phrase : askedPhrases())
        std::ranges::copy(partsOf(phrase.words, '|'), std::back_inserter(known));
    for (const AskedKeyword &keyword : askedKeywords())
        std::ranges::copy(partsOf(keyword.words, '|'), std::back_inserter(known));
    for (const GpuPreset &gpu : gpuPresets())
        known.emplace_back(gpu.name);
    const bool isRepository = word.find('/') != word.npos;
    for (const CatalogueModel &model : catalogueModels())
        known.emplace_back(isRepository ? model.repository : model.name);

    constexpr std::size_t kPart = 3; // among thousands of words half of the letters are alike
    return didYouMean(word, known, kPart);
}

} // namespace vramscope
