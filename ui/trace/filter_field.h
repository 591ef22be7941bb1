// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/categories/allocation_filter.h"

#include <QLineEdit>

class QTimer;

namespace vramscope {

/// An input for an allocation filter; see parseAllocationFilter(). An invalid text turns red with
/// the reason in the tooltip, and the former filter stays. Esc empties the field.
class FilterField : public QLineEdit
{
    Q_OBJECT

public:
    explicit FilterField(QWidget *parent = nullptr);

    /// What is wrong with the text; empty if it is valid.
    [[nodiscard]] QString complaint() const { return m_complaint; }
    /// Sets a text as if it had been typed, immediately. An invalid filter keeps everything.
    void setFilter(const QString &text);

Q_SIGNALS:
    /// The user typed another filter; emitted a moment after the last key.
    void filterChanged(const vramscope::AllocationFilter &filter);

protected:
    bool event(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    void parse();

    QTimer *m_rest; // runs while keys follow each other
    QString m_complaint;
    AllocationFilter m_filter;
};

} // namespace vramscope
