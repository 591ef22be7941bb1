// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/field.h"

#include <span>
#include <string_view>

namespace vramscope {

/// The rows under a heading of the form, in its order.
struct FieldTable
{
    std::string_view group;
    std::span<const Field> rows;
};

// All tables, in the order of the form.
[[nodiscard]] std::span<const FieldTable> modelTables();    ///< model, hardware, images and videos
[[nodiscard]] std::span<const FieldTable> parallelTables(); ///< batch, parallelism
[[nodiscard]] std::span<const FieldTable> trainingTables(); ///< precision … loss
[[nodiscard]] std::span<const FieldTable> servingTables();  ///< adapters … run

} // namespace vramscope
