// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/trace/text_panel.h"

#include <optional>

namespace vramscope {

/// Why memory ran out at a device's first failure, what the rest of the step needs as far as the
/// recording shows, and what would help, by cause.
class FailurePanel : public TextPanel
{
    Q_OBJECT

public:
    explicit FailurePanel(QWidget *parent = nullptr);

    /// `study`: of a device with a failure; null while the study is in progress. Free if it is
    /// already shown: the cursor moves often.
    void showStudy(const Study *study);
    [[nodiscard]] QString text() const override;

protected:
    [[nodiscard]] QString html() const override;

private:
    [[nodiscard]] QString whyText() const;

    std::optional<const Study *> m_shown;
};

} // namespace vramscope
