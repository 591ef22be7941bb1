// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/categories/categories.h"
#include "core/base/progress.h"
#include "core/reconcile/reconciliation.h"
#include "ui/compare/comparison.h"

#include <memory>

namespace vramscope {

/// What a tab reads that holds a plan against a recording: the recording. Its plan is that of
/// another tab, and changes.
struct ReconcileDocument
{
    ComparedTrace recording; ///< with a document
};

/// What is found out about the device of a recording before any plan is held against it.
struct ReconcileStudy
{
    Steps steps;
    Categories categories;
};

/// Index of the device whose peak is highest: the one that limits a plan.
[[nodiscard]] std::size_t highestDevice(const TraceDocument &document);

[[nodiscard]] std::shared_ptr<const ReconcileStudy> studyToReconcile(const ComparedTrace &recording,
                                                                     const Progress &progress = {});

/// The plan held against the device; both are computed off the GUI thread.
[[nodiscard]] std::shared_ptr<const Reconciliation> heldAgainst(const ComparedTrace &recording,
                                                                const ReconcileStudy &study,
                                                                const Plan &plan,
                                                                const Progress &progress);

} // namespace vramscope
