// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/page/card.h"
#include "ui/profile/profile_document.h"
#include "ui/support/in_unit.h"

#include <memory>

class QFormLayout;
class QLabel;
class QPushButton;

namespace vramscope {

struct Finding;

/// All that is known of the selected event of a profile, and a link to what launched it or what it
/// launched; while none is selected, what the recording shows.
class EventPanel : public SidePanel, public InUnit
{
    Q_OBJECT

public:
    explicit EventPanel(std::shared_ptr<const ProfileDocument> document, QWidget *parent = nullptr);

    /// What is said while nothing is selected.
    void setFindings(const std::vector<Finding> &findings);
    /// An event without a row: none is selected.
    void showEvent(const ProfileEventId &event);
    using SidePanel::showEvent;
    [[nodiscard]] QString text() const override;

Q_SIGNALS:
    void eventWanted(const vramscope::ProfileEventId &event);

private:
    void takeUnit() override { refresh(); }
    void refresh();
    [[nodiscard]] ProfileEventId linked() const;

    std::shared_ptr<const ProfileDocument> m_document;
    ProfileEventId m_event;
    QLabel *m_findings;
    QLabel *m_hint;
    QLabel *m_name;
    QWidget *m_facts;
    QFormLayout *m_form;
    QPushButton *m_link;
};

} // namespace vramscope
