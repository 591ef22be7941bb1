// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "ui/trace/trace_document.h"

#include <QScrollArea>

class QLabel;
class QPushButton;

namespace vramscope {

/// Why memory ran out at a device's first failure, what the rest of the step needs as far as the
/// recording tells, and what would help, by cause. All of it can be selected and copied.
class FailurePanel : public QScrollArea
{
    Q_OBJECT

public:
    explicit FailurePanel(std::shared_ptr<const TraceDocument> document, QWidget *parent = nullptr);

    void setUnit(ByteUnit unit);
    /// `study`: null while it is being worked out.
    void showDevice(std::size_t device, const Study *study);

    /// Whether it shows that already: the cursor moves often.
    [[nodiscard]] bool isShowing(std::size_t device, const Study *study) const
    {
        return m_isShown && device == m_device && study == m_study;
    }

    /// The panel's content as plain text.
    [[nodiscard]] QString text() const;

Q_SIGNALS:
    /// A plan of the run is to be made from the recording.
    void planWanted();

protected:
    void changeEvent(QEvent *event) override;

private:
    void refresh();
    [[nodiscard]] bool isKnown() const;
    [[nodiscard]] QString whyText() const;
    [[nodiscard]] QString html() const;

    std::shared_ptr<const TraceDocument> m_document;
    std::size_t m_device = 0;
    const Study *m_study = nullptr;
    ByteUnit m_unit = ByteUnit::Binary;
    bool m_isShown = false;
    QLabel *m_content;
    QPushButton *m_copy;
    QPushButton *m_plan;
};

} // namespace vramscope
