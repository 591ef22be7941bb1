// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/planner/verdict.h"
#include "core/session/running_order.h"

#include <QString>
#include <QWidget>

#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace vramscope {

/// What is seen of an item: one sentence, and below it a view that is painted large.
struct StageScene
{
    QString headline;
    std::shared_ptr<QWidget> view;    ///< has no parent; null: the sentence alone
    std::optional<Verdict> verdict{}; ///< that the sentence begins with
};

/// One thing that a presentation can show: a figure of a plan, a place of a recording. Holds what
/// it needs of the document as it was when the item was made; works nothing out before it is shown.
struct StageItem
{
    std::string key; ///< what it is, the same while figures change: "answer", "bookmark:leak"
    QString title;   ///< in the running order
    QString note;
    bool shown = true;
    std::function<StageScene()> scene;
};

/// The items as an order says: in its sequence, shown and with the notes that it holds. Items that
/// it does not know follow those that they follow by themselves.
[[nodiscard]] std::vector<StageItem> arranged(const std::vector<StageItem> &items,
                                              const RunningOrder &order);

/// The order that makes `items` what `arranged` is; notes that are the items' own stay with them.
[[nodiscard]] RunningOrder orderOf(const std::vector<StageItem> &items,
                                   const std::vector<StageItem> &arranged);

} // namespace vramscope
