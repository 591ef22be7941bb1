// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/planner/choice_box.h"

namespace vramscope {

class PresetPopup;

/// The box of the architecture: shows its name and opens a PresetPopup. Typing on it opens the list
/// with what is typed.
class PresetBox : public ChoiceBox
{
    Q_OBJECT

public:
    explicit PresetBox(QWidget *parent = nullptr);

    void showPopup() override;
    void hidePopup() override;
    /// Null until it has been opened once.
    [[nodiscard]] PresetPopup *popup() const { return m_popup; }

protected:
    void keyPressEvent(QKeyEvent *event) override;

private:
    PresetPopup *m_popup = nullptr;
};

} // namespace vramscope
