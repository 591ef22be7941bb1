// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/categories/groups.h"
#include "core/analysis/costs/call_tree.h"
#include "core/base/format.h"

#include <string>
#include <vector>

namespace vramscope {

/// Groups of one device with their costs.
struct GroupedCosts
{
    const Study &study;
    std::string file;
    GroupBy by = GroupBy::Stack;
    Cost cost = Cost::Peak; ///< that orders the groups
    EventIndex live = -1;   ///< the event of Cost::Live
    EventIndex peak = -1;
    Keys keys;
    std::vector<Costs> costs; ///< by key
    /// Only for GroupBy::Frame: by FrameId, of every stack that the frame is on.
    std::vector<Costs> inclusive;
};

/// Groups and costs from one pass over the allocations. `categories`: by other rules than those of
/// Study::categories().
[[nodiscard]] GroupedCosts groupCosts(const Study &study, const std::string &file, GroupBy by,
                                      Cost cost, EventIndex live,
                                      const Categories *categories = nullptr);

/// All groups as one line of JSON, the largest first: {"file","device","by","cost","live_event",
/// "peak_event","byte_time_unit","total":costs,"groups":[{"text","costs","frames"}]}; frames only
/// by stack, innermost first. By frame, "inclusive" lists frames with what is under them.
[[nodiscard]] std::string groupsJson(const GroupedCosts &grouped);

/// The same for people: the `most` largest groups (0: all) and one line for the others.
[[nodiscard]] std::string groupsText(const GroupedCosts &grouped, std::size_t most,
                                     ByteUnit unit = ByteUnit::Binary);

/// A call tree to print; what it refers to must outlive it.
struct PrintedTree
{
    const Study &study;
    const CallTree &tree;
    std::string file;
    CallTree::Direction direction = CallTree::Direction::TopDown;
    Cost cost = Cost::Peak;
    EventIndex moment = -1; ///< of Cost::Live and Cost::Peak
};

/// One line of JSON: {"file","device","direction","cost","event","nodes":[{"parent","name","file",
/// "line","self":costs,"total":costs}]}; the first node is the root, parents come before children.
[[nodiscard]] std::string treeJson(const PrintedTree &printed);

/// For people: nodes of at least half a percent, with signs where the tree branches.
[[nodiscard]] std::string treeText(const PrintedTree &printed, ByteUnit unit = ByteUnit::Binary);

/// Folded stacks as flame graph scripts read them: a line "root;…;leaf amount" for each node whose
/// own cost is above 0. Line ends and semicolons in names are replaced. `named`: the root is a
/// frame with the file and the device, so that lines of several may stand together.
[[nodiscard]] std::string foldedStacks(const PrintedTree &printed, bool named = false);

/// A sampled profile of speedscope's file format: a sample a node with its own cost as weight.
[[nodiscard]] std::string speedscopeJson(const PrintedTree &printed);

/// One such file with the profiles of several, in their order; frames that they share are put
/// together. `files` are what speedscopeJson() gave, at least one.
[[nodiscard]] std::string joinedSpeedscope(const std::vector<std::string> &files);

} // namespace vramscope
