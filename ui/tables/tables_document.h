// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/progress.h"
#include "core/profile/profiler_tables.h"
#include "core/table/table.h"
#include "ui/document/document.h"

#include <QStringList>

#include <memory>
#include <vector>

namespace vramscope {

/// Tables of nsys stats or Nsight Compute as they are shown. Made off the GUI thread, then shared.
struct TablesDocument : Document
{
    std::shared_ptr<const ProfilerTables> tables;
    /// At least one. Of Nsight Compute the kernels over all their launches before the launches.
    std::vector<DataTable> shown;

    [[nodiscard]] std::unique_ptr<DocumentPage> makePage(const QString &title, const QString &path,
                                                         QWidget *parent) const override;
    [[nodiscard]] DocumentKind kind() const override;
    void gatherNames(Redaction &redaction) const override;
    [[nodiscard]] DocumentPointer withoutNames(const Redaction &redaction,
                                               const Progress &progress) const override;
};

/// Takes no time: cells are made when they are shown.
[[nodiscard]] std::shared_ptr<const TablesDocument>
analyse(std::shared_ptr<const ProfilerTables> tables, const Progress & = {});

/// What the file holds: "Nsight Compute: 124 launches of 12 kernels".
[[nodiscard]] QString tablesHeadline(const ProfilerTables &tables);
/// What limits it, a sentence each: lines left out, what its times are not, what it lacks.
[[nodiscard]] QStringList tablesNotes(const ProfilerTables &tables);

} // namespace vramscope
