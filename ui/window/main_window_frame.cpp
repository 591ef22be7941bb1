// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/page/layout.h"
#include "ui/window/commands.h"
#include "ui/window/main_window.h"

#include <QAction>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QMenuBar>
#include <QPushButton>
#include <QStatusBar>
#include <QToolButton>

#include <algorithm>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr Command kExports[] = {
    Command::ExportPicture,      Command::CopyPicture,        Command::Report,
    Command::ReportWithoutNames, Command::ExportPresentation, Command::ExportPlan};

} // namespace

void MainWindow::makeStatusBar()
{
    constexpr QMargins kAround{16, 0, 0, 0};
    m_unitButton = new QToolButton(this);
    m_unitButton->setPopupMode(QToolButton::InstantPopup);
    m_unitButton->setToolTip(u"The unit of sizes everywhere"_s);
    m_unitButton->addAction(m_commands->action(Command::UnitBinary));
    m_unitButton->addAction(m_commands->action(Command::UnitDecimal));
    m_status = new QLabel(this);
    m_status->setTextFormat(Qt::PlainText);
    m_status->setContentsMargins(kAround);
    statusBar()->setSizeGripEnabled(false);
    statusBar()->addWidget(m_status, 1);
    statusBar()->addPermanentWidget(m_unitButton);
    connect(statusBar(), &QStatusBar::messageChanged, this, &MainWindow::showFrame);
}

void MainWindow::makeCorners()
{
    constexpr int kAround = 6; // above and below buttons of 28 pixels
    if (!menuBar()->isNativeMenuBar()) {
        auto *menus = new QMenu(this);
        menus->addActions(menuBar()->actions());
        m_menuButton = new QToolButton(this);
        m_menuButton->setFixedSize(32, 28);
        m_menuButton->setToolTip(u"Menu (Alt)"_s);
        m_menuButton->setAccessibleName(u"Menu"_s);
        connect(m_menuButton, &QToolButton::clicked, menus, [this, menus] {
            menus->popup(m_menuButton->mapToGlobal(m_menuButton->rect().bottomLeft()));
        });
        m_tabs->setCornerWidget(panel(row({m_menuButton}, 0, {8, kAround, 0, kAround})),
                                Qt::TopLeftCorner);
    }
    auto *exports = new QMenu(this);
    for (const Command command : kExports)
        exports->addAction(m_commands->action(command));
    m_exportButton = new QPushButton(u"Export"_s);
    m_exportButton->setMenu(exports);
    m_presentButton = new QPushButton(u"Present"_s);
    m_presentButton->setToolTip(keyText(Command::Present));
    connect(m_presentButton, &QPushButton::clicked, m_commands->action(Command::Present),
            &QAction::trigger);
    m_tabs->setCornerWidget(
        panel(row({m_exportButton, m_presentButton}, 8, {8, kAround, 16, kAround})));
}

void MainWindow::showFrame()
{
    statusBar()->setVisible(!m_status->text().isEmpty() ||
                            !statusBar()->currentMessage().isEmpty());
    const auto isOffered = [this](Command command) {
        return m_commands->action(command)->isEnabled();
    };
    m_exportButton->setVisible(std::ranges::any_of(kExports, isOffered));
    m_presentButton->setVisible(isOffered(Command::Present));
    m_tabs->layOut();
}

} // namespace vramscope
