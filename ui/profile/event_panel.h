// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "ui/profile/profile_document.h"

#include <QScrollArea>

#include <memory>

class QFormLayout;
class QLabel;
class QPushButton;

namespace vramscope {

/// All that is known of the selected event of a profile, and a link to what launched it or what it
/// launched.
class EventPanel : public QScrollArea
{
    Q_OBJECT

public:
    explicit EventPanel(std::shared_ptr<const ProfileDocument> document, QWidget *parent = nullptr);

    void setUnit(ByteUnit unit);
    /// An event without a row: none is selected.
    void showEvent(const ProfileEventId &event);
    using QScrollArea::showEvent;
    /// What it shows, as text; empty where nothing is selected.
    [[nodiscard]] QString text() const;

Q_SIGNALS:
    void eventWanted(const vramscope::ProfileEventId &event);

private:
    void refresh();
    [[nodiscard]] ProfileEventId linked() const;

    std::shared_ptr<const ProfileDocument> m_document;
    ByteUnit m_unit = ByteUnit::Binary;
    ProfileEventId m_event;
    QLabel *m_hint;
    QLabel *m_name;
    QWidget *m_facts;
    QFormLayout *m_form;
    QPushButton *m_link;
    QPushButton *m_copy;
};

} // namespace vramscope
