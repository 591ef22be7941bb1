// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>

namespace vramscope {

/// Called now and then by long work with the fraction done (0 to 1); returns false to cancel.
/// An empty function means: no one listens, run to the end.
using Progress = std::function<bool(double)>;

} // namespace vramscope
