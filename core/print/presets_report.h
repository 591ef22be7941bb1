// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"

#include <string>

namespace vramscope {

/// The built-in models and GPUs as one line of JSON: {"models":[{"name","title","family",
/// "parameters":{"total","active"},"layers","hidden","heads","kv_heads","vocabulary","source"}],
/// "gpus":[{"name","title","capacity","memory_bandwidth","host_link","source"}]}; bytes and bytes a
/// second; null what is not known.
[[nodiscard]] std::string presetsJson();

/// The same for people, as two tables.
[[nodiscard]] std::string presetsText(ByteUnit unit = ByteUnit::Binary);

} // namespace vramscope
