// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/export/report_figure.h"
#include "ui/profile/breakdown_bar.h"
#include "ui/stage/stage_item.h"

#include <memory>
#include <string>
#include <vector>

namespace vramscope {

/// Whether bars are as long as their spans beside the longest one's, or each as long as any.
enum class BarScale { Common, Each };

/// Bars as an audience sees them; below them, in the room that they leave, the view of a scene.
[[nodiscard]] std::shared_ptr<QWidget> stagedBars(std::vector<BarTimes> times, BarScale scale,
                                                  const StageScene &below);

/// Bars as a report shows them.
[[nodiscard]] ReportFigure barsFigure(std::string id, std::vector<BarTimes> times, BarScale scale);

} // namespace vramscope
