// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/costs/category_rules.h"
#include "core/analysis/study/study.h"
#include "core/base/progress.h"
#include "ui/document/document.h"
#include "ui/trace/coloring.h"

#include <memory>
#include <vector>

namespace vramscope {

/// An opened trace, analysed as far as a page shows immediately: the data for every part of the
/// trace page. Made off the GUI thread, then shared.
struct TraceDocument : Document
{
    std::shared_ptr<const Trace> trace;
    std::vector<std::shared_ptr<const Study>> devices; ///< as in Trace::devices()
    std::vector<Coloring> byStack; ///< by device: the colours that a page starts with
    QString rulesProblem;          ///< why the rules next to the recording are not used; or empty

    /// Index of the device to show first.
    [[nodiscard]] std::size_t mainDevice() const { return vramscope::mainDevice(devices); }

    [[nodiscard]] std::unique_ptr<DocumentPage> makePage(const QString &title, const QString &path,
                                                         QWidget *parent) const override;
    [[nodiscard]] DocumentKind kind() const override;
    /// Views of the page, and each of them alone.
    [[nodiscard]] QString unfitText(const QString &view) const override;
    [[nodiscard]] std::optional<std::size_t> deviceIndex(int ordinal) const override;
    void gatherNames(Redaction &redaction) const override;
    [[nodiscard]] DocumentPointer withoutNames(const Redaction &redaction,
                                               const Progress &progress) const override;
    [[nodiscard]] std::vector<Replaced> replacements(const Redaction &redaction) const override;
    [[nodiscard]] Result<std::vector<ReportSource>>
    reportSources(const QString &file) const override;
};

/// Analyses every device, by the built-in rules of categories and those that a user keeps next to
/// the recording. Null if `progress` requested a stop.
[[nodiscard]] std::shared_ptr<const TraceDocument>
analyse(std::shared_ptr<const Trace> trace, const Progress &progress = {},
        Result<std::vector<CategoryRule>> kept = std::vector<CategoryRule>());

/// Makes the analyses of a device that a page cannot wait for: after its first picture, off the GUI
/// thread. Returns the device's study, or null if `progress` requested a stop.
[[nodiscard]] std::shared_ptr<const Study> study(const TraceDocument &document, std::size_t device,
                                                 const Progress &progress = {});

/// Whether study() would give it at once.
[[nodiscard]] bool isStudied(const Study &study);

} // namespace vramscope
