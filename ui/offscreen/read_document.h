// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/exchange/import.h"
#include "core/readers/file_kind.h"
#include "ui/document/compared_trace.h"
#include "ui/document/document.h"

#include <QStringList>

#include <functional>
#include <vector>

namespace vramscope {

/// How a tab gets its document; runs on a worker thread.
using DocumentReader =
    std::function<Result<DocumentPointer>(const QString &path, const Progress &progress)>;

/// Reads a plan or a recording, told apart by content and never by name: JSON that speaks of
/// "vramscope" is a plan, so is one that a report holds, what core/exchange recognises becomes one,
/// everything else is for the readers of recordings. A folder is that of the ranks of a run. The
/// path may name an example compiled into the program, or be trustPath().
[[nodiscard]] Result<DocumentPointer> readDocument(const QString &path, const Progress &progress);

/// The same of a profiler trace, with its Python functions.
[[nodiscard]] Result<DocumentPointer> readWithPython(const QString &path, const Progress &progress);

/// What is opened where `path` is asked for: of a session document, told by content too, the
/// recording beside it, if it is there.
[[nodiscard]] QString documentPath(const QString &path);

/// Files that are to be compared, not read yet.
[[nodiscard]] std::vector<ComparedTrace> toCompare(const QStringList &files);
/// The comparison of snapshots, or of two profiler traces; of a profiler trace and a snapshot of
/// the same run, the one laid over the other. Those without a document are read from their path
/// first. An error names the one it is of.
[[nodiscard]] Result<DocumentPointer> readComparison(std::vector<ComparedTrace> traces,
                                                     const DocumentReader &reader,
                                                     const Progress &progress);
/// The snapshot with which a plan is compared, read from its path where it has no document;
/// without a device, that with the highest peak. An error names the file.
[[nodiscard]] Result<DocumentPointer>
readReconciliation(ComparedTrace recording, const DocumentReader &reader, const Progress &progress);

/// What a file is, or an example that is compiled into the program.
[[nodiscard]] FileKind fileKind(const QString &path);

/// No file of settings of another tool is longer.
inline constexpr qint64 kLongestSettings = 1 << 20;
/// A file of another tool with a plan below it; nothing where it is no such file or cannot be read.
[[nodiscard]] std::optional<Imported> importedFile(const Plan &base, const QString &path);

} // namespace vramscope
