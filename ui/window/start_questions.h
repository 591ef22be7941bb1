// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringView>

#include <array>
#include <span>

namespace vramscope {

enum class Command;

/// What a row of a question does: runs a command, on the question's example or at once, opens a
/// page of the help, or copies the lines that record.
enum class StartDeed { Run, RunOnExample, Help, CopyRecipe };

struct StartRow
{
    StartDeed deed;
    QStringView icon;
    QStringView title;
    QStringView tip;      ///< for Help: the page
    Command command = {}; ///< for Run and RunOnExample
};

struct StartQuestion
{
    QStringView icon;
    QStringView question;
    QStringView answer;
    std::array<StartRow, 3> rows;
    QStringView example;
};

/// The three questions that the program answers, in the user's words.
[[nodiscard]] std::span<const StartQuestion, 3> startQuestions();

} // namespace vramscope
