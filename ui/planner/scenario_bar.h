// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include <vector>

class QHBoxLayout;
class QLabel;
class QToolButton;

namespace vramscope {

class ScenarioList;

/// The pinned scenarios as buttons with their letters, and the button that pins (Ctrl+Shift+P). A
/// letter opens what can be done with its scenario; the baseline has its letter between brackets.
class ScenarioBar : public QWidget
{
    Q_OBJECT

public:
    explicit ScenarioBar(QWidget *parent = nullptr);

    /// Follows a list, which outlives this widget.
    void setList(ScenarioList *list);
    [[nodiscard]] QToolButton *pinButton() const { return m_pin; }
    /// Says that the plan is that scenario already, and puts the focus on it.
    void showPinned(std::size_t index);
    /// What showPinned() said holds no more.
    void forgetPinned();
    [[nodiscard]] QString notice() const;
    /// One button a scenario, in the order of the list.
    [[nodiscard]] const std::vector<QToolButton *> &letters() const { return m_letters; }

Q_SIGNALS:
    void pinWanted();
    void bringBackWanted(std::size_t index);

private:
    void rebuild();
    [[nodiscard]] QToolButton *makeLetter(std::size_t index);
    void askName(std::size_t index);

    ScenarioList *m_list = nullptr;
    QToolButton *m_pin;
    QLabel *m_notice;
    QHBoxLayout *m_row;
    std::vector<QToolButton *> m_letters;
};

} // namespace vramscope
