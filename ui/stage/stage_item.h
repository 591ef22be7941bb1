// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/estimate/verdict.h"
#include "core/session/running_order.h"

#include <QStringList>
#include <QWidget>

#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace vramscope {

/// A table that is read from afar: few rows of short texts. Columns without any title have no head.
struct StageTable
{
    QStringList columns;
    std::vector<QStringList> rows;     ///< as many cells each as there are columns
    std::vector<int> words;            ///< columns of words; the others hold figures
    std::optional<std::size_t> strong; ///< the row that stands out
};

/// What is seen of an item: one sentence, and below it a table, a view that is painted large, or
/// the one beside the other.
struct StageScene
{
    QString headline;
    std::shared_ptr<QWidget> view;     ///< has no parent; null: none
    std::optional<Verdict> verdict{};  ///< that the sentence begins with
    std::optional<StageTable> table{}; ///< to the left of the view
    QString question = {};             ///< that the sentence answers
    QString problem = {};              ///< which limits all that is shown; above everything
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
