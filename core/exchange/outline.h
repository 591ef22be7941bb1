// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/exchange/export.h"
#include "core/exchange/setting_row.h"
#include "core/settings/settings.h"

#include <initializer_list>
#include <map>
#include <set>
#include <vector>

namespace vramscope {

/// The syntax of a tool's file. Every text in it is a word of ours or a name from the catalogue,
/// which YAML and TOML never read as something else.
enum class Syntax {
    Json,
    Toml,
    Yaml,
    Options, ///< of a command line: a true switch has no value, a false one is left out
};

/// Collects a plan's settings for another tool's file: settings are put by key, and fields that the
/// file covers are ticked off, so that the rest can be named.
class Outline
{
public:
    explicit Outline(const Plan &plan);

    [[nodiscard]] const Plan &plan() const { return m_plan; }
    [[nodiscard]] const Settings &settings() const { return m_resolved.settings; }

    /// Puts a setting; its groups precede its key, separated by dots. Without a value it is a
    /// group, which may stay empty.
    void put(std::string_view key, FieldValue value);
    /// Puts a switch if it is on.
    void putIf(bool on, std::string_view key);
    /// Writes the settings of rows, in their order, and covers their fields; a choice without a
    /// word stays uncovered.
    void write(std::span<const SettingRow> rows, std::string_view prefix = {});
    void write(const SettingRow &row, std::string_view prefix = {})
    {
        write(std::span(&row, 1), prefix);
    }
    /// Text before all settings.
    void begin(std::string_view text) { m_head += text; }
    void comment(std::string_view text) { begin("# " + std::string(text) + '\n'); }

    /// If `holds`, the file covers the fields, by settings or by leaving them out.
    void covered(std::initializer_list<FieldPath> fields, bool holds = true);
    /// Whether the plan sets the field, which is then covered.
    [[nodiscard]] bool states(FieldPath field);
    /// The file has something else in place of the field; `text` describes it in a note.
    void changed(FieldPath field, std::string text);
    /// Like changed(), with a note that begins with "is" and the value in force.
    void replaced(FieldPath field, std::string_view text);
    /// The line of a shell that sets the plan's PYTORCH_CUDA_ALLOC_CONF, which is then covered;
    /// empty if the plan has none.
    [[nodiscard]] std::string allocatorLine();

    [[nodiscard]] std::string text(Syntax syntax) const;
    /// A note for each changed field and each uncovered one that the plan sets; `format` as in "a
    /// DeepSpeed JSON".
    [[nodiscard]] std::vector<ImportNote> notes(std::string_view format) const;

private:
    struct Put
    {
        std::string key;
        FieldValue value;
    };

    [[nodiscard]] std::string inGroups(Syntax syntax) const;
    [[nodiscard]] std::string asJson() const;
    [[nodiscard]] std::string asOptions() const;

    const Plan &m_plan;
    ResolvedPlan m_resolved;
    std::string m_head;
    std::vector<Put> m_settings;
    std::set<std::string_view> m_covered;
    std::map<std::string_view, std::string> m_changed;
};

// One function per format.
void writeHfConfig(Outline &outline);
void writeDeepSpeed(Outline &outline);
void writeTorchtitan(Outline &outline);
void writeMegatron(Outline &outline);
void writeVllm(Outline &outline);
void writeAccelerate(Outline &outline);
void writeTrainer(Outline &outline);
void writeTrl(Outline &outline);
void writeAxolotl(Outline &outline);
void writeLlamaFactory(Outline &outline);

} // namespace vramscope
