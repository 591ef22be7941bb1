// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/profile/profile_difference.h"
#include "ui/document/document.h"
#include "ui/profile/profile_document.h"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>

namespace vramscope {

/// Two profiler traces compared, A and B. Constant; made off the GUI thread, then shared.
struct ProfileDifferenceDocument : Document, FilesWork
{
    std::array<ComparedTrace, 2> sides; ///< with their profiles
    DifferenceScope scope;
    ProfileDifference difference;
    /// How far the device spans of each run's complete steps lie apart; none of fewer than three.
    std::array<std::optional<std::int64_t>, 2> spreads;

    [[nodiscard]] const ProfileDocument &profile(std::size_t side) const
    {
        return *sides[side].profile;
    }
    /// Of the first device that both have, B − A; none where they have none.
    [[nodiscard]] std::optional<std::int64_t> spanChange() const;
    /// Whether that is no more than the spread of either run's own steps: nothing that the change
    /// between the runs must have caused. False where no spread is known.
    [[nodiscard]] bool isWithinSpread() const;

    [[nodiscard]] std::unique_ptr<DocumentPage> makePage(const QString &title, const QString &path,
                                                         QWidget *parent) const override;
    [[nodiscard]] DocumentKind kind() const override;
    [[nodiscard]] Caption caption(const QString &title, const QString &file,
                                  ByteUnit unit) const override;
    [[nodiscard]] QStringList files() const override { return {sides[0].path, sides[1].path}; }
    void gatherNames(Redaction &redaction) const override;
    [[nodiscard]] DocumentPointer withoutNames(const Redaction &redaction,
                                               const Progress &progress) const override;
    [[nodiscard]] DocumentPointer withRules(const std::vector<WorkRule> &rules,
                                            const Progress &progress) const override;
    [[nodiscard]] std::vector<Replaced> replacements(const Redaction &redaction) const override;
    [[nodiscard]] Result<std::vector<ReportSource>>
    reportSources(const QString &file) const override;
    void addReportSection(Report &report, const std::string &name, std::size_t number,
                          ByteUnit unit) const override;
    [[nodiscard]] std::vector<ReportFigure>
    reportFigures(std::size_t number, const FigureOptions &options) const override;
};

using DifferencePointer = std::shared_ptr<const ProfileDifferenceDocument>;

/// Both sides hold a profile. Takes a second where there are millions of events.
[[nodiscard]] DifferencePointer compareSides(std::array<ComparedTrace, 2> sides,
                                             const DifferenceScope &scope = {});

} // namespace vramscope
