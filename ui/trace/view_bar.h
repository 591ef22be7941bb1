// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/timeline/event_axis.h"
#include "ui/trace/trace_view.h"

#include <QWidget>

class QAbstractButton;
class QButtonGroup;

namespace vramscope {

/// The line above the middle of the trace page: which view, and what the x axis counts. The user
/// chooses by click or Ctrl+1 … Ctrl+7.
class ViewBar : public QWidget
{
    Q_OBJECT

public:
    explicit ViewBar(QWidget *parent = nullptr);

    [[nodiscard]] TraceView view() const;
    void setView(TraceView view);
    /// A view that cannot be shown, with the reason as its tooltip; an empty reason enables it.
    void setUnavailable(TraceView view, const QString &reason);
    void setAxisKind(EventAxis::Kind kind);
    void setHasTimes(bool times);

Q_SIGNALS:
    void viewChosen(vramscope::TraceView view);
    void axisChosen(vramscope::EventAxis::Kind kind);

private:
    [[nodiscard]] QAbstractButton *addButton(const QString &text, QButtonGroup *group, int id);

    QButtonGroup *m_views;
    QButtonGroup *m_axes;
};

} // namespace vramscope
