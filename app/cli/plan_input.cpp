// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/plan_input.h"

#include "app/cli/other_command.h"
#include "core/ask/asked_kind.h"
#include "core/base/json_text.h"
#include "core/base/path_text.h"
#include "core/exchange/asked_command.h"
#include "core/exchange/import.h"
#include "core/plan/plan_json.h"
#include "core/print/asked_report.h"
#include "core/print/exchange_report.h"
#include "core/settings/field_text.h"

#include <algorithm>
#include <filesystem>
#include <iostream>

namespace vramscope::cli {

namespace {

constexpr std::string_view kStandardInput = "-";

/// The words for an option; empty if it does not describe a plan.
std::string wordsOf(const Arguments::Given &given)
{
    const std::string &value = given.value;
    if (given.name == "--gpus")
        return value.find_first_not_of("0123456789") == value.npos ? value + " gpus" : value;
    if (given.name == "--seq" || given.name == "--batch")
        return std::string(given.name.substr(2)) + ' ' + value;
    const bool isTask = given.name == "--full" || given.name == "--lora" ||
                        given.name == "--qlora" || given.name == "--serve";
    return isTask ? std::string(given.name.substr(2)) : std::string();
}

/// Whether a value is a word of a sentence, unlike a config or a list.
bool isWord(std::string_view assignment)
{
    constexpr std::size_t kLongestWord = 100;
    return assignment.size() <= kLongestWord &&
           assignment.find_first_of(" \t\r\n,;()[]{}\"'|+?!") == assignment.npos;
}

std::string optionWords(const Arguments &arguments)
{
    std::string words;
    for (const Arguments::Given &given : arguments.options) {
        const std::string one =
            given.name == "--set" && isWord(given.value) ? given.value : wordsOf(given);
        if (!one.empty())
            words += ", " + one;
    }
    return words;
}

/// Applies --set, except what was already among the words.
Result<void> setFields(Plan &plan, const Arguments &arguments, bool ofWords)
{
    for (const std::string &assignment : arguments.values("--set")) {
        if (ofWords && isWord(assignment))
            continue;
        if (const Result<void> isSet = setWritten(plan, assignment); !isSet)
            return invalid("--set: " + isSet.error().detail);
    }
    return {};
}

Result<PlanInput> fromAsked(Asked asked, std::string label, const Arguments &arguments)
{
    if (!asked.understood())
        return invalid(askedRefusal(asked));
    PlanInput input{*asked.plan, std::move(label), std::nullopt, std::nullopt};
    if (const Result<void> isSet = setFields(input.plan, arguments, true); !isSet)
        return isSet.error();
    if (asked.sought) {
        asked.plan = input.plan;
        Result<SoughtAnswer> found = soughtOf(asked);
        if (!found)
            return invalid(found.error().detail);
        input.plan = found->plan;
        input.sought = std::move(*found);
    }
    input.asked = std::move(asked);
    return input;
}

Result<PlanInput> fromPlan(Plan plan, std::string label, const Arguments &arguments)
{
    for (const Arguments::Given &given : arguments.options) {
        if (!wordsOf(given).empty())
            return invalid(std::string(given.name) + " is for a model; a plan is changed by --set "
                                                     "FIELD=VALUE");
    }
    PlanInput input{std::move(plan), std::move(label), std::nullopt, std::nullopt};
    if (const Result<void> isSet = setFields(input.plan, arguments, false); !isSet)
        return isSet.error();
    return input;
}

/// An error as that of a file: only arguments may be Invalid.
Error ofFile(Error error)
{
    if (error.code == ErrorCode::Invalid)
        error.code = ErrorCode::Malformed;
    return error;
}

/// Settings missing from the file come from the options, or have their usual values.
Result<PlanInput> fromImport(const Result<Imported> &imported, const std::string &label,
                             const Arguments &arguments)
{
    if (!imported)
        return ofFile(imported.error());
    std::cerr << importNotesText({imported->plan, {{label, imported->format, imported->notes}}});
    return fromAsked(understand(optionWords(arguments), imported->plan), label, arguments);
}

Result<PlanInput> fromCommand(const std::string &text, const std::string &label,
                              const Arguments &arguments)
{
    Result<AskedCommand> command = askedCommand(text, optionWords(arguments));
    if (!command)
        return invalid(command.error().detail);
    if (const std::optional<Imported> &it = command->imported)
        std::cerr << importNotesText({it->plan, {{label, it->format, it->notes}}});
    return fromAsked(std::move(command->asked), label, arguments);
}

Result<PlanInput> fromText(const std::string &text, const std::string &label,
                           const Arguments &arguments)
{
    switch (askedKind(text)) {
    case AskedKind::Words:
    case AskedKind::Path: {
        if (holdsCommand(text))
            return fromCommand(text, label, arguments);
        const std::string words = text + optionWords(arguments);
        return fromAsked(understand(words), words, arguments);
    }
    case AskedKind::Document:
        if (text.find("\"vramscope\"") != text.npos) {
            Result<Plan> plan = parsePlan(text);
            return plan ? fromPlan(std::move(*plan), label, arguments)
                        : Result<PlanInput>(ofFile(plan.error()));
        }
        break;
    case AskedKind::CommandLine:
        return fromCommand(text, label, arguments);
    }
    const Result<Imported> imported = importInto({}, text);
    if (!imported) // caused by an argument, not a file
        return invalid(imported.error().detail);
    return fromImport(imported, label, arguments);
}

/// A plan, or else a file that the import knows; a broken plan is not imported.
Result<PlanInput> fromFile(const std::string &file, const Arguments &arguments)
{
    Result<Plan> plan = readPlan(pathOf(file));
    if (plan)
        return fromPlan(std::move(*plan), file, arguments);
    const Result<std::string> text = readSettingsText(pathOf(file));
    if (text && text->find("\"vramscope\"") != text->npos)
        return ofFile(plan.error());
    const Result<Imported> imported = importFile({}, pathOf(file));
    return imported ? fromImport(imported, file, arguments)
                    : Result<PlanInput>(withRightCommand(ofFile(plan.error()), "plan", file));
}

std::string standardInput()
{
    std::string text(kLongestDocument + 1, '\0');
    std::cin.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(std::cin.gcount()));
    while (!text.empty() && (text.back() == '\n' || text.back() == '\r'))
        text.pop_back(); // the line end of a line of words
    return text;
}

bool namesAFile(const std::string &operand)
{
    std::error_code error;
    return operand == kStandardInput || askedKind(operand) == AskedKind::Path ||
           std::filesystem::exists(pathOf(operand), error);
}

} // namespace

std::vector<std::string> planSources(const Arguments &arguments)
{
    if (std::ranges::any_of(arguments.files, namesAFile))
        return arguments.files;
    std::string words;
    for (const std::string &word : arguments.files)
        words += (words.empty() ? "" : " ") + word;
    return {words};
}

Result<PlanInput> readPlanInput(const std::string &source, const Arguments &arguments)
{
    if (source == kStandardInput)
        return fromText(standardInput(), "standard input", arguments);
    const bool isFile = std::ranges::any_of(arguments.files, namesAFile);
    return isFile ? fromFile(source, arguments) : fromText(source, source, arguments);
}

int complainOfPlan(const std::string &source, const Error &error)
{
    complain(source, error.text());
    return error.code == ErrorCode::Invalid ? kBadArguments : kUnusableFile;
}

std::string jsonAnswer(const PlanInput &input, const std::string &json)
{
    return (input.asked ? withAsked(json, *input.asked) : json) + '\n';
}

std::string textAnswer(const PlanInput &input, const std::string &text)
{
    return input.asked ? askedText(*input.asked) + '\n' + text : text;
}

} // namespace vramscope::cli
