// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/profile/profile_document.h"
#include "ui/support/finding_chips.h"

#include <memory>

namespace vramscope {

class ElidedLabel;

/// The top of the page of a profile: what was recorded, where, and a chip for each finding.
class ProfileStrip : public QWidget
{
    Q_OBJECT

public:
    explicit ProfileStrip(const std::shared_ptr<const ProfileDocument> &document,
                          QWidget *parent = nullptr);

    /// What is known only after the page is shown.
    void setFindings(const std::vector<Finding> &findings);

    [[nodiscard]] QSize minimumSizeHint() const override;

Q_SIGNALS:
    void findingChosen(const vramscope::Finding &finding);

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    void fitChips();

    ElidedLabel *m_recorded;
    FindingChips *m_chips;
};

/// "rank 3 of 8 · 109,123 events · 464.6 ms · 6 steps"
/// "GPU 0 was busy for 91.9 % of 49.7 ms": of several that which was idle longest.
[[nodiscard]] QString busyText(const ProfileDocument &document);
[[nodiscard]] QString recordedText(const ProfileDocument &document);

} // namespace vramscope
