// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/replayed/allocations.h"
#include "core/analysis/study/study.h"
#include "core/base/format.h"

#include <QScrollArea>

class QLabel;

namespace vramscope {

/// What a reader of a recording should know first, while nothing is selected and nothing failed:
/// the peak, what it holds by category, the stacks that hold most of it, and what is reserved but
/// idle. Each line leads to its place; all of it can be copied.
class PeakPanel : public QScrollArea
{
    Q_OBJECT

public:
    explicit PeakPanel(QWidget *parent = nullptr);

    void setUnit(ByteUnit unit);
    /// `study`: with a history, and studied.
    void showStudy(const Study *study);
    /// The panel's content as plain text.
    [[nodiscard]] QString text() const;

Q_SIGNALS:
    void eventWanted(EventIndex event);
    void allocationWanted(AllocationIndex allocation);
    /// The bands are to be coloured by category.
    void categoriesWanted();
    /// A plan of the run is to be made from the recording.
    void planWanted();

private:
    /// A line, and where it leads: "event 12", "allocation 3", "categories"; empty for a heading.
    struct Line
    {
        QString text;
        QString target;
    };
    [[nodiscard]] std::vector<Line> lines() const;
    void refresh();
    void follow(const QString &target);

    const Study *m_study = nullptr;
    ByteUnit m_unit = ByteUnit::Binary;
    QLabel *m_content;
};

} // namespace vramscope
