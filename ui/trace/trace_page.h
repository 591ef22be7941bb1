// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "ui/trace/trace_document.h"

#include <QWidget>

class QLabel;
class QVBoxLayout;

namespace vramscope {

class ActiveMemoryView;
class AllocationPanel;
class LiveTable;
class Overview;
class TimelineState;
class TraceStrip;

/// The page of one open trace: a strip of figures and findings, the overview, the timeline, the
/// selected allocation and what was live by stack. It explains itself where there is nothing to
/// draw. Draws from a constant document; knows no file.
class TracePage : public QWidget
{
    Q_OBJECT

public:
    explicit TracePage(std::shared_ptr<const TraceDocument> document, QWidget *parent = nullptr);

    void setUnit(ByteUnit unit);
    /// Shows another device; `device` is an index into TraceDocument::devices.
    void showDevice(std::size_t device);

    /// One line for the status bar: the cursor's event, time and active bytes; the visible range.
    [[nodiscard]] QString statusText() const;

    [[nodiscard]] TimelineState *state() const { return m_state; }

Q_SIGNALS:
    void statusChanged(const QString &text);

private:
    [[nodiscard]] static QLabel *explanation(const QString &title, const QString &text);
    void buildParts(QVBoxLayout *layout);
    void connectParts();
    void goTo(EventIndex event);
    void updatePanel();

    std::shared_ptr<const TraceDocument> m_document;
    std::size_t m_device = 0;
    ByteUnit m_unit = ByteUnit::Binary;
    TimelineState *m_state;
    // Null while the document has no device.
    TraceStrip *m_strip = nullptr;
    QWidget *m_charts = nullptr; ///< holds the overview and the timeline, or says why not
    Overview *m_overview = nullptr;
    ActiveMemoryView *m_timeline = nullptr;
    QLabel *m_stateOnly = nullptr;
    LiveTable *m_table = nullptr;
    AllocationPanel *m_panel = nullptr;
};

} // namespace vramscope
