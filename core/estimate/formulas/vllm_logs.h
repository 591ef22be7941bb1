// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/catalog/empirical.h"

namespace vramscope {

struct Settings;

/// Memory outside PyTorch as a start-up log of vLLM states it for this release, GPU and layout, of
/// resources/measured/outside_torch. Null: no such log is known.
[[nodiscard]] const Empirical *loggedNonTorch(const Settings &settings);

} // namespace vramscope
