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

/// A field that a comparison of layouts varies. Where it means nothing in a plan in which the
/// dimensions before it are set, or has no values, one layout stands for all its values.
struct Dimension
{
    const Field *field = nullptr;
    std::vector<FieldValue> values;
};

/// The dimensions of `paths` for a job of `gpus` GPUs, in the order of the document. parallel.data
/// is none of them: it is what the other degrees leave of the GPUs. An error names a path that is
/// unknown or that cannot be varied.
[[nodiscard]] Result<std::vector<Dimension>> dimensionsOf(std::span<const std::string_view> paths,
                                                          const Plan &plan,
                                                          const Settings &settings,
                                                          std::int64_t gpus);

/// The fields that a comparison of layouts over `paths` varies, in the order of the document, or
/// an error as of dimensionsOf().
[[nodiscard]] Result<std::vector<const Field *>>
fieldsToCompare(std::span<const std::string_view> paths);

/// The field at a path, or an error that names the nearest known one.
[[nodiscard]] Result<const Field *> fieldToVary(std::string_view path);

} // namespace vramscope
