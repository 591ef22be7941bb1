// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ask/name_parts.h"
#include "core/ask/named_models.h"
#include "core/ask/reading.h"
#include "core/base/format.h"
#include "core/base/text.h"
#include "core/catalog/gpu_names.h"
#include "core/model/catalogue_shapes.h"

#include <algorithm>
#include <array>

namespace vramscope {

namespace {

constexpr std::size_t kLongestName = 8; // words

FieldPath pathOf(const CatalogueModel &model)
{
    return model.pipeline ? FieldPath("model.pipeline") : FieldPath("model.preset");
}

constexpr auto kDrafting =
    std::to_array<std::string_view>({"draft", "drafter", "drafting", "speculative", "entwurf"});
constexpr auto kTeaching = std::to_array<std::string_view>({"teacher", "lehrer"});

/// Whether one of the words stands behind the piece, or shortly before it.
bool isBeside(const Reading &reading, const AskedPiece &piece,
              std::span<const std::string_view> words)
{
    constexpr std::size_t kNear = 30; // bytes
    for (std::size_t at = 0; at < reading.words.size(); ++at) {
        const SentenceWord &word = reading.words[at];
        if (!isOneOf(word.text, words))
            continue;
        const bool isBehind = at > 0 && reading.words[at - 1].end == piece.end;
        const bool isOfAnother =
            at > 0 && reading.used[at - 1]; // "a 32B teacher into a 2B student"
        if (isBehind || (!isOfAnother && word.end < piece.begin && piece.begin - word.end < kNear))
            return true;
    }
    return false;
}

bool distils(const Reading &reading)
{
    for (std::size_t at = 0; at < reading.words.size(); ++at)
        if (reading.isFree(at) && reading.words[at].text.starts_with("distil"))
            return true;
    return false;
}

void takeAsTeacher(Reading &reading, AskedPiece &piece, const CatalogueModel &model,
                   const std::string &title)
{
    reading.teacher = &model;
    piece.fields = {FieldPath("overheads.resident_bytes")};
    piece.meaning = title + " as the teacher";
}

/// Of two models one of which is distilled into the other the larger teaches. False where the first
/// is the teacher, so that the second is the model.
bool takeSecondOfDistillation(Reading &reading, AskedPiece &piece, const NamedModel &named)
{
    const auto parametersOf = [](const CatalogueModel &model) {
        const CatalogueShape *shape = findCatalogueShape(model.name);
        return shape ? shape->parameters : 0;
    };
    if (reading.teacher)
        return false;
    if (parametersOf(*named.model) > parametersOf(*reading.model)) {
        takeAsTeacher(reading, piece, *named.model, named.title);
        return true;
    }
    for (AskedPiece &before : reading.asked.pieces)
        if (before.fields == std::vector{pathOf(*reading.model)})
            takeAsTeacher(reading, before, *reading.model, reading.named.title);
    reading.model = nullptr;
    return false;
}

void takeModel(Reading &reading, AskedPiece &piece, NamedModel named)
{
    if (reading.statesModel() && !reading.isOpen)
        return Reading::contradict(piece, "names a model, and the file has one");
    const bool isOther = reading.model && reading.model != named.model && named.model;
    if (named.model && isBeside(reading, piece, kTeaching)) {
        return takeAsTeacher(reading, piece, *named.model, named.title);
    }
    if (isOther && isBeside(reading, piece, kDrafting)) {
        reading.draft = named.model;
        piece.fields = {FieldPath("inference.speculative.model")};
        piece.meaning = "drafts with " + named.title;
        return;
    }
    if (isOther && distils(reading) && takeSecondOfDistillation(reading, piece, named))
        return;
    if (isOther && reading.isOfThePast(piece.begin))
        return Reading::passOver(piece, "is of an earlier run");
    const auto first = std::ranges::find_if(reading.asked.pieces, [&](const AskedPiece &it) {
        return reading.model && &it != &piece && it.fields == std::vector{pathOf(*reading.model)};
    });
    const bool replaces =
        isOther && first != reading.asked.pieces.end() &&
        (reading.isOfThePast(first->begin) || reading.isContrasted(first->end, piece.begin));
    if (replaces)
        Reading::passOver(*first, "is of an earlier run");
    else if (reading.model && reading.model != named.model)
        return Reading::contradict(piece, "is a second model beside " + reading.named.title);
    reading.model = named.model;
    piece.meaning = named.title;
    if (named.model) {
        piece.fields = {pathOf(*named.model)};
        piece.meaning += named.isCorrected ? " (by the nearest name)" : "";
    } else {
        Reading::passOver(piece, named.whyNot);
    }
    const bool isTag = piece.text.find(':') != piece.text.npos; // "qwen3:8b" is Ollama's
    if (isTag && !reading.engine && piece.text.find('/') == piece.text.npos)
        reading.engine = toolNamed("ollama");
    reading.named = std::move(named);
    reading.modelWords = piece.text;
}

/// The model of a recipe's name that is one word.
NamedModel modelOfRecipe(std::span<const SentenceWord> words)
{
    SentenceWord word = words.front();
    word.text = words.size() > 1 ? std::string() : nameInRecipe(word.text);
    return word.text.empty() ? NamedModel() : findNamedModel(std::span(&word, 1));
}

/// "vllm serve Qwen/Qwen3-8B": a repository is a name by itself, and words before it have another
/// meaning.
bool joinsRepository(std::span<const SentenceWord> words)
{
    return std::ranges::any_of(words.subspan(1), [](const SentenceWord &word) {
        return word.text.find('/') != std::string::npos;
    });
}

/// "Wan 2.1 text2video 1.3B": the model of the size that stands behind a name without one, with how
/// many words lie before it. Not known where there is no such size, or none of the name.
NamedModel sizedBehind(const Reading &reading, std::size_t at, std::size_t count,
                       std::size_t &skipped)
{
    constexpr std::size_t kMostBetween = 2;
    HintedModels hinted;
    for (std::size_t i = at; i < at + count; ++i) {
        std::vector<std::string> parts;
        addNameParts(parts, reading.words[i].text, false);
        if (std::ranges::any_of(parts, isModelSize) || !hinted.narrow(reading.words[i].text))
            return {};
    }
    for (skipped = 0; skipped <= kMostBetween; ++skipped) {
        const std::size_t next = at + count + skipped;
        if (!reading.isFree(next) || reading.words[next].afterBreak)
            return {};
        if (isModelSize(reading.words[next].text))
            return hinted.narrow(reading.words[next].text) ? hinted.likeliest() : NamedModel();
    }
    return {};
}

template<class Find>
void takeModels(Reading &reading, Find find)
{
    for (std::size_t at = 0; at < reading.words.size(); ++at) {
        for (std::size_t count = reading.freeFrom(at, kLongestName); count > 0; --count) {
            const std::span words = std::span(reading.words).subspan(at, count);
            if (joinsRepository(words))
                continue;
            NamedModel named = find(words);
            if (!named.known())
                continue;
            // "… Instruct sft" ends with a word of its own, "GLM 4.7 Flash" is another model.
            if (count > 1 && !phrasesOf(keyOf(words.last(1))).empty() &&
                find(words.first(count - 1)).model == named.model)
                continue;
            std::size_t skipped = 0;
            if (NamedModel sized = sizedBehind(reading, at, count, skipped); sized.known()) {
                named = std::move(sized);
                reading.used[at + count + skipped] = true;
            }
            takeModel(reading, reading.take(at, count), std::move(named));
            at += count - 1;
            break;
        }
    }
}

} // namespace

void takeNamedModels(Reading &reading)
{
    takeModels(reading, &findNamedModel);
    takeModels(reading, &modelOfRecipe);
}

namespace {

bool isStranger(const Reading &reading, std::size_t at)
{
    if (!reading.isFree(at) || reading.number(at))
        return false;
    const std::string &word = reading.words[at].text;
    return !isKnownWord(word) && keywordsOf(reading.key(at, 1)).empty() &&
           !HintedModels().narrow(word);
}

/// Of words that are sizes alone, "2b", the place of one beside a word that nothing knows: that is
/// the name of a model, and no other of the size is meant. All of them where there is none.
std::size_t strangerBeside(const Reading &reading, const std::vector<std::size_t> &taken)
{
    const auto isSize = [&](std::size_t at) { return isModelSize(reading.words[at].text); };
    if (!std::ranges::all_of(taken, isSize))
        return taken.size();
    for (std::size_t i = 0; i < taken.size(); ++i) {
        const std::size_t at = taken[i];
        const bool isBefore =
            at > 0 && !reading.words[at].afterBreak && isStranger(reading, at - 1);
        if (isBefore)
            return i;
    }
    return taken.size();
}

std::string nameAround(const Reading &reading, std::size_t at)
{
    const std::size_t begin = reading.words[at - 1].begin;
    return std::string(reading.text.substr(begin, reading.words[at].end - begin));
}

} // namespace

bool isInMisspeltModel(const Reading &reading, std::size_t at, std::size_t count)
{
    if (at == 0 || reading.words[at].afterBreak || !isStranger(reading, at - 1))
        return false;
    const std::size_t most = reading.freeFrom(at, kLongestName - 1);
    for (std::size_t rest = count; rest <= most; ++rest)
        if (findMisspeltModel(std::span(reading.words).subspan(at - 1, rest + 1)).known())
            return true;
    return false;
}

void takeHintedModel(Reading &reading)
{
    HintedModels hinted;
    std::vector<std::size_t> taken;
    for (std::size_t at = 0; at < reading.words.size(); ++at) {
        const std::string &word = reading.words[at].text;
        const bool isOther = isOrdinary(word) || isUnknownModelName(word);
        if (reading.used[at] || isOther || !hinted.narrow(word))
            continue;
        taken.push_back(at);
    }
    const bool saysName = std::ranges::any_of(taken, [&](std::size_t at) {
        return reading.words[at].text.find_first_not_of("0123456789.") != std::string::npos;
    });
    if (!saysName) // "3" is a part of many names
        taken.clear();
    // "mistal nemo 12b": a name with a typing error is nearer than what its parts may mean.
    const bool isMisspelt = std::ranges::any_of(taken, [&](std::size_t at) {
        return (at > 0 && isStranger(reading, at - 1)) || isStranger(reading, at + 1);
    });
    if (isMisspelt && !reading.named.known()) {
        takeModels(reading, &findMisspeltModel);
        if (reading.named.known())
            return;
    }
    NamedModel named = taken.empty() ? NamedModel() : hinted.likeliest();
    if (const std::size_t stranger = strangerBeside(reading, taken); stranger < taken.size()) {
        reading.asked.whyNot =
            "No model is known as \"" + printable(nameAround(reading, taken[stranger])) + "\".";
        return;
    }
    if (taken.empty() || !named.known()) {
        if (!reading.named.known())
            takeModels(reading, &findMisspeltModel);
        return;
    }
    for (std::size_t i = 0, count = 0; i < taken.size(); i += count) {
        for (count = 1; i + count < taken.size() && taken[i + count] == taken[i] + count;)
            ++count;
        AskedPiece &piece = reading.take(taken[i], count);
        piece.meaning = named.title + othersText(named.others);
        if (named.model)
            piece.fields = {pathOf(*named.model)};
        else
            Reading::passOver(piece, named.whyNot);
        reading.modelWords = piece.text;
    }
    for (const CatalogueModel *other : named.others)
        reading.asked.candidates.push_back(other->name);
    reading.model = named.model;
    reading.named = std::move(named);
}

namespace {

/// Why there is no model: the name that nobody knows, or that none was named.
std::string whyNoModel(const Reading &reading)
{
    for (const SentenceWord &word : reading.words)
        if (isRepositoryName(word.text) || isUnknownModelName(word.text))
            return "No model is known as \"" +
                   printable(std::string(reading.text.substr(word.begin, word.end - word.begin))) +
                   "\". Open its config.json or its folder instead, or name a model of the "
                   "catalogue, such as qwen3-32b.";
    return "No model is named. Name one of the catalogue, such as qwen3-32b, or its repository on "
           "Hugging Face.";
}

} // namespace

bool placeModel(Reading &reading)
{
    if (!reading.model && reading.statesModel())
        return true;
    std::optional<Sought> &sought = reading.asked.sought;
    if (reading.model && reading.named.isCorrected && sought &&
        sought->kind == Sought::Kind::Models)
        sought.reset(); // the name was found by its spelling, behind the question
    const bool seeksModels = sought && sought->kind == Sought::Kind::Models;
    if (!reading.model && seeksModels && !reading.named.known())
        return true;
    if (!reading.model && reading.asked.whyNot.empty()) {
        reading.asked.whyNot = reading.named.known()
                                   ? reading.named.title + ": " + reading.named.whyNot
                                   : whyNoModel(reading);
    }
    if (!reading.model)
        return false;
    PlanModel &model = reading.plan.model;
    model = {};
    (reading.model->pipeline ? model.pipeline : model.preset) = reading.model->name;
    const bool isTwin = reading.named.title != reading.model->title;
    if (isTwin && !reading.model->pipeline)
        model.knownAs = namedModel(reading.modelWords).model == reading.model ? reading.modelWords
                                                                              : reading.named.title;
    return true;
}

} // namespace vramscope
