// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ask/named_models.h"

#include "core/ask/name_parts.h"
#include "core/base/text.h"
#include "core/model/catalogue_shapes.h"

#include <algorithm>
#include <optional>
#include <unordered_map>

namespace vramscope {

namespace {

std::string joined(std::span<const SentenceWord> words)
{
    std::string name;
    for (const SentenceWord &word : words)
        name += (name.empty() ? "" : " ") + word.text;
    return name;
}

bool hasParts(const NameEntry &entry, const std::vector<std::string> &wanted)
{
    return std::ranges::all_of(wanted, [&](const std::string &part) {
        return std::ranges::find(entry.parts, part) != entry.parts.end();
    });
}

/// Every name of a model that is computed or could be: those of the catalogue in its order, then
/// what people call them.
const std::vector<NameEntry> &nameEntries()
{
    static const std::vector<NameEntry> entries = [] {
        std::vector<NameEntry> all;
        for (const CatalogueModel &model : catalogueModels()) {
            NameEntry &entry = all.emplace_back(NameEntry{&model, model.title, model.note, {}});
            addNameParts(entry.parts, model.name, true);
            addNameParts(entry.parts, model.title, true);
            addNameParts(entry.parts, model.family, false);
        }
        for (const ModelAlias &alias : modelAliases()) {
            if (!alias.model)
                continue;
            NameEntry &entry =
                all.emplace_back(NameEntry{alias.model, alias.title, alias.note, {}});
            addNameParts(entry.parts, alias.name, true);
            addNameParts(entry.parts, alias.title, true);
        }
        return all;
    }();
    return entries;
}

/// The names that can be misspelt by the numbers in them, which are never corrected.
using SpeltNames = std::unordered_map<std::string, std::vector<SpeltName>>;

const SpeltNames &speltNames()
{
    static const SpeltNames names = [] {
        SpeltNames all;
        const auto add = [&all](std::string_view name) {
            SpeltName spelt = speltName(name);
            if (!spelt.numbers.empty())
                all[spelt.numbers].push_back(std::move(spelt));
        };
        for (const CatalogueModel &model : catalogueModels()) {
            add(model.name);
            add(model.title);
        }
        for (const ModelAlias &alias : modelAliases())
            add(alias.name);
        return all;
    }();
    return names;
}

std::int64_t parametersOf(const CatalogueModel &model)
{
    return findCatalogueShape(model.name)->parameters;
}

/// "The diffusion transformer alone.": nobody means it by the name of the whole.
bool isPartOfModel(const CatalogueModel &model)
{
    return model.note.find("alone") != std::string::npos || model.note.starts_with("One of");
}

/// Drops what fails the test, unless nothing passes it.
template<typename Test>
void prefer(std::vector<const CatalogueModel *> &models, Test test)
{
    if (std::ranges::any_of(models, [&](const CatalogueModel *one) { return test(*one); }))
        std::erase_if(models, [&](const CatalogueModel *one) { return !test(*one); });
}

/// The most downloaded, or a newer one that is downloaded two thirds as often.
const CatalogueModel *mostMeant(const std::vector<const CatalogueModel *> &models)
{
    const auto downloads = [](const CatalogueModel *one) { return downloadsOf(*one); };
    const CatalogueModel *most = *std::ranges::max_element(models, {}, downloads);
    const CatalogueModel *meant = most;
    for (const CatalogueModel *one : models)
        if (one->year > meant->year && 3 * downloadsOf(*one) > 2 * downloadsOf(*most))
            meant = one;
    return meant;
}

} // namespace

NamedModel findNamedModel(std::span<const SentenceWord> words)
{
    NamedModel named = namedModel(joined(words));
    if (named.model)
        named.whyNot = findCatalogueShape(named.model->name)->whyNot;
    return named;
}

NamedModel findMisspeltModel(std::span<const SentenceWord> words)
{
    const SpeltName written = speltName(joined(words));
    const auto alike = speltNames().find(written.numbers);
    if (alike == speltNames().end())
        return {};
    const SpeltName *nearest = nullptr;
    std::size_t fewest = 0;
    for (const SpeltName &name : alike->second) {
        const auto changes = spellingErrors(written, name);
        if (changes && *changes > 0 && (!nearest || *changes < fewest)) {
            nearest = &name;
            fewest = *changes;
        }
    }
    if (!nearest)
        return {};
    NamedModel model = namedModel(nearest->name);
    model.isCorrected = true;
    return model;
}

bool isUnknownModelName(std::string_view word)
{
    const std::string name = lowered(word);
    if (!looksLikeModelName(name) || namedModel(name).known())
        return false;
    const SentenceWord whole{name, 0, name.size(), false};
    if (findMisspeltModel({&whole, 1}).known())
        return false;
    std::vector<std::string> parts;
    addNameParts(parts, name, false);
    std::erase_if(parts, [](const std::string &part) {
        return std::ranges::any_of(
            modelSuffixes(), [&](const ModelSuffix &suffix) { return suffix.suffix == part; });
    });
    return std::ranges::none_of(nameEntries(),
                                [&](const NameEntry &entry) { return hasParts(entry, parts); });
}

const CatalogueModel *modelNamed(std::span<const SentenceWord> words)
{
    const NamedModel named = findNamedModel(words);
    return named.isPublishedQuantised || !named.formatWritten.empty() ? nullptr : named.model;
}

bool HintedModels::keep(const std::vector<std::string> &parts)
{
    std::vector<const NameEntry *> kept;
    for (const NameEntry &entry : nameEntries()) {
        const bool stands = !m_narrowed || std::ranges::find(m_entries, &entry) != m_entries.end();
        if (stands && hasParts(entry, parts))
            kept.push_back(&entry);
    }
    if (kept.empty() || parts.empty())
        return false;
    m_entries = std::move(kept);
    m_narrowed = true;
    m_sized |= std::ranges::any_of(parts, isModelSize);
    m_models.clear();
    for (const NameEntry *entry : m_entries)
        if (std::ranges::find(m_models, entry->model) == m_models.end())
            m_models.push_back(entry->model);
    return true;
}

bool HintedModels::narrow(std::string_view word)
{
    std::vector<std::string> parts;
    addNameParts(parts, word, false);
    if (keep(parts))
        return true;
    const std::string lower = lowered(word);
    const auto [letters, number] = lettersAndNumber(lower);
    return letters.size() > 1 && !number.empty() &&
           keep({std::string(letters), std::string(number)});
}

bool HintedModels::narrowMisspelt(std::string_view word)
{
    const auto [letters, number] = lettersAndNumber(word);
    const std::string_view family = nearestFamily(letters);
    if (family.empty())
        return false;
    std::vector<std::string> parts{std::string(family)};
    if (!number.empty())
        parts.emplace_back(number);
    const bool kept = keep(parts);
    m_corrected |= kept;
    return kept;
}

const CatalogueModel *HintedModels::meant() const
{
    if (m_models.empty())
        return nullptr;
    const std::int64_t first = parametersOf(*m_models.front());
    const bool oneShape =
        first > 0 && std::ranges::all_of(m_models, [&](const CatalogueModel *model) {
            return parametersOf(*model) == first;
        });
    if (m_models.size() > 1 && !oneShape)
        return nullptr;
    // From the end: of those of a year the last.
    return *std::max_element(m_models.rbegin(), m_models.rend(),
                             [](const CatalogueModel *one, const CatalogueModel *other) {
                                 return one->year < other->year;
                             });
}

NamedModel HintedModels::likeliest() const
{
    NamedModel named;
    if (m_models.empty())
        return named;
    std::vector<const CatalogueModel *> models = m_models;
    // A fine-tune of another family is meant where its own name says so, and not by its maker's.
    prefer(models, [this](const CatalogueModel &one) {
        return std::ranges::any_of(m_entries, [&](const NameEntry *entry) {
            return entry->model == &one && entry->title == one.title;
        });
    });
    prefer(models, [](const CatalogueModel &one) { return !isPartOfModel(one); });
    constexpr std::int64_t kSmall = 2'000'000'000;
    if (!m_sized)
        prefer(models, [](const CatalogueModel &one) { return parametersOf(one) >= kSmall; });
    named.model = mostMeant(models);
    const auto entry = std::ranges::find(m_entries, named.model, &NameEntry::model);
    named.title = (*entry)->title;
    named.note = (*entry)->note;
    named.isCorrected = m_corrected;
    named.others = m_models;
    std::erase(named.others, named.model);
    std::ranges::stable_sort(named.others, std::ranges::greater(),
                             [](const CatalogueModel *one) { return downloadsOf(*one); });
    return named;
}

} // namespace vramscope
