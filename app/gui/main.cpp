// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/support/icons.h"
#include "ui/window/about.h"
#include "ui/window/command_line.h"

#include <QApplication>
#include <QFile>
#include <QLoggingCategory>

int main(int argc, char **argv)
{
    using namespace Qt::StringLiterals;

    QStringList arguments;
    for (int at = 1; at < argc; ++at)
        arguments += QFile::decodeName(argv[at]);
    const vramscope::CommandLine line = vramscope::parseCommandLine(arguments);
    if (!line.needsApplication())
        return vramscope::runProgram(line);

    if (line.isOffscreen()) {
        qputenv("QT_QPA_PLATFORM", "offscreen");
        // Without a desktop Qt warns of what it misses there; standard error is for our sentence.
        QLoggingCategory::setFilterRules(u"default.warning=false"_s);
    }
    QApplication application(argc, argv);
    QApplication::setApplicationName(u"VRAMscope"_s);
    QApplication::setApplicationVersion(vramscope::programVersion());
    QApplication::setDesktopFileName(u"vramscope"_s);
    QApplication::setWindowIcon(vramscope::applicationIcon());
    return vramscope::runProgram(line);
}
