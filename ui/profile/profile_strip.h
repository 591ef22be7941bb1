// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/profile_findings.h"
#include "ui/profile/profile_document.h"

#include <QWidget>

#include <memory>
#include <vector>

class QHBoxLayout;
class QPushButton;

namespace vramscope {

class ElidedLabel;

/// The top of the page of a profile: what was recorded, where, and a chip for each finding.
class ProfileStrip : public QWidget
{
    Q_OBJECT

public:
    explicit ProfileStrip(std::shared_ptr<const ProfileDocument> document,
                          QWidget *parent = nullptr);

    /// What is known only after the page is shown.
    void setFindings(const std::vector<ProfileFinding> &findings);

    [[nodiscard]] QSize minimumSizeHint() const override;

Q_SIGNALS:
    void findingChosen(vramscope::ProfileFinding::Kind kind);

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    void fitChips();
    QPushButton *addChip(const QString &text, const QString &tip);

    std::shared_ptr<const ProfileDocument> m_document;
    ElidedLabel *m_recorded;
    QHBoxLayout *m_chips;
    std::vector<QPushButton *> m_buttons;
    QPushButton *m_more = nullptr;
};

/// "rank 3 of 8 · 109,123 events · 464.6 ms · 6 steps"
[[nodiscard]] QString recordedText(const ProfileDocument &document);
/// "Exposed communication"
[[nodiscard]] QString titleOf(ProfileFinding::Kind kind);

} // namespace vramscope
