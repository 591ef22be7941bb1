// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/table/table.h"
#include "ui/export/report_figure.h"
#include "ui/profile/breakdown_bar.h"
#include "ui/profile/profile_document.h"
#include "ui/stage/stage_item.h"

#include <QStringList>

#include <functional>
#include <memory>
#include <string>
#include <vector>

class QLabel;

namespace vramscope {

inline constexpr std::size_t kStagedRows = 8; ///< that are read from afar

/// Its first rows and columns, to be read from afar: long names are cut in the middle.
[[nodiscard]] StageScene tableScene(const DataTable &table, ByteUnit unit,
                                    std::size_t most = kStagedRows);

/// The item of such a table, which is made when it is shown.
[[nodiscard]] StageItem tableItem(const QString &name, const QString &title,
                                  std::function<DataTable()> table, ByteUnit unit, bool shown);

/// Whether bars are as long as their spans next to the longest one's, or each as long as any.
enum class BarScale { Common, Each };

/// Bars as an audience sees them; below them, in the room that they leave, the view of a scene.
[[nodiscard]] std::shared_ptr<QWidget> stagedBars(std::vector<BarTimes> times, BarScale scale,
                                                  const StageScene &below);

/// Bars as a report shows them.
[[nodiscard]] ReportFigure barsFigure(std::string id, std::vector<BarTimes> times, BarScale scale);

/// What limits the figures of a recording, a sentence each; `prefix` names the recording where a
/// page shows several.
[[nodiscard]] QStringList problemLines(const ProfileDocument &document, const QString &prefix = {});

/// The lines as a page begins with them, the first ones; all are in its tip. Hidden without any.
[[nodiscard]] QLabel *problemsLabel(const QStringList &problems);
/// Other lines in such a label.
void showProblems(QLabel &label, const QStringList &problems);

/// A warning for each, below the heading of a section of a report.
void addProblems(Report &report, const QStringList &problems);

} // namespace vramscope
