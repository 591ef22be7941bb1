// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/commands.h"

#include "core/plan/plan.h"
#include "ui/support/icons.h"
#include "ui/support/theme.h"

#include <QAction>
#include <QActionGroup>
#include <QKeySequence>
#include <QMenu>
#include <QMenuBar>

#include <algorithm>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

enum class Menu { File, Edit, View, Plan, Trace, Help };

constexpr QStringView kMenuTitles[] = {u"&File", u"&Edit", u"&View", u"&Plan", u"&Trace", u"&Help"};

enum class Kind { Plain, Choice };

/// Rows of one menu are in its order; a line divides its groups, and the choices of one group
/// exclude each other.
struct Row
{
    Menu menu;
    int group;
    Command command;
    QStringView text;
    QStringView key = {};
    QStringView icon = {};
    Kind kind = Kind::Plain;
};

// clang-format off
constexpr Row kRows[] = {
    {Menu::File, 0, Command::NewPlan,          u"&New plan",                 u"Ctrl+N",         u"plus"},
    {Menu::File, 0, Command::Open,             u"&Open…",                    u"Ctrl+O",         u"open"},
    {Menu::File, 1, Command::Save,             u"&Save",                     u"Ctrl+S",         u"save"},
    {Menu::File, 1, Command::SaveAs,           u"Save &as…",                 u"Ctrl+Shift+S"},
    {Menu::File, 1, Command::ExportPicture,    u"&Export view…",             u"Ctrl+E",         u"picture"},
    {Menu::File, 1, Command::Report,           u"Save as &page…",            u"Ctrl+P"},
    {Menu::File, 1, Command::ReportWithoutNames, u"Save as page &without names…"},
    {Menu::File, 1, Command::ExportPresentation, u"Export prese&ntation…"},
    {Menu::File, 2, Command::CloseTab,         u"&Close tab",                u"Ctrl+W"},
    {Menu::File, 2, Command::Quit,             u"&Quit",                     u"Ctrl+Q"},
    {Menu::Edit, 0, Command::Undo,             u"&Undo",                     u"Ctrl+Z",         u"undo"},
    {Menu::Edit, 0, Command::Redo,             u"&Redo",                     u"Ctrl+Shift+Z",   u"redo"},
    {Menu::Edit, 1, Command::Copy,             u"&Copy",                     u"Ctrl+C",         u"copy"},
    {Menu::Edit, 1, Command::CopyPicture,      u"Copy p&icture and table",   u"Ctrl+Shift+C"},
    {Menu::Edit, 1, Command::Paste,            u"&Paste plan or settings",   u"Ctrl+V"},
    {Menu::View, 0, Command::Fit,              u"&Fit everything",           u"Ctrl+0"},
    {Menu::View, 0, Command::Peak,             u"Go to &peak",               u"P"},
    {Menu::View, 0, Command::Back,             u"&Back to the last range",   u"Alt+Left"},
    {Menu::View, 0, Command::Forward,          u"For&ward again",            u"Alt+Right"},
    {Menu::View, 1, Command::UnitBinary,       u"Sizes in Gi&B (2³⁰ bytes)", {}, {}, Kind::Choice},
    {Menu::View, 1, Command::UnitDecimal,      u"Sizes in &GB (10⁹ bytes)",  {}, {}, Kind::Choice},
    {Menu::View, 2, Command::AppearanceSystem, u"&Desktop's colours",         {}, {}, Kind::Choice},
    {Menu::View, 2, Command::AppearanceLight,  u"&Light colours",            {}, {}, Kind::Choice},
    {Menu::View, 2, Command::AppearanceDark,   u"Dar&k colours",             {}, {}, Kind::Choice},
    {Menu::View, 3, Command::NextTab,          u"&Next tab",                 u"Ctrl+Tab"},
    {Menu::View, 3, Command::PreviousTab,      u"Pre&vious tab",             u"Ctrl+Shift+Tab"},
    {Menu::View, 4, Command::AddBookmark,      u"Book&mark this view",       u"Ctrl+D"},
    {Menu::View, 4, Command::NextBookmark,     u"Next b&ookmark",            u"Ctrl+PgDown"},
    {Menu::View, 4, Command::PreviousBookmark, u"Pr&evious bookmark",        u"Ctrl+PgUp"},
    {Menu::View, 5, Command::Present,          u"P&resent",                  u"F5"},
    {Menu::View, 5, Command::ArrangeOrder,     u"Runn&ing order…",           u"Shift+F5"},
    {Menu::Plan, 0, Command::ImportSettings,   u"&Import settings…",         u"Ctrl+I"},
    {Menu::Plan, 0, Command::ExportPlan,       u"&Export plan as…",          u"Ctrl+Shift+E"},
    {Menu::Plan, 1, Command::CompareWithRecording,    u"Compare with a &recording or log…", u"Ctrl+R"},
    {Menu::Trace, 0, Command::CompareFile,     u"&Compare with a file…",     u"Ctrl+Shift+O"},
    {Menu::Trace, 1, Command::CompareWithPlan,        u"Compare with a &plan…"},
    {Menu::Trace, 1, Command::PlanFromRecording,      u"&Make a plan from this recording"},
    {Menu::Trace, 2, Command::OpenRanks,       u"Open folder of &ranks…",    u"Ctrl+Shift+R"},
    {Menu::Trace, 2, Command::CopyRecipe,      u"Copy the &lines that record PyTorch"},
    {Menu::Help, 0, Command::Help,             u"VRAMscope &help",           u"F1"},
    {Menu::Help, 0, Command::Trust,            u"How far to &trust it"},
    {Menu::Help, 1, Command::About,            u"&About VRAMscope"},
};
// clang-format on

} // namespace

QString keyText(Command command)
{
    const auto row = std::ranges::find(kRows, command, &Row::command);
    return QKeySequence(row->key.toString()).toString(QKeySequence::NativeText);
}

QList<CommandKey> commandKeys()
{
    QList<CommandKey> keys;
    for (const Row &row : kRows) {
        if (row.key.isEmpty())
            continue;
        const QStringView menu = kMenuTitles[static_cast<int>(row.menu)];
        keys += {menu.toString().remove(u'&'), keyText(row.command),
                 row.text.toString().remove(u'&').remove(u'…')};
    }
    return keys;
}

Commands::Commands(QMenuBar *bar, QObject *parent)
    : QObject(parent)
{
    QList<QMenu *> menus;
    for (const QStringView title : kMenuTitles)
        menus += bar->addMenu(title.toString());
    const Row *before = nullptr;
    QActionGroup *choices = nullptr;
    for (const Row &row : kRows) {
        QMenu *menu = menus[static_cast<int>(row.menu)];
        if (!before || before->menu != row.menu || before->group != row.group) {
            if (row.group > 0)
                menu->addSeparator();
            choices = row.kind == Kind::Choice ? new QActionGroup(this) : nullptr;
        }
        before = &row;
        QAction *action = menu->addAction(row.text.toString());
        action->setShortcut(QKeySequence(row.key.toString()));
        action->setProperty("iconName", row.icon.toString());
        if (choices) {
            action->setCheckable(true);
            choices->addAction(action);
        }
        connect(action, &QAction::triggered, this,
                [this, command = row.command] { Q_EMIT chosen(command); });
        m_actions.insert(row.command, action);
        if (row.command == Command::Open) {
            m_recentMenu = menu->addMenu(u"Open &recent"_s);
            m_examplesMenu = menu->addMenu(u"Open an e&xample"_s);
        }
        if (row.command == Command::CompareFile)
            m_compareMenu = menu->addMenu(u"Compare with an &open trace"_s);
        if (row.command == Command::CompareWithRecording)
            m_recordingsMenu = menu->addMenu(u"Compare with an &open recording or log"_s);
        if (row.command == Command::CompareWithPlan)
            m_plansMenu = menu->addMenu(u"Compare with an open p&lan"_s);
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
