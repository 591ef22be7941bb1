// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/offscreen/present_command.h"
#include "ui/offscreen/render.h"
#include "ui/offscreen/report_command.h"

#include <QString>
#include <QStringList>

namespace vramscope {

/// The request to the program.
struct CommandLine
{
    enum class Mode {
        Window,
        Check, ///< open the window without a screen, see every page come up, end
        Render,
        Report,
        Present,
        Help,
        Version,
        Mistake, ///< bad arguments
    };
    Mode mode = Mode::Window;
    QStringList files;
    bool compares = false;   ///< the files are compared in one tab; else each has its own
    bool reconciles = false; ///< the first, a plan, is compared with the second, a recording
    RenderRequest render;
    ReportRequest report;
    PresentRequest present;
    QString message; ///< the help requested, or the error in the arguments

    /// Whether there is something to draw.
    [[nodiscard]] bool needsApplication() const { return mode == Mode::Window || isOffscreen(); }
    /// Whether it must work without a display.
    [[nodiscard]] bool isOffscreen() const
    {
        return mode == Mode::Check || mode == Mode::Render || mode == Mode::Report ||
               mode == Mode::Present;
    }
};

/// `arguments` without the program's name.
[[nodiscard]] CommandLine parseCommandLine(const QStringList &arguments);

/// Carries it out, with a QApplication where needsApplication(). Gives the exit status.
int runProgram(const CommandLine &line);

/// Opens the window with these files (none: an example plan and an example trace), waits until each
/// is read and its page painted, and closes it again. Fails with a sentence about the first tab
/// that shows no page. Touches no settings of the user and writes nothing.
[[nodiscard]] Outcome checkWindow(QStringList files);

} // namespace vramscope
