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

/// Each part that is large enough to be seen as a bar of its own.
[[nodiscard]] std::shared_ptr<QWidget> partsView(const PartBytes &parts, ByteUnit unit);

/// A waterfall whose few rows fill the place; `emptyText` where there is none.
[[nodiscard]] std::shared_ptr<QWidget> waterfallView(const std::vector<WaterfallBar> &bars,
                                                     const QString &emptyText, ByteUnit unit);

/// A table that is described once, as high as its rows; an audience presses no buttons.
[[nodiscard]] std::shared_ptr<QWidget> tableView(const DataTable &table, ByteUnit unit);
/// A table of facts, as high as its rows.
[[nodiscard]] std::shared_ptr<QWidget> tableView(const QString &name, const QStringList &columns,
                                                 std::vector<int> words, std::vector<FactRow> rows);

/// The table of a scene beside its view, or what it has of both; null where it has neither.
[[nodiscard]] std::shared_ptr<QWidget> sceneView(const StageScene &scene);

/// A scene on the ground that its view has on a page: that of a card.
[[nodiscard]] StageScene onCard(StageScene scene);

} // namespace vramscope
