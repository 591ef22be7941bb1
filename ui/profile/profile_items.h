// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "core/report/report.h"
#include "core/session/session.h"
#include "ui/export/report_figure.h"
#include "ui/profile/profile_document.h"
#include "ui/stage/stage_item.h"

#include <memory>
#include <string>
#include <vector>

namespace vramscope {

/// The answer in one sentence: where the time of the first device went.
[[nodiscard]] QString profileHeadline(const ProfileDocument &document);

/// What a presentation can show: the bar, the timeline, the bookmarks, and the tables.
[[nodiscard]] std::vector<StageItem>
profileItems(const ProfilePointer &document, const std::vector<Bookmark> &bookmarks, ByteUnit unit);

/// What a report tells: the answer, findings, the bar, the timeline, and the tables' first rows.
void addProfileSection(Report &report, const ProfileDocument &document, const std::string &file,
                       std::size_t number, ByteUnit unit);
/// "time-N" and "timeline-N", on a page with slices as far as `options` allow.
[[nodiscard]] std::vector<ReportFigure>
profileFigures(const ProfilePointer &document, std::size_t number, const FigureOptions &options);

} // namespace vramscope
