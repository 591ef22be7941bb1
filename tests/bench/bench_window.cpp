// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// How long the first window takes, in milliseconds since main() began, as one line of JSON.
#include "ui/support/icons.h"
#include "ui/window/main_window.h"
#include "ui/window/preferences.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QTemporaryDir>

#include <cstdio>

int main(int argc, char **argv)
{
    using namespace vramscope;
    QElapsedTimer since;
    since.start();
    QApplication application(argc, argv);
    QApplication::setWindowIcon(applicationIcon());
    const auto connected = since.elapsed();

    const QTemporaryDir folder;
    MainWindow::Options options;
    options.preferencesFile = folder.filePath(QStringLiteral("settings.ini"));
    options.desktopDark = desktopIsDark();
    MainWindow window(std::move(options));
    const auto built = since.elapsed();

    window.show();
    QApplication::processEvents();
    window.repaint();
    const auto painted = since.elapsed();
    std::printf("{\"connected_ms\": %lld, \"built_ms\": %lld, \"painted_ms\": %lld}\n",
                static_cast<long long>(connected), static_cast<long long>(built),
                static_cast<long long>(painted));
    return 0;
}
