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
    FieldValue value;  ///< monostate for null; a bare flag is true
    std::string place; ///< its name in a note
    bool taken = false;
};

/// The first row of a table of resources/tools/ with this tool and key, or nullptr. A key of the
/// table that ends with '*' matches every key with that beginning.
[[nodiscard]] const CsvRow *rowOfKey(const CsvTable &table, std::string_view tool,
                                     std::string_view key);

/// Translates one foreign file to a plan: settings are taken by key and set as fields. A setting
/// that cannot be read or set gets a note, and so does one that nothing took.
class Translation
{
public:
    /// Spellings of one setting, separated by blanks: "--tensor-parallel-size -tp".
    using Keys = std::string_view;

    Translation(Plan base, std::vector<ForeignSetting> settings);

    [[nodiscard]] const Plan &plan() const { return m_plan; }

    /// The setting with the first of `keys` that exists, the last among equal keys; nullptr if none
    /// exists. All of them count as taken. Notes that follow name its place.
    const ForeignSetting *take(Keys keys);
    [[nodiscard]] bool has(std::string_view key) const;
    /// Whether a setting's key begins with this prefix.
    [[nodiscard]] bool hasWithin(std::string_view prefix) const;
    /// Takes all settings with this prefix, in their order.
    std::vector<const ForeignSetting *> takeWithin(std::string_view prefix);
    /// Takes all settings with this prefix; returns whether one exists.
    bool takeAll(std::string_view prefix);
    /// The setting as a value; nothing if it is missing, or, with a note, if it is not such a
    /// value.
    std::optional<std::int64_t> count(Keys keys);
    std::optional<double> number(Keys keys);
    std::optional<bool> flag(Keys keys);
    std::optional<std::string> text(Keys keys);
    /// Whether the setting is true; `usual` if it is missing.
    bool isOn(Keys keys, bool usual = false) { return flag(keys).value_or(usual); }

    /// Sets a field of the plan; a note if the plan cannot hold the value.
    void set(FieldPath field, const FieldValue &value);
    /// Removes all fields of a group from the plan, "model".
    void clear(std::string_view group);
    /// Continues from the result of another import into this plan, with its notes on settings that
    /// affect memory.
    void absorb(Imported imported);
    /// Takes the settings of rows, in their order, and sets them as fields: by the field's kind, or
    /// by the row's words, with a note for an unknown word. `prefixes`, separated by blanks, may
    /// precede each key.
    void read(std::span<const SettingRow> rows, Keys prefixes = {});
    void carry(FieldPath field, Keys keys) { read(SettingRow{keys, field}); }
    void translate(FieldPath field, Keys keys, std::span<const WordPair> words)
    {
        read(SettingRow{keys, field, Writes::Always, words});
    }
    void read(const SettingRow &row) { read(std::span(&row, 1)); }
    /// Adds the remark of each row whose setting calls for it.
    void remark(std::span<const RemarkRow> rows);
    void remark(const RemarkRow &row) { remark(std::span(&row, 1)); }

    void note(std::string text) { note(m_place, std::move(text)); }
    void note(std::string place, std::string text);
    /// Notes that the file names no GPU.
    void askForGpu(std::string text);
    /// Notes that a setting has this word: "is \"word\"" and the text.
    void noteWord(std::string_view word, std::string_view text, std::size_t most = 40);

    /// Adds a note for each setting that nothing took, and one note for all that do not affect
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

/// Sets the model of a Hugging Face repository; nullptr, with a note, if plans have no model of
/// that name.
const CatalogueModel *setModel(Translation &translation, std::string_view repository);

/// Micro-batches of a step, from the sequences of all GPUs in one; a note if they are not a
/// multiple of one pass.
void importGlobalBatch(Translation &translation, std::int64_t sequences);

/// The product of a plan's degrees other than data parallel, in GPUs.
[[nodiscard]] std::int64_t gpusPerReplica(const Plan &plan);

/// If a plan has its number of GPUs: sets the data-parallel degree that uses them all,
/// `parallel.data`; a note if the other degrees do not divide them.
void fillDataParallel(Translation &translation);

} // namespace vramscope
