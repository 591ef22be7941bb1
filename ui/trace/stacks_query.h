// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/stacks/stack_tree.h"
#include "ui/trace/trace_document.h"

namespace vramscope {

/// Allocations to count: an entry for each, 0 to leave it out; null: all.
using KeptAllocations = std::shared_ptr<const std::vector<std::uint8_t>>;

/// A query for a call tree.
struct StacksQuery
{
    std::size_t device = 0;
    CallTree::Direction direction = CallTree::Direction::TopDown;
    bool hideFramework = false; ///< in addition to the plumbing, which is always hidden
    KeptAllocations kept;
    EventIndex live = -1; ///< the event of Cost::Live
    bool operator==(const StacksQuery &) const = default;
};

/// The call tree for a query: linear in the device's allocations and in its distinct stacks.
[[nodiscard]] std::shared_ptr<const StackTree>
stackTree(const TraceDocument &document, const StacksQuery &query, const Progress &progress = {});

/// Whether building that tree fits in a frame: a few milliseconds.
[[nodiscard]] bool isQuick(const TraceDocument &document, const StacksQuery &query);

} // namespace vramscope
