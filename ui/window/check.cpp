// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/check.h"

#include "ui/offscreen/examples.h"
#include "ui/window/document_tab.h"
#include "ui/window/error_page.h"
#include "ui/window/main_window.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QTemporaryDir>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr qint64 kPatience = 50'000;

/// The first plan and the first trace.
QStringList firstExamples()
{
    QStringList paths;
    for (const bool plan : {true, false}) {
        for (const Example &example : examples()) {
            if (example.plan == plan) {
                paths += example.path;
                break;
            }
        }
    }
    return paths;
}

bool isLoading(const DocumentTab *tab)
{
    return tab->state() == DocumentTab::State::Loading;
}

} // namespace

Outcome checkWindow(QStringList files)
{
    if (files.isEmpty())
        files = firstExamples();
    const QTemporaryDir folder;
    MainWindow::Options options;
    options.preferencesFile = folder.filePath(u"settings.ini"_s);
    MainWindow window(std::move(options));
    window.show();
    window.openFiles(files);

    QElapsedTimer since;
    since.start();
    const auto tabs = window.tabs()->documents();
    while (std::any_of(tabs.begin(), tabs.end(), isLoading)) {
        if (since.elapsed() > kPatience)
            return {1, u"The documents were not read within %1 s."_s.arg(kPatience / 1000)};
        QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents, 50);
    }
    for (DocumentTab *tab : tabs) {
        if (tab->state() == DocumentTab::State::Failed)
            return {1, u"%1: %2"_s.arg(tab->path(), tab->errorPage()->sentence())};
        window.tabs()->setCurrentWidget(tab);
        QCoreApplication::processEvents();
        if (!tab->page()->isVisible() || tab->page()->picture().isNull())
            return {1, u"%1: its page did not come up."_s.arg(tab->path())};
    }
    return {};
}

} // namespace vramscope
