// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/replayed/allocations.h"
#include "ui/trace/text_panel.h"

#include <vector>

namespace vramscope {

/// The first facts of a recording, while nothing is selected and nothing failed: the peak, its
/// bytes by category, the stacks with the most of them, and memory that is reserved but idle. Each
/// line links to its place.
class PeakPanel : public TextPanel
{
    Q_OBJECT

public:
    explicit PeakPanel(QWidget *parent = nullptr);

    /// `study`: of the memory in use at the peak, or, without a history, when the snapshot was
    /// taken.
    void showStudy(const Study *study);
    [[nodiscard]] QString text() const override;

Q_SIGNALS:
    void eventWanted(EventIndex event);
    void allocationWanted(AllocationIndex allocation);
    /// The bands are to be coloured by category.
    void categoriesWanted();

protected:
    [[nodiscard]] QString html() const override;

private:
    /// A line of a table, and where it leads: "event 12", "allocation 3", "categories".
    struct Line
    {
        QString size;
        QString share; ///< of the peak; may be empty
        QString what;
        QString target;
    };
    /// Lines under a heading.
    struct Section
    {
        QString heading;
        std::vector<Line> lines;
    };
    [[nodiscard]] Line peakLine() const;
    [[nodiscard]] std::vector<Section> sections() const;
    void follow(const QString &target);
};

} // namespace vramscope
