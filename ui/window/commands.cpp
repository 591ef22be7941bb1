// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/commands.h"

#include "ui/support/icons.h"
#include "ui/support/theme.h"

#include <QAction>
#include <QActionGroup>
#include <QKeySequence>
#include <QMenu>
#include <QMenuBar>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

enum class Menu { File, Edit, View, Help };

constexpr QStringView kMenuTitles[] = {u"&File", u"&Edit", u"&View", u"&Help"};

struct Row
{
    Menu menu;
    Command command;
    QStringView text;
    QKeySequence::StandardKey standardKey = QKeySequence::UnknownKey;
    QStringView key = {}; ///< where there is no standard key
    QStringView icon = {};
    int choice = 0; ///< rows of one menu with the same number exclude each other
    bool lineBefore = false;
};

constexpr Row kRows[] = {
    {Menu::File, Command::NewPlan, u"&New plan", QKeySequence::New, {}, u"plus"},
    {Menu::File, Command::Open, u"&Open…", QKeySequence::Open, {}, u"open"},
    {Menu::File, Command::Save, u"&Save", QKeySequence::Save, {}, u"save", 0, true},
    {Menu::File, Command::SaveAs, u"Save &as…", QKeySequence::UnknownKey, u"Ctrl+Shift+S"},
    {Menu::File, Command::ExportPicture, u"&Export picture…", QKeySequence::UnknownKey, u"Ctrl+E",
     u"picture"},
    {Menu::File,
     Command::CloseTab,
     u"&Close tab",
     QKeySequence::UnknownKey,
     u"Ctrl+W",
     {},
     0,
     true},
    {Menu::File, Command::Quit, u"&Quit", QKeySequence::UnknownKey, u"Ctrl+Q"},
    {Menu::Edit, Command::Undo, u"&Undo", QKeySequence::Undo, {}, u"undo"},
    {Menu::Edit, Command::Redo, u"&Redo", QKeySequence::Redo, {}, u"redo"},
    {Menu::Edit, Command::CopyPicture, u"&Copy picture", QKeySequence::UnknownKey, u"Ctrl+Shift+C",
     u"copy", 0, true},
    {Menu::View,
     Command::UnitBinary,
     u"Sizes in Gi&B (2³⁰ bytes)",
     QKeySequence::UnknownKey,
     {},
     {},
     1},
    {Menu::View,
     Command::UnitDecimal,
     u"Sizes in &GB (10⁹ bytes)",
     QKeySequence::UnknownKey,
     {},
     {},
     1},
    {Menu::View,
     Command::AppearanceSystem,
     u"As the &desktop",
     QKeySequence::UnknownKey,
     {},
     {},
     2,
     true},
    {Menu::View, Command::AppearanceLight, u"&Light", QKeySequence::UnknownKey, {}, {}, 2},
    {Menu::View, Command::AppearanceDark, u"&Dark", QKeySequence::UnknownKey, {}, {}, 2},
    {Menu::View,
     Command::NextTab,
     u"&Next tab",
     QKeySequence::UnknownKey,
     u"Ctrl+Tab",
     {},
     0,
     true},
    {Menu::View, Command::PreviousTab, u"&Previous tab", QKeySequence::UnknownKey,
     u"Ctrl+Shift+Tab"},
    {Menu::Help, Command::About, u"&About VRAMscope"},
};

QKeySequence keyOf(const Row &row)
{
    return row.standardKey != QKeySequence::UnknownKey ? QKeySequence(row.standardKey)
                                                       : QKeySequence(row.key.toString());
}

} // namespace

Commands::Commands(QMenuBar *bar, QObject *parent)
    : QObject(parent)
{
    QList<QMenu *> menus;
    for (const QStringView title : kMenuTitles)
        menus += bar->addMenu(title.toString());
    QHash<int, QActionGroup *> groups;
    for (const Row &row : kRows) {
        QMenu *menu = menus[static_cast<int>(row.menu)];
        if (row.lineBefore)
            menu->addSeparator();
        QAction *action = menu->addAction(row.text.toString());
        action->setShortcut(keyOf(row));
        action->setProperty("iconName", row.icon.toString());
        if (row.choice != 0) {
            action->setCheckable(true);
            QActionGroup *&group = groups[row.choice];
            if (!group)
                group = new QActionGroup(this);
            group->addAction(action);
        }
        connect(action, &QAction::triggered, this,
                [this, command = row.command] { Q_EMIT chosen(command); });
        m_actions.insert(row.command, action);
        if (row.command == Command::Open)
            m_recentMenu = menu->addMenu(u"Open &recent"_s);
    }
}

void Commands::tint(const Theme &theme)
{
    for (QAction *action : std::as_const(m_actions)) {
        const QString name = action->property("iconName").toString();
        if (!name.isEmpty())
            action->setIcon(tintedIcon(name, theme.dim));
    }
}

} // namespace vramscope
