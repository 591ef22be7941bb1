// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/memory.h"
#include "ui/jobs/job.h"
#include "ui/support/text.h"
#include "ui/window/about.h"
#include "ui/window/command_line.h"
#include "ui/window/main_window.h"
#include "ui/window/preferences.h"
#include "ui/window/recovery.h"

#include <QApplication>

#include <cstdio>
#include <functional>
#include <new>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

/// Carries out a command, and reports if memory ran out.
Outcome within(const std::function<Outcome()> &command)
{
    try {
        return command();
    } catch (const std::bad_alloc &) {
        return {1, toQString(notEnoughMemory().text())};
    }
}

int say(const Outcome &outcome)
{
    if (!outcome.message.isEmpty())
        std::fprintf(stderr, "vramscope: %s\n", qPrintable(outcome.message));
    return outcome.status;
}

int runWindow(const CommandLine &line)
{
    const int status = [&] {
        MainWindow::Options options;
        options.desktopDark = desktopIsDark();
        MainWindow window(std::move(options));
        window.show();
        window.recovery()->restore();
        if (line.compares)
            window.compareFiles(line.files);
        else if (line.reconciles)
            window.reconcileFiles(line.files[0], line.files[1]);
        else
            window.openFiles(line.files);
        return QApplication::exec();
    }();
    return endJobs(status); // the window is gone, and has cancelled its jobs
}

} // namespace

int runProgram(const CommandLine &line)
{
    switch (line.mode) {
    case CommandLine::Mode::Window:
        return runWindow(line);
    case CommandLine::Mode::Check:
        return say(within([&] { return checkWindow(line.files); }));
    case CommandLine::Mode::Render:
        return say(within([&] { return render(line.render); }));
    case CommandLine::Mode::Report:
        return say(within([&] { return writeReport(line.report); }));
    case CommandLine::Mode::Present:
        return say(within([&] { return writePresentation(line.present); }));
    case CommandLine::Mode::Help:
        std::fputs(qPrintable(line.message), stdout);
        return 0;
    case CommandLine::Mode::Version:
        std::fprintf(stdout, "vramscope %s\n", qPrintable(programVersion()));
        return 0;
    case CommandLine::Mode::Mistake:
        std::fprintf(stderr, "vramscope: %s\n", qPrintable(line.message));
        return 2;
    }
    return 2;
}

} // namespace vramscope
