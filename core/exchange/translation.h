// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/csv.h"
#include "core/catalog/catalogue.h"
#include "core/exchange/import.h"
#include "core/exchange/setting_row.h"

#include <cstdint>
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

/// The first row of a table of resources/tools/ that is of the tool and the key, or nullptr. A key
/// of the table that ends with '*' stands for all that begin with it.
[[nodiscard]] const CsvRow *rowOfKey(const CsvTable &table, std::string_view tool,
                                     std::string_view key);

/// One foreign file on its way into a plan: settings are taken by key and set as fields. What
/// cannot be read or set becomes a note, and so does what nobody took.
class Translation
{
public:
    /// Spellings of one setting, divided by blanks: "--tensor-parallel-size -tp".
    using Keys = std::string_view;

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
    /// Whether the setting is true; `usual` where it is not stated.
    bool isOn(Keys keys, bool usual = false) { return flag(keys).value_or(usual); }

    /// Sets a field of the plan; a note where the plan cannot hold the value.
    void set(FieldPath field, const FieldValue &value);
    /// Takes back all that the plan states of a group, "model".
    void clear(std::string_view group);
    /// Goes on from what another import made of this plan, with its notes on settings that affect
    /// memory.
    void absorb(Imported imported);
    /// Takes the settings of rows, in their order, and sets them as fields: as the field's kind
    /// reads them, or by the row's words, with a note where it is none of them. `prefixes` may
    /// precede each key; they are divided by blanks.
    void read(std::span<const SettingRow> rows, Keys prefixes = {});
    void carry(FieldPath field, Keys keys) { read(SettingRow{keys, field}); }
    void translate(FieldPath field, Keys keys, std::span<const WordPair> words)
    {
        read(SettingRow{keys, field, Writes::Always, words});
    }
    void read(const SettingRow &row) { read(std::span(&row, 1)); }
    /// Adds the remark of each row whose setting asks for it.
    void remark(std::span<const RemarkRow> rows);
    void remark(const RemarkRow &row) { remark(std::span(&row, 1)); }

    void note(std::string text) { note(m_place, std::move(text)); }
    void note(std::string place, std::string text);
    /// Notes that a setting is this word: "is \"word\"" and the text.
    void noteWord(std::string_view word, std::string_view text, std::size_t most = 40);

    /// Adds a note for each setting that nobody took, and one note for all that do not affect
    /// memory: keys of the tool in resources/tools/no_memory.csv. `parts` may precede them.
    Imported finish(std::string format, std::string_view tool,
                    std::span<const std::string_view> parts = {}) &&;

private:
    void wrongValue(const ForeignSetting &setting, std::string_view wanted);
    bool setFrom(const SettingRow &row, Keys keys);

    Plan m_plan;
    std::vector<ForeignSetting> m_settings;
    std::vector<ImportNote> m_notes;
    std::size_t m_unwritten = 0; ///< notes beyond the longest list
    std::string m_place;
};

/// Sets the model that a Hugging Face repository holds; nullptr where plans know none by that name,
/// with a note.
const CatalogueModel *setModel(Translation &translation, std::string_view repository);

/// Micro-batches of a step, from the sequences of all GPUs in one; a note where they are no
/// multiple of one pass.
void importGlobalBatch(Translation &translation, std::int64_t sequences);

/// GPUs that the degrees of a plan other than data parallel multiply to.
[[nodiscard]] std::int64_t gpusPerReplica(const Plan &plan);

/// Where a plan states its GPUs: the data-parallel degree that uses them all, as `parallel.data`; a
/// note where the other degrees do not divide them.
void fillDataParallel(Translation &translation);

} // namespace vramscope
