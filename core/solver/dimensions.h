// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/plan/field.h"

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace vramscope {

struct Settings;

/// A field that a comparison of layouts varies. Where it has no meaning in a plan with the
/// dimensions before it set, or has no values, one layout represents all its values.
struct Dimension
{
    const Field *field = nullptr;
    std::vector<FieldValue> values;
};

/// The dimensions of `paths` for a job of `gpus` GPUs, in the order of the document. parallel.data
/// is never one: it follows from the other degrees and the GPUs. An error names a path that is
/// unknown or that cannot be varied.
[[nodiscard]] Result<std::vector<Dimension>> dimensionsOf(std::span<const std::string_view> paths,
                                                          const Plan &plan,
                                                          const Settings &settings,
                                                          std::int64_t gpus);

/// The fields that a comparison of layouts over `paths` varies, in the order of the document, or
/// the error of dimensionsOf().
[[nodiscard]] Result<std::vector<const Field *>>
fieldsToCompare(std::span<const std::string_view> paths);

/// The field at a path, or an error that names the nearest known one.
[[nodiscard]] Result<const Field *> fieldToVary(std::string_view path);

} // namespace vramscope
