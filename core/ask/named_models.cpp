// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ask/named_models.h"

#include "core/base/text.h"
#include "core/catalog/gpu_names.h"
#include "core/catalog/model_names.h"
#include "core/planner/catalogue_shapes.h"

#include <algorithm>
#include <string>
#include <unordered_map>

namespace vramscope {

namespace {

using NameIndex = std::unordered_map<std::string, const CatalogueModel *>;

/// Names before titles before repositories, of which parts of a model have one in common.
const NameIndex &nameIndex()
{
    static const NameIndex index = [] {
        NameIndex all;
        for (const CatalogueModel &model : catalogueModels())
            all.try_emplace(nameKey(model.name), &model);
        for (const CatalogueModel &model : catalogueModels())
            all.try_emplace(nameKey(model.title), &model);
        return all;
    }();
    return index;
}

/// "qwen3-32b" and "Qwen3 32B" as "qwen3", "32b", and "qwen" and "3" besides.
void addParts(std::vector<std::string> &parts, std::string_view name, bool halves)
{
    constexpr std::string_view kBetween = " -_/(),";
    const std::string lower = lowered(name);
    std::string_view rest = lower;
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find_first_of(kBetween), rest.size());
        const std::string_view part = rest.substr(0, end);
        if (!part.empty())
            parts.emplace_back(part);
        const std::size_t digit = std::min(part.find_first_of("0123456789"), part.size());
        if (halves && digit > 1 && digit < part.size()) {
            parts.emplace_back(part.substr(0, digit));
            parts.emplace_back(part.substr(digit));
        }
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
}

/// The parts of each model's names, in the order of the catalogue.
const std::vector<std::vector<std::string>> &modelNameParts()
{
    static const std::vector<std::vector<std::string>> parts = [] {
        std::vector<std::vector<std::string>> all;
        for (const CatalogueModel &model : catalogueModels()) {
            std::vector<std::string> &own = all.emplace_back();
            addParts(own, model.name, true);
            addParts(own, model.title, true);
            addParts(own, model.family, false);
        }
        return all;
    }();
    return parts;
}

bool hasParts(const CatalogueModel &model, const std::vector<std::string> &wanted)
{
    const auto index = static_cast<std::size_t>(&model - catalogueModels().data());
    const std::vector<std::string> &own = modelNameParts()[index];
    return std::ranges::all_of(
        wanted, [&](const std::string &part) { return std::ranges::find(own, part) != own.end(); });
}

} // namespace

const CatalogueModel *modelNamed(std::span<const SentenceWord> words)
{
    const auto found = nameIndex().find(keyOf(words));
    if (found != nameIndex().end())
        return found->second;
    std::string name;
    for (const SentenceWord &word : words)
        name += (name.empty() ? "" : "-") + word.text;
    return findModelRepository(name);
}

bool HintedModels::narrow(std::string_view word)
{
    std::vector<std::string> parts;
    addParts(parts, word, false);
    if (parts.empty())
        return false;
    std::vector<const CatalogueModel *> kept;
    for (const CatalogueModel &model : catalogueModels()) {
        const bool stands = !m_narrowed || std::ranges::find(m_models, &model) != m_models.end();
        if (stands && hasParts(model, parts))
            kept.push_back(&model);
    }
    if (kept.empty())
        return false;
    m_models = std::move(kept);
    m_narrowed = true;
    return true;
}

const CatalogueModel *HintedModels::meant() const
{
    if (m_models.empty())
        return nullptr;
    const auto parameters = [](const CatalogueModel *model) {
        return findCatalogueShape(model->name)->parameters;
    };
    const std::int64_t first = parameters(m_models.front());
    const bool oneShape =
        first > 0 && std::ranges::all_of(m_models, [&](const CatalogueModel *model) {
            return parameters(model) == first;
        });
    if (m_models.size() > 1 && !oneShape)
        return nullptr;
    // From the end: of those of a year the last.
    return *std::max_element(m_models.rbegin(), m_models.rend(),
                             [](const CatalogueModel *one, const CatalogueModel *other) {
                                 return one->year < other->year;
                             });
}

} // namespace vramscope
