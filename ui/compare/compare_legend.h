// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "ui/compare/comparison.h"

#include <QWidget>

class QBoxLayout;

namespace vramscope {

/// The recordings of a comparison in one line: letter, line and name of each as a button that hides
/// and shows its curve, and where a recording holds several devices, which of them.
class CompareLegend : public QWidget
{
    Q_OBJECT

public:
    explicit CompareLegend(QWidget *parent = nullptr);

    void setTraces(const ComparisonDocument &document);
    void setUnit(ByteUnit unit);

Q_SIGNALS:
    void shownChanged(std::size_t trace, bool shown);
    void deviceChosen(std::size_t trace, std::size_t device);

protected:
    void changeEvent(QEvent *event) override;

private:
    void refresh();
    void addTrace(std::size_t at);

    ComparisonDocument m_document;
    std::vector<bool> m_shown;
    ByteUnit m_unit = ByteUnit::Binary;
    QBoxLayout *m_row;
};

/// A piece of the line that a recording is drawn with.
[[nodiscard]] QIcon lineSample(std::size_t trace, qreal pixelRatio);

} // namespace vramscope
