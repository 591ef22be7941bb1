// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace vramscope {

/// The name of a kernel without what changes from build to build: template arguments, parameters,
/// numbers, sizes and hash suffixes. "void at::f<int, 4>(long)" → "at::f",
/// "triton_poi_fused_add_12" → "triton_poi_fused_add". The name itself where nothing would be left.
[[nodiscard]] std::string plainName(std::string_view name);

} // namespace vramscope
