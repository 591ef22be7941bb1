// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace vramscope {

inline constexpr double kNotch = 120;     ///< the angle that Qt reports for a notch of the wheel
inline constexpr double kZoomStep = 0.85; ///< of the visible range, of one notch

} // namespace vramscope
