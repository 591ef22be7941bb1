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

/// A table that is read from afar: few rows of short texts. If no column has a title, there is no
/// header.
struct StageTable
{
    QStringList columns;
    std::vector<QStringList> rows;     ///< one cell per column
    std::vector<int> words;            ///< columns of words; the others contain figures
    std::optional<std::size_t> strong; ///< the highlighted row
};

/// The visible content of an item: one sentence, and below it a table, a view that is painted
/// large, or both side by side.
struct StageScene
{
    QString headline;
    std::shared_ptr<QWidget> view;     ///< has no parent; null: none
    std::optional<Verdict> verdict{};  ///< begins the sentence
    std::optional<StageTable> table{}; ///< to the left of the view
    QString question = {};             ///< answered by the sentence
    QString problem = {};              ///< limits everything shown; above everything
};

/// One thing that a presentation can show: a figure of a plan, a place of a recording. Keeps what
/// it needs of the document as it was when the item was made; computes nothing before it is shown.
struct StageItem
{
    std::string key; ///< identity, the same while figures change: "answer", "bookmark:leak"
    QString title;   ///< in the running order
    QString note;
    bool shown = true;
    std::function<StageScene()> scene;
};

/// The items arranged by an order: in its sequence, shown or hidden and with its notes. Items that
/// it does not list follow the same items as in `items`.
[[nodiscard]] std::vector<StageItem> arranged(const std::vector<StageItem> &items,
                                              const RunningOrder &order);

/// The order that turns `items` into `arranged`; leaves out notes that are the items' own.
[[nodiscard]] RunningOrder orderOf(const std::vector<StageItem> &items,
                                   const std::vector<StageItem> &arranged);

} // namespace vramscope
