// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/exchange/import.h"
#include "core/planner/plan.h"

#include <QStringList>

#include <functional>
#include <memory>
#include <variant>
#include <vector>

namespace vramscope {

struct ComparedTrace;
struct ComparisonDocument;
struct ReconcileDocument;
struct RankFolder;
struct SeriesDocument;
struct TraceDocument;
struct Validation;

/// What one tab can show: a plan, one made of another tool's file, a recording read and analysed,
/// several of them, one that a plan is held against, or the planner held against measured figures.
using Document =
    std::variant<Plan, Imported, std::shared_ptr<const TraceDocument>,
                 std::shared_ptr<const SeriesDocument>, std::shared_ptr<const ComparisonDocument>,
                 std::shared_ptr<const RankFolder>, std::shared_ptr<const ReconcileDocument>,
                 std::shared_ptr<const Validation>>;

/// How a tab gets its document; runs on a worker thread.
using DocumentReader =
    std::function<Result<Document>(const QString &path, const Progress &progress)>;

/// Reads a plan or a recording, told apart by content and never by name: JSON that speaks of
/// "vramscope" is a plan, so is one that a report holds, what core/exchange recognises becomes one,
/// everything else is for the readers of recordings. A folder is that of the ranks of a run. The
/// path may name an example compiled into the program, or be trustPath().
[[nodiscard]] Result<Document> readDocument(const QString &path, const Progress &progress);

/// What is opened where `path` is asked for: of a session document, told by content too, the
/// recording beside it, if it is there.
[[nodiscard]] QString documentPath(const QString &path);

/// Files that are to be compared, not read yet.
[[nodiscard]] std::vector<ComparedTrace> toCompare(const QStringList &files);
/// The comparison of recordings; those without a document are read from their path first. An error
/// names the one it is of.
[[nodiscard]] Result<Document> readComparison(std::vector<ComparedTrace> traces,
                                              const DocumentReader &reader,
                                              const Progress &progress);
/// The recording that a plan is held against, read from its path where it has no document; without
/// a device, that with the highest peak. An error names the file.
[[nodiscard]] Result<Document>
readReconciliation(ComparedTrace recording, const DocumentReader &reader, const Progress &progress);

/// What dropping a file can mean, told by a glance at its first bytes.
enum class FileKind { Plan, Snapshot, SmiLog, Other };
[[nodiscard]] FileKind fileKind(const QString &path);

} // namespace vramscope
