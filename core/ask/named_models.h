// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ask/sentence_words.h"

#include <span>
#include <string_view>
#include <vector>

namespace vramscope {

struct CatalogueModel;

/// The model that the words name in full: as plans do, by its title, or by its repository on
/// Hugging Face, that of a fine-tune included; nullptr where they name none.
[[nodiscard]] const CatalogueModel *modelNamed(std::span<const SentenceWord> words);

/// Models by parts of their names, "llama" and "8b".
class HintedModels
{
public:
    /// Keeps the models that have the word as a part of their name too. False, and nothing changes,
    /// where none has.
    bool narrow(std::string_view word);

    /// Nothing before a word was taken.
    [[nodiscard]] const std::vector<const CatalogueModel *> &models() const { return m_models; }
    /// The model that is meant: the only one, or of several that are one shape the newest, since
    /// their memory is the same. nullptr: it is not known which.
    [[nodiscard]] const CatalogueModel *meant() const;

private:
    std::vector<const CatalogueModel *> m_models;
    bool m_narrowed = false;
};

} // namespace vramscope
