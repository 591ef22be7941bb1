// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/timeline/event_axis.h"
#include "ui/trace/trace_view.h"

#include <QWidget>

class QButtonGroup;
class QBoxLayout;
class QTabBar;

namespace vramscope {

class FilterField;

/// The line above the middle of the trace page: the view, the filter, and the unit of the x axis.
/// The user chooses by click or Ctrl+1 … Ctrl+9; / goes to the filter. Two lines if one is too
/// narrow.
class ViewBar : public QWidget
{
    Q_OBJECT

public:
    explicit ViewBar(QWidget *parent = nullptr);

    [[nodiscard]] TraceView view() const;
    void setView(TraceView view);
    /// Disables a view, with the reason as its tooltip; an empty reason enables it.
    void setUnavailable(TraceView view, const QString &reason);
    void setAxisKind(EventAxis::Kind kind);
    void setHasTimes(bool times);
    /// Without a history there is no choice of x axis.
    void setHasHistory(bool history);
    [[nodiscard]] FilterField *filter() const { return m_filter; }

    [[nodiscard]] QSize minimumSizeHint() const override;

Q_SIGNALS:
    void viewChosen(vramscope::TraceView view);
    void axisChosen(vramscope::EventAxis::Kind kind);

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    void choose(int index);

    QBoxLayout *m_rows; // one, or one above the other
    QBoxLayout *m_rest; // controls right of the views, or under them
    QTabBar *m_views;
    FilterField *m_filter;
    QButtonGroup *m_axes;
};

} // namespace vramscope
