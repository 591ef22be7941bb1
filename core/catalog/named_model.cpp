// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/catalog/named_model.h"

#include "core/base/text.h"
#include "core/catalog/gpu_names.h"
#include "core/catalog/model_names.h"
#include "core/catalog/shipped_table.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <optional>
#include <unordered_map>

namespace vramscope {

namespace {

/// nameKey() of a repository's name, where "3_3" is written for "3.3".
std::string modelKey(std::string_view name)
{
    std::string text;
    for (std::size_t at = 0; at < name.size(); ++at) {
        const bool inNumber = at > 0 && at + 1 < name.size() && isDigit(name[at - 1]) &&
                              isDigit(name[at + 1]) && name[at] == '_';
        if (inNumber)
            text += '.';
        else if (constexpr std::string_view kBetween = "_:()[],";
                 kBetween.find(name[at]) == kBetween.npos)
            text += name[at];
    }
    return nameKey(text);
}

std::string_view nameInside(std::string_view repository)
{
    return repository.substr(repository.rfind('/') + 1);
}

/// Lowered, with the dashes of typography (U+2010 to U+2015) as the one of the keyboard.
std::string plainName(std::string_view name)
{
    constexpr std::string_view kDashes = "\xE2\x80";
    std::string text;
    for (std::size_t at = 0; at < name.size(); ++at) {
        const std::string_view rest = name.substr(at);
        const bool isDash =
            rest.size() > 2 && rest.starts_with(kDashes) && rest[2] >= '\x90' && rest[2] <= '\x95';
        text += isDash ? '-' : name[at];
        at += isDash ? kDashes.size() : 0;
    }
    return lowered(trimmed(text));
}

struct KnownName
{
    const CatalogueModel *model = nullptr;
    const ModelAlias *alias = nullptr;
};

using KnownNames = std::unordered_map<std::string, KnownName>;

/// "qwen3-30b" of "qwen3-30b-a3b": people leave out the active parameters.
std::string_view withoutActive(std::string_view name)
{
    const std::size_t active = name.rfind("-a");
    const bool sized = active != name.npos && active + 2 < name.size() &&
                       isDigit(name[active + 2]) && name.ends_with('b');
    return sized ? name.substr(0, active) : std::string_view();
}

/// Beginnings that several models have match none of them.
void addShortNames(KnownNames &all)
{
    KnownNames found;
    for (const CatalogueModel &model : catalogueModels()) {
        const std::string_view beginning = withoutActive(model.name);
        if (beginning.empty())
            continue;
        const auto [at, isFirst] = found.try_emplace(modelKey(beginning), KnownName{&model});
        if (!isFirst)
            at->second.model = nullptr;
    }
    for (const auto &[key, known] : found)
        if (known.model)
            all.try_emplace(key, known);
}

/// Names of plans before names in words before titles before repositories; a pipeline before its
/// parts, which share its repository.
const KnownNames &knownNames()
{
    static const KnownNames names = [] {
        KnownNames all;
        const auto models = catalogueModels();
        for (const CatalogueModel &model : models)
            all.try_emplace(modelKey(model.name), KnownName{&model});
        for (const ModelAlias &alias : modelAliases())
            all.try_emplace(modelKey(alias.name), KnownName{alias.model, &alias});
        for (const CatalogueModel &model : models)
            all.try_emplace(modelKey(model.title), KnownName{&model});
        for (const bool pipelines : {true, false})
            for (const CatalogueModel &model : models)
                if (model.pipeline == pipelines)
                    all.try_emplace(modelKey(nameInside(model.repository)), KnownName{&model});
        for (const ModelRepository &repository : modelRepositories())
            all.try_emplace(modelKey(nameInside(repository.name)),
                            KnownName{findCatalogueModel(repository.preset)});
        addShortNames(all);
        return all;
    }();
    return names;
}

bool matches(std::string_view text, std::string_view pattern)
{
    return std::ranges::equal(text, pattern, [](char letter, char wanted) {
        return wanted == '#' ? isDigit(letter) : letter == wanted;
    });
}

/// Among separate words a format has a meaning of its own, and so does a number.
bool isSpoken(const ModelSuffix &suffix)
{
    return !suffix.ofFiles() && suffix.suffix.find_first_of("#0123456789") == std::string::npos;
}

/// The bytes of `name` in the suffix and its separator; 0 where it has no such ending.
std::size_t endingOf(std::string_view name, const ModelSuffix &suffix)
{
    const std::size_t length = suffix.suffix.size();
    if (name.size() < length + 2 || !matches(name.substr(name.size() - length), suffix.suffix))
        return 0;
    const char joint = name[name.size() - length - 1];
    const bool joins = joint == ' ' ? isSpoken(suffix)
                                    : joint == '-' || joint == '_' || joint == '.' || joint == ':';
    return joins ? length + 1 : 0;
}

/// "-instruct-" in a name that continues with the month of its edition.
bool saysInstruct(std::string_view name)
{
    std::string parts = "-" + std::string(name) + "-";
    std::ranges::replace_if(
        parts, [](char c) { return c == ' ' || c == '_' || c == ':'; }, '-');
    return std::ranges::any_of(modelSuffixes(), [&](const ModelSuffix &one) {
        return one.instruct && parts.find("-" + one.suffix + "-") != parts.npos;
    });
}

class NameReader
{
public:
    NamedModel read(std::string_view name)
    {
        std::string text = plainName(name);
        if (const std::size_t slash = text.rfind('/'); slash != text.npos) {
            takeOwner(std::string_view(text).substr(0, slash + 1));
            text.erase(0, slash + 1);
        }
        std::string_view rest = text;
        while (!take(rest))
            if (!cutSuffix(rest))
                return {};
        return std::move(m_read);
    }

private:
    void takeOwner(std::string_view owner)
    {
        for (const ModelSuffix &suffix : modelSuffixes())
            if (suffix.suffix.ends_with('/') && owner.ends_with(suffix.suffix))
                takeFiles(suffix);
    }

    void takeFiles(const ModelSuffix &suffix)
    {
        // "4bit" of files that one engine loads is a format of that engine.
        if (m_read.weightFormat.empty() &&
            (m_read.engine.empty() || m_read.engine == suffix.engine))
            m_read.weightFormat = suffix.weightFormat;
        if (m_read.engine.empty())
            m_read.engine = suffix.engine;
        m_read.isPublishedQuantised |= suffix.ofFiles() && !isHalf(suffix.weightFormat);
    }

    static bool isHalf(std::string_view format)
    {
        constexpr std::array<std::string_view, 3> kWhole = {"bf16", "fp16", "fp32"};
        return isOneOf(format, kWhole);
    }

    /// The unchanged name, if it is known.
    bool take(std::string_view name)
    {
        const auto found = knownNames().find(modelKey(name));
        if (found == knownNames().end())
            return false;
        const KnownName &known = found->second;
        m_read.model = known.model;
        m_read.title = known.alias ? known.alias->title : known.model->title;
        if (known.alias)
            takeAlias(*known.alias);
        else
            m_read.note = known.model->note;
        m_read.title += m_shown;
        m_read.isInstruct |= saysInstruct(name);
        return true;
    }

    void takeAlias(const ModelAlias &alias)
    {
        (alias.model ? m_read.note : m_read.whyNot) = alias.note;
        if (alias.weightFormat.empty() || m_read.isPublishedQuantised)
            return;
        m_read.weightFormat = alias.weightFormat;
        m_read.isPublishedQuantised = true;
    }

    /// The longest known ending; false without one.
    bool cutSuffix(std::string_view &name)
    {
        const ModelSuffix *longest = nullptr;
        std::size_t length = 0;
        for (const ModelSuffix &suffix : modelSuffixes()) {
            const std::size_t ending = endingOf(name, suffix);
            if (ending > length) {
                longest = &suffix;
                length = ending;
            }
        }
        if (!longest)
            return cutBeginning(name);
        const std::string_view written = name.substr(name.size() - length + 1);
        if (longest->format && m_read.formatWritten.empty())
            m_read.formatWritten = written;
        if (longest->ofFiles())
            takeFiles(*longest);
        m_read.isInstruct |= longest->instruct;
        if (!longest->shown.empty())
            m_shown.insert(0, " " + longest->shown);
        else if (longest->suffix.starts_with('#'))
            m_shown.insert(0, " " + std::string(written)); // the month of an edition
        name.remove_suffix(length);
        return true;
    }

    /// The publisher, or the tuner, before the name.
    static bool cutBeginning(std::string_view &name)
    {
        for (const ModelSuffix &suffix : modelSuffixes()) {
            if (suffix.suffix.ends_with('-') && name.starts_with(suffix.suffix)) {
                name.remove_prefix(suffix.suffix.size());
                return true;
            }
        }
        return false;
    }

    NamedModel m_read;
    std::string m_shown; ///< what the endings add to the title
};

} // namespace

std::span<const ModelAlias> modelAliases()
{
    static const std::vector<ModelAlias> aliases = [] {
        std::vector<ModelAlias> all;
        readShippedTable("models/names.csv", [&](const auto &cell) {
            all.push_back({cell("name"), findCatalogueModel(cell("model")), cell("title"),
                           cell("weight_format"), cell("note")});
            assert(all.back().model || (cell("model").empty() && !all.back().note.empty()));
        });
        return all;
    }();
    return aliases;
}

std::span<const ModelSuffix> modelSuffixes()
{
    static const std::vector<ModelSuffix> suffixes = [] {
        std::vector<ModelSuffix> all;
        readShippedTable("models/suffixes.csv", [&](const auto &cell) {
            all.push_back({cell("suffix"), cell("weight_format"), cell("engine"),
                           cell("says") == "instruct", cell("says") == "format", cell("shown")});
            all.back().format |= !all.back().weightFormat.empty();
        });
        return all;
    }();
    return suffixes;
}

int downloadsOf(const CatalogueModel &model)
{
    static const std::unordered_map<std::string, int> downloads = [] {
        std::unordered_map<std::string, int> all;
        readShippedTable("models/popularity.csv", [&](const auto &cell) {
            all[cell("name")] = numberIn<int>(cell("downloads"));
        });
        return all;
    }();
    const auto found = downloads.find(model.name);
    return found == downloads.end() ? 0 : found->second;
}

NamedModel namedModel(std::string_view name)
{
    return NameReader().read(name);
}

} // namespace vramscope
