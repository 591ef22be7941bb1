// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/planner/plan.h"

#include <QString>

#include <functional>
#include <memory>
#include <variant>

namespace vramscope {

struct SeriesDocument;
struct TraceDocument;

/// What one tab can show: a plan, or a recording read and analysed.
using Document =
    std::variant<Plan, std::shared_ptr<const TraceDocument>, std::shared_ptr<const SeriesDocument>>;

/// How a tab gets its document; runs on a worker thread.
using DocumentReader =
    std::function<Result<Document>(const QString &path, const Progress &progress)>;

/// Reads a plan or a recording, told apart by content and never by name: JSON that speaks of
/// "vramscope" is a plan, everything else is for the readers of recordings. The path may name an
/// example compiled into the program.
[[nodiscard]] Result<Document> readDocument(const QString &path, const Progress &progress);

/// What is opened where `path` is asked for: of a session document, told by content too, the
/// recording beside it, if it is there.
[[nodiscard]] QString documentPath(const QString &path);

} // namespace vramscope
