// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/replayed/allocations.h"
#include "ui/trace/text_panel.h"

#include <vector>

namespace vramscope {

/// What a reader of a recording should know first, while nothing is selected and nothing failed:
/// the peak, what it holds by category, the stacks that hold most of it, and what is reserved but
/// idle. Each line leads to its place.
class PeakPanel : public TextPanel
{
    Q_OBJECT

public:
    explicit PeakPanel(QWidget *parent = nullptr);

    /// `study`: of what was in use at the peak, or, without a history, when it was taken.
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
