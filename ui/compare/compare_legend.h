// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/compare/comparison.h"
#include "ui/support/in_unit.h"

#include <QWidget>

class QComboBox;
class QGridLayout;
class QPushButton;

namespace vramscope {

/// The recordings of a comparison in one line, or two where it is too short: letter, line and name
/// of each as a button that hides and shows its curve, and where a recording holds several devices,
/// which of them.
class CompareLegend : public QWidget, public InUnit
{
    Q_OBJECT

public:
    explicit CompareLegend(QWidget *parent = nullptr);

    void setTraces(const ComparisonDocument &document);
    /// For an audience: the device is part of the name, not to be chosen. Before the traces are
    /// set.
    void showNamesAlone() { m_namesAlone = true; }

Q_SIGNALS:
    void shownChanged(std::size_t trace, bool shown);
    void deviceChosen(std::size_t trace, std::size_t device);

protected:
    void changeEvent(QEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    void takeUnit() override { refresh(); }
    void refresh();
    void addTrace(std::size_t at);
    void arrange();

    ComparisonDocument m_document;
    std::vector<bool> m_shown;
    bool m_namesAlone = false;
    /// A recording's place: its button and the choice of its device.
    struct Cell
    {
        QWidget *whole = nullptr;
        QPushButton *button = nullptr;
        QComboBox *devices = nullptr; ///< null where there is one
    };
    std::vector<Cell> m_cells;
    QGridLayout *m_grid;
};

/// A piece of the line that a recording is drawn with.
[[nodiscard]] QIcon lineSample(std::size_t trace, qreal pixelRatio);

} // namespace vramscope
