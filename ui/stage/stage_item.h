// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/deck/pptx.h"
#include "core/estimate/verdict.h"
#include "core/session/running_order.h"
#include "core/trace/trace.h"

#include <QStringList>
#include <QWidget>

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace vramscope {

/// The visible content of an item: one sentence, and below it a table, a view that is painted
/// large, or the view over the table.
struct StageScene
{
    QString headline;
    std::shared_ptr<QWidget> view;     ///< has no parent; null: none
    std::optional<Verdict> verdict{};  ///< whose word the sentence has
    std::optional<SlideTable> table{}; ///< below the view
    QString kicker = {};               ///< what is shown, in a line below the sentence
    QString problem = {};              ///< limits everything shown; above everything
    QString foot = {};                 ///< where the figures come from, and their range
    QStringList speech = {};           ///< for the speaker: each figure with its source
};

/// One thing that a presentation can show: a figure of a plan, a place of a recording. Keeps what
/// it needs of the document as it was when the item was made; computes nothing before it is shown.
struct StageItem
{
    std::string key; ///< identity, the same while figures change: "answer", "bookmark:leak"
    QString title;   ///< in the running order
    std::function<StageScene()> scene = {};
    bool shown = true;
    QString note = {};
};

/// The items arranged by an order: in its sequence, shown or hidden and with its notes. Items that
/// it does not list follow the same items as in `items`.
[[nodiscard]] std::vector<StageItem> arranged(const std::vector<StageItem> &items,
                                              const RunningOrder &order);

/// The order that turns `items` into `arranged`; leaves out notes that are the items' own.
[[nodiscard]] RunningOrder orderOf(const std::vector<StageItem> &items,
                                   const std::vector<StageItem> &arranged);

/// What is wrong with a recording, a sentence each; `prefix` names it where there are several.
[[nodiscard]] QStringList problemTexts(std::span<const Problem> problems,
                                       const QString &prefix = {});

/// The items with the first problem of their recording above each headline, since it limits all
/// figures. `problems`: sentences.
[[nodiscard]] std::vector<StageItem> behindProblems(std::vector<StageItem> items,
                                                    const QStringList &problems);

} // namespace vramscope
