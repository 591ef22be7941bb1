// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/findings/finding.h"
#include "core/base/format.h"
#include "ui/trace/trace_document.h"

#include <QWidget>

class QComboBox;
class QBoxLayout;
class QHBoxLayout;
class QLabel;
class QPushButton;

namespace vramscope {

class ElidedLabel;

/// The top line of the trace page: the device, what was recorded, the peaks, and the findings as
/// chips that go to their place.
class TraceStrip : public QWidget
{
    Q_OBJECT

public:
    explicit TraceStrip(std::shared_ptr<const TraceDocument> document, QWidget *parent = nullptr);

    /// Call this again when more of the device is known.
    void setDevice(std::size_t device);
    void setUnit(ByteUnit unit);
    /// For low windows: chips that do not fit next to the figures move into a menu, and the line on
    /// what was recorded is left out if it leaves no room for any.
    void setOneLine(bool oneLine);

    [[nodiscard]] QSize minimumSizeHint() const override;

Q_SIGNALS:
    void deviceChosen(std::size_t device);
    void eventWanted(EventIndex event);
    /// The reader wants to know why an allocation failed.
    void failureWanted();

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    void refresh();
    /// Arranges figures and chips side by side if both have room, else the chips below; chips that
    /// do not fit there either go into a menu.
    void arrange();
    [[nodiscard]] int figuresWidth(bool withRecorded) const;
    void fitChips(int room);
    void addChips();
    void follow(const Finding &finding, QWidget *from);
    [[nodiscard]] QString explanationOf(const Finding &finding) const;
    [[nodiscard]] QString recordedText() const;

    std::shared_ptr<const TraceDocument> m_document;
    std::size_t m_device = 0;
    ByteUnit m_unit = ByteUnit::Binary;
    QComboBox *m_devices;
    ElidedLabel *m_recorded;
    QLabel *m_active;
    QLabel *m_reserved;
    QHBoxLayout *m_figures;
    QHBoxLayout *m_chips;
    QBoxLayout *m_rows;
    std::vector<Finding> m_findings;
    std::vector<QPushButton *> m_chipButtons; // one a finding
    QPushButton *m_more = nullptr;            // the findings without room
    bool m_isOneLine = false;
};

} // namespace vramscope
