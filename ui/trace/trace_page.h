// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "ui/trace/trace_document.h"

#include <QWidget>

#include <memory>

namespace vramscope {

/// The page of one open trace: a strip of figures and findings, the overview, the timeline, the
/// selected allocation and what was live by stack. It explains itself where there is nothing to
/// draw. Draws from a constant document; knows no file.
class TracePage : public QWidget
{
    Q_OBJECT

public:
    explicit TracePage(std::shared_ptr<const TraceDocument> document, QWidget *parent = nullptr);
    ~TracePage() override;

    void setUnit(ByteUnit unit);

Q_SIGNALS:
    /// A line for the status bar: the cursor's event, time and active bytes; the visible range.
    void statusChanged(const QString &text);

private:
    struct Parts;
    std::unique_ptr<Parts> m_parts;
};

} // namespace vramscope
