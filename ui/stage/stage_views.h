// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "ui/charts/waterfall.h"
#include "ui/stage/stage_item.h"
#include "ui/support/fact_table.h"

namespace vramscope {

struct DataTable;

// Views of the other pages as an audience sees them.

/// Every part large enough for a visible bar of its own.
[[nodiscard]] std::shared_ptr<QWidget> partsView(const PartBytes &parts, ByteUnit unit);

/// A waterfall whose few rows fill the place; `emptyText` if it has no bars.
[[nodiscard]] std::shared_ptr<QWidget> waterfallView(const std::vector<WaterfallBar> &bars,
                                                     const QString &emptyText, ByteUnit unit);

/// A table that is described once; an audience presses no buttons.
[[nodiscard]] std::shared_ptr<QWidget> tableView(const DataTable &table, ByteUnit unit);
[[nodiscard]] std::shared_ptr<QWidget> tableView(const SlideTable &table);
/// The texts of its shown columns, in these rows of it.
[[nodiscard]] SlideTable slideTable(const DataTable &table, const std::vector<FactRow> &rows);

/// The view of a scene over its table, or the one it has; null if it has neither.
[[nodiscard]] std::shared_ptr<QWidget> sceneView(const StageScene &scene);

/// A scene on the same background as its view on a page: that of a card.
[[nodiscard]] StageScene onCard(StageScene scene);

} // namespace vramscope
