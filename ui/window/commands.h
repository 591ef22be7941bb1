// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QObject>

#include <span>

class QAction;
class QMenu;
class QMenuBar;

namespace vramscope {

struct Theme;

/// Everything that the menus offer.
enum class Command {
    NewPlan,
    Open,
    Save,
    SaveAs,
    ExportPicture,
    Report,
    ReportWithoutNames,
    ExportPresentation,
    CloseTab,
    Quit,
    Undo,
    Redo,
    Copy,
    CopyPicture,
    Paste,
    ImportSettings,
    ExportPlan,
    Fit,
    Peak,
    Back,
    Forward,
    UnitBinary,
    UnitDecimal,
    AppearanceSystem,
    AppearanceLight,
    AppearanceDark,
    CompareFile,
    CompareWithRecording,
    CompareWithPlan,
    PlanFromRecording,
    OpenRanks,
    CopyRecipe,
    NextTab,
    PreviousTab,
    Present,
    ArrangeOrder,
    AddBookmark,
    NextBookmark,
    PreviousBookmark,
    Help,
    Trust,
    About
};

/// The shortcut of a command as menus show it; empty if it has no shortcut.
[[nodiscard]] QString keyText(Command command);

/// A command with a shortcut: its menu, the shortcut and its description, worded as in the menus.
struct CommandKey
{
    QString menu;
    QString key;
    QString text;
};

/// In the order of the menus.
[[nodiscard]] QList<CommandKey> commandKeys();

/// The menus and their actions, made from one table. Says which command was chosen; carries out
/// none.
class Commands : public QObject
{
    Q_OBJECT

public:
    Commands(QMenuBar *bar, QObject *parent);

    [[nodiscard]] QAction *action(Command command) const { return m_actions.value(command); }
    /// "Open recent" and "Open an example", filled by their owner.
    [[nodiscard]] QMenu *recentMenu() const { return m_recentMenu; }
    [[nodiscard]] QMenu *examplesMenu() const { return m_examplesMenu; }
    /// "Compare with an open trace", filled by its owner.
    [[nodiscard]] QMenu *compareMenu() const { return m_compareMenu; }
    /// "Compare with an open recording" and "… an open plan", filled by their owner.
    [[nodiscard]] QMenu *recordingsMenu() const { return m_recordingsMenu; }
    [[nodiscard]] QMenu *plansMenu() const { return m_plansMenu; }
    void tint(const Theme &theme);

Q_SIGNALS:
    void chosen(vramscope::Command command);

private:
    QHash<Command, QAction *> m_actions;
    QMenu *m_recentMenu = nullptr;
    QMenu *m_examplesMenu = nullptr;
    QMenu *m_compareMenu = nullptr;
    QMenu *m_recordingsMenu = nullptr;
    QMenu *m_plansMenu = nullptr;
};

} // namespace vramscope
