// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ask/sentence_words.h"
#include "core/catalog/named_model.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vramscope {

/// The model that the words name in full: as plans do, by its title, by a repository of any owner,
/// by a tag of Ollama, or by what people call it; known() is false where they name none. Of several
/// words none but the last may hold what is no part of the name: "qwen3 8b q8_0" names none. Of a
/// model whose config is not computed whyNot says so beside it.
[[nodiscard]] NamedModel findNamedModel(std::span<const SentenceWord> words);

/// The model whose name is the nearest to the words, where they differ in one letter of a word, or
/// in two of a long one, and in no number: "lama 3.1 8b". isCorrected is true then.
[[nodiscard]] NamedModel findMisspeltModel(std::span<const SentenceWord> words);

/// Whether the word has the form of a model's name, an owner or a size joined to a name, and
/// nobody's that is known: "foo-8b", "someone/thing-7b". It is no other model by a part of it.
[[nodiscard]] bool isUnknownModelName(std::string_view word);

/// The same where a shape is computed and the name says nothing of the format of its weights;
/// nullptr where not.
[[nodiscard]] const CatalogueModel *modelNamed(std::span<const SentenceWord> words);

/// A model under one of its names, of which the words of a sentence may be parts.
struct NameEntry
{
    const CatalogueModel *model = nullptr;
    std::string_view title;
    std::string_view note;
    std::vector<std::string> parts; ///< of its name, title and family, in small letters
};

/// Models by parts of their names, "llama" and "8b".
class HintedModels
{
public:
    /// Keeps the models that have the word as a part of their name too, or both its letters and its
    /// number: "gemma3". False, and nothing changes, where none has.
    bool narrow(std::string_view word);
    /// The same with a family's name that its letters are nearest to: "lama", "lama3".
    bool narrowMisspelt(std::string_view word);

    /// In the order of the catalogue; nothing before a word was taken.
    [[nodiscard]] const std::vector<const CatalogueModel *> &models() const { return m_models; }
    /// The model that is meant: the only one, or of several that are one shape the newest, since
    /// their memory is the same. nullptr: it is not known which.
    [[nodiscard]] const CatalogueModel *meant() const;
    /// The model that most people mean by the words: the most downloaded, a newer one before one
    /// that is loaded little more. Fine-tunes under another's shape, parts of a model, and models
    /// of less than two billion parameters where no size was said, are meant where nothing else is.
    /// All the rest are its `others`. Not known() before a word was taken.
    [[nodiscard]] NamedModel likeliest() const;

private:
    bool keep(const std::vector<std::string> &parts);

    std::vector<const NameEntry *> m_entries; ///< those that have all words
    std::vector<const CatalogueModel *> m_models;
    bool m_narrowed = false;
    bool m_sized = false; ///< a word was a size, "8b"
    bool m_corrected = false;
};

} // namespace vramscope
