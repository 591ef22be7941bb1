// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/exchange/import.h"
#include "core/readers/file_kind.h"
#include "ui/document/document.h"

#include <QStringList>

#include <functional>
#include <vector>

namespace vramscope {

/// Reads the document of a tab; runs on a worker thread.
using DocumentReader =
    std::function<Result<DocumentPointer>(const QString &path, const Progress &progress)>;

/// Reads a plan or a recording, recognised by content and never by name: JSON with "vramscope" is a
/// plan, as is one inside a report; core/exchange converts what it recognises to a plan; the
/// readers of recordings handle everything else. A folder contains the ranks of a run. The path may
/// name an example compiled into the program, or be trustPath().
[[nodiscard]] Result<DocumentPointer> readDocument(const QString &path, const Progress &progress);

/// The same for a profiler trace, with its Python functions.
[[nodiscard]] Result<DocumentPointer> readWithPython(const QString &path, const Progress &progress);

/// The path to open for `path`: for a session document, also recognised by content, the recording
/// next to it, if it exists.
[[nodiscard]] QString documentPath(const QString &path);

/// Files to compare, not read yet.
[[nodiscard]] std::vector<ComparedTrace> toCompare(const QStringList &files);
/// The comparison of snapshots, or of two profiler traces; for a profiler trace and a snapshot of
/// the same run, the snapshot overlaid on the trace. Those without a document are first read from
/// their path. An error names its file.
[[nodiscard]] Result<DocumentPointer> readComparison(std::vector<ComparedTrace> traces,
                                                     const DocumentReader &reader,
                                                     const Progress &progress);
/// The snapshot to compare a plan with, read from its path if it has no document; without a device,
/// the one with the highest peak. An error names the file.
[[nodiscard]] Result<DocumentPointer>
readReconciliation(ComparedTrace recording, const DocumentReader &reader, const Progress &progress);

/// The kind of a file, or of an example compiled into the program.
[[nodiscard]] FileKind fileKind(const QString &path);

/// The maximum size of another tool's settings file.
inline constexpr qint64 kLongestSettings = 1 << 20;
/// A file of another tool, imported over the plan `base`; nothing if it is no such file or cannot
/// be read.
[[nodiscard]] std::optional<Imported> importedFile(const Plan &base, const QString &path);

} // namespace vramscope
