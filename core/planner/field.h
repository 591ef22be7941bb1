// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/planner/field_value.h"

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

/// One field of the plan document: everything that reading, writing, validating and editing it
/// needs to know. The table of all fields is the only place where a field is listed.
struct Field
{
    std::string_view path;  ///< "batch.micro_batch"
    std::string_view label; ///< "Micro-batch"
    std::string_view help;  ///< one sentence
    FieldKind kind;
    double minimum =
        0; ///< of Count, Counts, Size and Number; inclusive. Where it is -1, 0 is not allowed
    double maximum = 0; ///< below 2^53, so that a double holds every value. Products of several
                        ///< fields may still leave 64 bits: formulas count in Exact.
    std::span<const std::string_view> choices{};
    FieldValue (*get)(const Plan &) = nullptr;
    void (*set)(Plan &,
                const FieldValue &) = nullptr; ///< the value has the field's type or is monostate
    FieldValue (*inForce)(const Settings &) = nullptr; ///< what resolve() made of it
};

/// All fields, in the order of the document.
[[nodiscard]] std::span<const Field> planFields();
/// The field at a path, or nullptr.
[[nodiscard]] const Field *findField(std::string_view path);

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
