// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/finding.h"
#include "core/base/format.h"
#include "ui/trace/trace_document.h"

#include <QWidget>

class QComboBox;
class QLabel;

namespace vramscope {

class ElidedLabel;
class FindingChips;

/// The head of the trace page in three lines: file, device and what was recorded; the answer; the
/// peaks and the findings as chips that go to their place.
class TraceStrip : public QWidget
{
    Q_OBJECT

public:
    /// `title` is that of the file.
    TraceStrip(std::shared_ptr<const TraceDocument> document, const QString &title,
               QWidget *parent = nullptr);

    /// Call this again when more of the device is known.
    void setDevice(std::size_t device);
    void setUnit(ByteUnit unit);

    [[nodiscard]] QSize minimumSizeHint() const override;

Q_SIGNALS:
    void deviceChosen(std::size_t device);
    void eventWanted(EventIndex event);
    /// The reader wants to know why an allocation failed.
    void failureWanted();

protected:
    void resizeEvent(QResizeEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    void refresh();
    /// Chips without room go into a menu.
    void arrange();
    void follow(const Finding &finding, QWidget *from);
    /// The answer as rich text.
    [[nodiscard]] QString answer() const;
    [[nodiscard]] QString recordedText() const;
    [[nodiscard]] QString peaksText() const;

    std::shared_ptr<const TraceDocument> m_document;
    std::size_t m_device = 0;
    ByteUnit m_unit = ByteUnit::Binary;
    ElidedLabel *m_title;
    QComboBox *m_devices;
    ElidedLabel *m_recorded;
    QLabel *m_answer;
    QLabel *m_peaks;
    FindingChips *m_chips;
};

} // namespace vramscope
