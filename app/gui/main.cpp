// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/memory.h"
#include "core/base/platform.h"
#include "ui/jobs/job.h"
#include "ui/support/file_path.h"
#include "ui/support/icons.h"
#include "ui/support/theme.h"
#include "ui/window/about.h"
#include "ui/window/command_line.h"

#include <QApplication>
#include <QLocale>
#include <QLoggingCategory>

#include <clocale>
#include <new>
#include <string>

namespace {

/// An application in which running out of memory ends only the current operation.
class Application : public QApplication
{
public:
    using QApplication::QApplication;

    bool notify(QObject *receiver, QEvent *event) override
    {
        try {
            return QApplication::notify(receiver, event);
        } catch (const std::bad_alloc &) {
            Q_EMIT vramscope::JobFailures::instance()->happened(
                QString::fromStdString(vramscope::notEnoughMemory().text()));
            return true;
        }
    }
};

} // namespace

int main(int argc, char **argv)
{
    using namespace Qt::StringLiterals;

    QStringList arguments;
    for (const std::string &argument : vramscope::programArguments(argc, argv))
        arguments += vramscope::pathText(argument);
    const vramscope::CommandLine line = vramscope::parseCommandLine(arguments);
    if (!line.needsApplication())
        return vramscope::runProgram(line);

    if (line.isOffscreen()) {
        qputenv("QT_QPA_PLATFORM", "offscreen");
        // Without a desktop Qt warns of missing features; standard error is for our sentence.
        QLoggingCategory::setFilterRules(u"default.warning=false"_s);
    }
    Application application(argc, argv);
    // Every number on the screen and in a file is written in one way, whatever the desktop's is.
    std::setlocale(LC_NUMERIC, "C");
    QLocale::setDefault(QLocale::c());
    QApplication::setApplicationName(u"VRAMscope"_s);
    QApplication::setApplicationVersion(vramscope::programVersion());
    QApplication::setDesktopFileName(u"vramscope"_s);
    QApplication::setFont(vramscope::typeFont()); // before widgets take another one
    QApplication::setWindowIcon(vramscope::applicationIcon());
    return vramscope::runProgram(line);
}
