// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/plan/condition.h"
#include "core/plan/field_path.h"
#include "core/plan/field_value.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>

namespace vramscope {

struct Plan;
struct Settings;

enum class FieldKind {
    Switch,  ///< bool
    Count,   ///< std::int64_t without unit (layers, GPUs, tokens, elements)
    Size,    ///< std::int64_t in bytes
    Number,  ///< double
    Choice,  ///< one of `choices`
    Choices, ///< a list out of `choices`
    Counts,  ///< a list of std::int64_t, each within the range
    Texts,   ///< a list of free texts
    Text,    ///< free text; model.preset and hardware.gpu name catalogue entries
    Object,  ///< model.config
};

/// What a slider next to a number offers; the box takes all that the field allows.
struct Slider
{
    enum class Scale { None, Linear, PowersOfTwo };
    Scale scale = Scale::None;
    double low = 0;
    double high = 0;
    double step = 1; ///< of a linear scale
};

/// One field of the plan document: all that reading, writing, checking, showing and editing it need
/// to know. Its row is the only place where this is written.
struct Field
{
    FieldPath path;         ///< "batch.micro_batch"
    std::string_view label; ///< "Micro-batch"
    std::string_view help;  ///< one sentence
    FieldKind kind;
    /// Of Count, Counts, Size and Number; inclusive. Where the minimum is -1, 0 is not allowed. The
    /// maximum is below 2^53, so that a double holds every value. Products of several fields may
    /// still leave 64 bits: formulas count in Exact.
    double minimum = 0;
    double maximum = 0;
    std::span<const std::string_view> choices{};
    std::span<const std::string_view> titles{}; ///< of `choices`; empty where their words do
    const Condition *condition = nullptr;       ///< when it means something; never null

    std::string_view group{}; ///< its heading in the form: "Memory savers"
    bool folded = false;      ///< in the part of its group that folds
    Slider slider{};
    /// What it counts, short enough for its box: "tok"; empty where the label says it or the value
    /// carries its unit.
    std::string_view unit{};

    FieldValue (*get)(const Plan &) = nullptr;
    /// The value has the field's type or is monostate.
    void (*set)(Plan &, const FieldValue &) = nullptr;
    /// Whether the numbers that a plan states are allowed; nullptr where it states none.
    bool (*isInRange)(const Field &, const Plan &) = nullptr;

    /// What the plan states, or the default, into its settings; nullptr: it is no setting.
    void (*take)(Settings &, const Plan &, const Settings &defaults) = nullptr;
    /// The default that depends on other settings, where the plan states nothing; nullptr: it
    /// depends on none.
    void (*derive)(Settings &, const Plan &) = nullptr;
    /// What the settings hold; nullptr: nothing.
    FieldValue (*inForce)(const Settings &) = nullptr;

    [[nodiscard]] bool applies(const Settings &settings) const { return (*condition)(settings); }
    /// Whether a number is within the range.
    [[nodiscard]] bool allows(double number) const;
};

/// All fields, in the order of the document.
[[nodiscard]] std::span<const Field> planFields();
/// All fields, in the order of the form: those of a group follow each other.
[[nodiscard]] std::span<const Field *const> formFields();
/// The row of a field.
[[nodiscard]] inline const Field &fieldAt(FieldPath path)
{
    return planFields()[path.index()];
}
/// The field at a path that comes from outside, or nullptr.
[[nodiscard]] const Field *findField(std::string_view path);

/// Whether a field may have a value, by type, range and choice. The text of an error names the
/// field.
[[nodiscard]] Result<void> checkValue(const Field &field, const FieldValue &value);
/// Sets a field after checking type, range and choice. On error nothing changes and the text names
/// the field.
[[nodiscard]] Result<void> setField(Plan &plan, const Field &field, const FieldValue &value);

/// The value in force: the document's own, or the default of plan-format.md section 1.1. monostate
/// where a field has no value at all (no GPU named, no such part of the model).
[[nodiscard]] FieldValue effectiveValue(const Plan &plan, const Field &field);
/// The same for many fields of one plan, whose settings resolve() gave.
[[nodiscard]] FieldValue effectiveValue(const Plan &plan, const Settings &settings,
                                        const Field &field);

} // namespace vramscope
