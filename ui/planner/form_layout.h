// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/field_path.h"

#include <QString>

#include <span>
#include <string_view>

namespace vramscope {

/// The groups of the settings form, from top to bottom.
enum class FormGroup {
    Model,
    Hardware,
    Picture,
    Batch,
    Parallelism,
    Precision,
    MemorySavers,
    Loss,
    Adapters,
    Rl,
    Inference,
    Overheads,
    Run
};
inline constexpr std::size_t kFormGroupCount = 13;
[[nodiscard]] QString formGroupTitle(FormGroup group);

/// What the slider beside a number offers.
enum class Scale { None, Linear, PowersOfTwo };

/// Where and how a field stands in the form.
struct Placement
{
    FieldPath path;
    FormGroup group = FormGroup::Model;
    bool more = false; ///< in the part that folds
    Scale scale = Scale::None;
    double low = 0; ///< of the slider; the box takes all that the field allows
    double high = 0;
    double step = 1; ///< of a linear scale
};

/// Every field that has a control, in the order of the form.
[[nodiscard]] std::span<const Placement> formPlacements();

/// What a field counts, short enough for its box: "tok", "B"; empty where the label says it or the
/// value carries its unit.
[[nodiscard]] QString fieldUnit(FieldPath path);

/// What people read for a choice of a field: "FSDP mixed bf16" for "fsdp-mixed-bf16".
[[nodiscard]] QString choiceTitle(FieldPath path, std::string_view choice);

} // namespace vramscope
