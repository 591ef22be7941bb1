// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/catalog/catalogue.h"
#include "core/exchange/import.h"
#include "core/planner/field.h"

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>

namespace vramscope {

/// One setting of a foreign file, whatever its syntax.
struct ForeignSetting
{
    std::string key;   ///< "zero_optimization.stage", "--num-layers"
    FieldValue value;  ///< monostate where it is null; a bare flag is true
    std::string place; ///< as a note names it
    bool taken = false;
};

/// A word of another tool and the plan's word for the same choice.
struct WordPair
{
    std::string_view theirs;
    std::string_view ours;
};

/// One foreign file on its way into a plan: settings are taken by key and set as fields. What
/// cannot be read or set becomes a note, and so does what nobody took.
class Translation
{
public:
    using Keys = std::initializer_list<std::string_view>; ///< spellings of one meaning

    Translation(Plan base, std::vector<ForeignSetting> settings);

    [[nodiscard]] const Plan &plan() const { return m_plan; }

    /// The setting of the first of `keys` that is stated, of equal keys the last; nullptr where
    /// none is. All of them count as taken. Notes that follow name its place.
    const ForeignSetting *take(Keys keys);
    [[nodiscard]] bool has(std::string_view key) const;
    /// Whether a setting is stated whose key begins like that.
    [[nodiscard]] bool hasWithin(std::string_view prefix) const;
    /// Takes all settings whose keys begin like that, in their order.
    std::vector<const ForeignSetting *> takeWithin(std::string_view prefix);
    /// Takes all settings whose keys begin like that; whether there is one.
    bool takeAll(std::string_view prefix);
    /// The same as a value; nothing where it is not stated, or is no such value, which is noted.
    std::optional<std::int64_t> count(Keys keys);
    std::optional<double> number(Keys keys);
    std::optional<bool> flag(Keys keys);
    std::optional<std::string> text(Keys keys);

    /// Sets a field of the plan; a note where the plan cannot hold the value.
    void set(FieldPath field, const FieldValue &value);
    /// Takes back all that the plan states of a group, "model".
    void clear(std::string_view group);
    /// Goes on from what another import made of this plan, with its notes on what bears on memory.
    void absorb(Imported imported);
    /// Takes a setting and sets it as the field, whose kind says how it is read.
    void carry(FieldPath field, Keys keys);
    /// Takes a word and sets its counterpart; a note where it is none of them.
    void translate(FieldPath field, Keys keys, std::span<const WordPair> words);

    void note(std::string text) { note(m_place, std::move(text)); }
    void note(std::string place, std::string text);

    /// Notes what was not taken: one note for all keys that bear on no memory (of `harmless`, a
    /// word that ends with '*' stands for all that begin like it; `parts` may stand before them),
    /// one for each other key.
    Imported finish(std::string format, std::span<const std::string_view> harmless,
                    std::span<const std::string_view> parts = {}) &&;

private:
    void wrongValue(const ForeignSetting &setting, std::string_view wanted);

    Plan m_plan;
    std::vector<ForeignSetting> m_settings;
    std::vector<ImportNote> m_notes;
    std::size_t m_unwritten = 0; ///< notes beyond the longest list
    std::string m_place;
};

/// Sets the model that a Hugging Face repository holds; nullptr where plans know none by that name,
/// with a note.
const CatalogueModel *setModel(Translation &translation, std::string_view repository);

/// GPUs that the degrees of a plan other than data parallel multiply to.
[[nodiscard]] std::int64_t gpusPerReplica(const Plan &plan);

/// Where a plan states its GPUs: the data-parallel degree that uses them all, as `parallel.data`; a
/// note where the other degrees do not divide them.
void fillDataParallel(Translation &translation);

} // namespace vramscope
