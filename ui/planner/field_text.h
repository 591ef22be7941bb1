// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "core/base/result.h"
#include "core/plan/field.h"
#include "core/solver/fit_summary.h"

#include <QString>

#include <span>

namespace vramscope {

/// A value of a field as people read it: "8,192", "FSDP mixed bf16", "on", "own config"; "the
/// default" where the field is left out.
[[nodiscard]] QString fieldValueText(const Field &field, const FieldValue &value,
                                     ByteUnit unit = ByteUnit::Binary);

/// "Tensor parallel 4, Pipeline 2".
[[nodiscard]] QString settingsText(std::span<const FieldSetting> settings,
                                   ByteUnit unit = ByteUnit::Binary);

/// Why a value of a field is refused, as its row says it: by the label, not the path.
[[nodiscard]] QString refusalText(const Field &field, const Error &error);

} // namespace vramscope
