// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ask/suggestions.h"

#include "core/ask/tools.h"
#include "core/ask/vocabulary.h"
#include "core/base/parts.h"
#include "core/base/text.h"
#include "core/catalog/catalogue.h"
#include "core/catalog/gpu_names.h"
#include "core/catalog/gpus.h"
#include "core/catalog/named_model.h"

#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <tuple>

namespace vramscope {

namespace {

constexpr std::size_t kMostWords = 5;         // of the beginning of a name
constexpr std::size_t kMostOfAKind = 4;       // of models, of GPUs, of words
constexpr std::size_t kLeastLetters = 2;      // of a beginning that is completed
constexpr std::string_view kBetween = " \t-"; // words of a name

enum class NameKind { Word, Model, Gpu };
constexpr std::size_t kKinds = 3;

struct KnownName
{
    std::string key; ///< of the name from one of its words on
    const std::string *text = nullptr;
    const std::string *meaning = nullptr;
};

using KnownNames = std::vector<KnownName>;

/// Everything that can be completed, most wanted first.
class NameIndex
{
public:
    NameIndex()
    {
        for (const Tool &tool : tools())
            add(NameKind::Word, tool.title,
                tool.kind == ToolKind::Trainer ? "trains" : "serves models");
        for (const AskedPhrase &phrase : askedPhrases())
            addAlternatives(phrase.words, phrase.meaning);
        for (const AskedKeyword &keyword : askedKeywords())
            addAlternatives(keyword.words, "with a number");
        std::vector<const CatalogueModel *> models;
        for (const CatalogueModel &model : catalogueModels())
            models.push_back(&model);
        std::ranges::stable_sort(models, std::greater(),
                                 [](const auto *model) { return downloadsOf(*model); });
        for (const CatalogueModel *model : models)
            add(NameKind::Model, model->title, "model");
        std::vector<const GpuPreset *> gpus;
        for (const GpuPreset &gpu : gpuPresets())
            gpus.push_back(&gpu);
        // As they are sold, not rebuilt; of NVIDIA first, the newest and the largest of it.
        std::ranges::stable_sort(gpus, [](const GpuPreset *one, const GpuPreset *other) {
            const auto rank = [](const GpuPreset &gpu) {
                const bool leads = gpu.vendor() == GpuVendor::Nvidia;
                return std::tuple(gpu.title.find(',') == gpu.title.npos, leads,
                                  leads ? gpu.generation : GpuGeneration(), gpu.gigabytes);
            };
            return rank(*one) > rank(*other);
        });
        for (const GpuPreset *gpu : gpus)
            add(NameKind::Gpu, gpu->title.substr(0, gpu->title.find(',')), "GPU");
    }

    [[nodiscard]] const KnownNames &of(NameKind kind) const
    {
        return m_names[static_cast<std::size_t>(kind)];
    }

private:
    void add(NameKind kind, const std::string &text, std::string meaning)
    {
        const std::string &kept = *m_texts.emplace_back(std::make_unique<std::string>(text));
        const std::string &means =
            *m_texts.emplace_back(std::make_unique<std::string>(std::move(meaning)));
        KnownNames &names = m_names[static_cast<std::size_t>(kind)];
        for (std::size_t from = 0; from < kept.size();) {
            names.push_back({nameKey(std::string_view(kept).substr(from)), &kept, &means});
            from = std::min(kept.find_first_of(kBetween, from), kept.size());
            from = std::min(kept.find_first_not_of(kBetween, from), kept.size());
        }
    }
    /// Of words that mean the same the first that is written in Latin letters.
    void addAlternatives(std::string_view words, const std::string &meaning)
    {
        for (const std::string_view word : partsOf(words, '|')) {
            const bool isLatin = std::ranges::all_of(
                word, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
            if (isLatin && word.size() > kLeastLetters)
                add(NameKind::Word, std::string(word), meaning);
        }
    }

    std::vector<std::unique_ptr<std::string>> m_texts;
    std::array<KnownNames, kKinds> m_names;
};

const NameIndex &nameIndex()
{
    static const NameIndex index;
    return index;
}

/// Where the words before the cursor begin, the last of them first.
std::vector<std::size_t> beginnings(std::string_view line, std::size_t cursor)
{
    constexpr std::string_view kEnds = " \t,;()?!\"";
    std::vector<std::size_t> begins;
    std::size_t end = cursor;
    while (begins.size() < kMostWords && end > 0) {
        const std::size_t before = line.find_last_of(kEnds, end - 1);
        const std::size_t begin = before == line.npos ? 0 : before + 1;
        if (begin == end)
            break;
        begins.push_back(begin);
        if (begin == 0 || line[begin - 1] != ' ')
            break;
        end = begin - 1;
    }
    return begins;
}

/// Words that are complete need no completing.
bool isWhole(std::string_view word)
{
    return isKnownWord(word) || isOrdinary(word) || findNamedGpu(word).gpu ||
           namedModel(word).model || findTool(nameKey(word));
}

/// Whether the last word is the number of a keyword before it: "seq 40".
bool isCounted(std::string_view line, const std::vector<std::size_t> &begins)
{
    if (begins.size() < 2 || !isDigit(line[begins.front()]))
        return false;
    const std::string_view before = line.substr(begins[1], begins.front() - begins[1] - 1);
    return !keywordsOf(nameKey(before)).empty();
}

void complete(std::string_view written, AskSuggestions &found)
{
    const std::string key = nameKey(written);
    using enum NameKind;
    const bool isNumber = isDigit(key.front()); // a GPU's rather than a model's
    for (const NameKind kind :
         isNumber ? std::array{Word, Gpu, Model} : std::array{Word, Model, Gpu}) {
        std::size_t ofKind = 0;
        for (const KnownName &name : nameIndex().of(kind)) {
            const bool isNew = std::ranges::find(found.names, *name.text, &AskSuggestion::text) ==
                               found.names.end();
            if (!name.key.starts_with(key) || !isNew)
                continue;
            found.names.push_back({*name.text, *name.meaning});
            if (++ofKind == kMostOfAKind)
                break;
        }
    }
}

} // namespace

AskSuggestions suggestionsAt(std::string_view line, std::size_t cursor)
{
    AskSuggestions found;
    cursor = std::min(cursor, line.size());
    const std::vector<std::size_t> begins = beginnings(line, cursor);
    if (begins.empty() || isWhole(line.substr(begins.front(), cursor - begins.front())) ||
        isCounted(line, begins))
        return found;
    found.end = cursor;
    for (auto begin = begins.rbegin(); begin != begins.rend() && found.names.empty(); ++begin) {
        const std::string_view written = line.substr(*begin, cursor - *begin);
        if (nameKey(written).size() < kLeastLetters)
            continue;
        found.begin = *begin;
        complete(written, found);
    }
    return found;
}

} // namespace vramscope
