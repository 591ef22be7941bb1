// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/command_line.h"

#include "ui/compare/comparison.h"
#include "ui/offscreen/argument_values.h"
#include "ui/offscreen/examples.h"
#include "ui/offscreen/render_arguments.h"
#include "ui/offscreen/report_command.h"
#include "ui/support/text.h"
#include "ui/window/document_tab.h"
#include "ui/window/error_page.h"
#include "ui/window/main_window.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QTemporaryDir>

#include <array>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr std::array kProgramOptions{
    cli::Option{"--compare", "", "two to eight recordings against each other in one tab"},
    cli::Option{"--reconcile", "", "a plan against a snapshot of its run: PLAN RECORDING"},
    cli::Option{"--trust", "", "the planner against measured figures"},
    cli::Option{"--check", "",
                "without a screen, and with the examples where no file is named; status 0 when "
                "every page came up"},
    cli::Option{"--version", "", "the version of this program"},
};

constexpr cli::Command kProgram{
    "",
    "[FILE…]",
    "Opens plans, recorded snapshots, curves over time and folders with the snapshots of a run in "
    "the\nwindow.",
    0,
    cli::kAnyNumber,
    kProgramOptions};

const std::array kCommands{&kRenderCommand, &kReportCommand, &kPresentCommand};

/// The help of a command; that of the program lists its commands, that of render its views.
QString helpOf(const cli::Command &command)
{
    std::string commands = "commands:\n";
    for (const cli::Command *each : kCommands)
        commands += cli::helpLine(each->name, each->summary);
    commands += '\n' + cli::helpLine("COMMAND --help", "what a command takes");
    const std::string views = viewsHelp().toStdString() + std::string(command.details);
    cli::Command shown = command;
    if (command.name.empty())
        shown.details = commands;
    if (&command == &kRenderCommand)
        shown.details = views;
    return toQString(cli::helpText("vramscope", shown));
}

CommandLine helpWith(const cli::Command &command)
{
    CommandLine line;
    line.mode = CommandLine::Mode::Help;
    line.message = helpOf(command);
    return line;
}

/// `clause` says what is wrong.
CommandLine mistake(const cli::Command &command, const QString &clause)
{
    const QString name = toQString(command.name);
    CommandLine line;
    line.mode = CommandLine::Mode::Mistake;
    line.message = name.isEmpty() ? u"%1; see vramscope --help."_s.arg(clause)
                                  : u"%1: %2; see vramscope %1 --help."_s.arg(name, clause);
    return line;
}

/// What is wrong with the files to open; empty if nothing is.
QString wrongFiles(const CommandLine &line)
{
    const bool opens = line.mode == CommandLine::Mode::Window;
    if (line.compares && !opens)
        return u"--check opens each file by itself; leave out --compare"_s;
    if (line.reconciles && !opens)
        return u"--check opens each file by itself; leave out --reconcile"_s;
    if (line.reconciles && line.compares)
        return u"--compare is for recordings, --reconcile for a plan and a recording; take one of "
               "them"_s;
    if (line.reconciles && line.files.size() != 2)
        return u"--reconcile needs a plan and a recording"_s;
    if (line.compares && !isComparable(std::size_t(line.files.size())))
        return u"--compare needs two to %1 recordings"_s.arg(kMostCompared);
    return {};
}

/// Reads the arguments of the program itself; returns what is wrong, or nothing.
QString readArguments(const cli::Arguments &arguments, CommandLine &line)
{
    line.files = filesOf(arguments);
    line.compares = arguments.has("--compare");
    line.reconciles = arguments.has("--reconcile");
    if (arguments.has("--trust"))
        line.files += trustPath();
    if (arguments.has("--check"))
        line.mode = CommandLine::Mode::Check;
    if (arguments.has("--version"))
        line.mode = CommandLine::Mode::Version;
    return line.mode == CommandLine::Mode::Version ? QString() : wrongFiles(line);
}

} // namespace

CommandLine parseCommandLine(const QStringList &arguments)
{
    std::vector<std::string> words; // as the system passed them
    for (const QString &argument : arguments)
        words.push_back(nativePath(argument).string());
    const auto named = std::ranges::find(kCommands, words.empty() ? std::string() : words.front(),
                                         &cli::Command::name);
    const cli::Command &command = named == kCommands.end() ? kProgram : **named;
    const std::vector<std::string_view> given(words.begin() + (named == kCommands.end() ? 0 : 1),
                                              words.end());
    const Result<cli::Arguments> parsed = cli::parse(command, given);
    if (!parsed.ok())
        return mistake(command, toQString(parsed.error().text()));
    if (parsed->wantsHelp)
        return helpWith(command);
    CommandLine line;
    QString wrong;
    if (&command == &kRenderCommand) {
        line.mode = CommandLine::Mode::Render;
        wrong = readArguments(*parsed, line.render);
    } else if (&command == &kReportCommand) {
        line.mode = CommandLine::Mode::Report;
        wrong = readArguments(*parsed, line.report);
    } else if (&command == &kPresentCommand) {
        line.mode = CommandLine::Mode::Present;
        wrong = readArguments(*parsed, line.present);
    } else {
        wrong = readArguments(*parsed, line);
    }
    return wrong.isEmpty() ? line : mistake(command, wrong);
}

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
