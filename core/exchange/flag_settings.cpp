// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/format.h"
#include "core/base/text.h"
#include "core/exchange/formats.h"
#include "core/exchange/shell_words.h"

#include <algorithm>
#include <array>

namespace vramscope {

namespace {

std::string spelled(std::string_view key)
{
    std::string text(key);
    std::ranges::replace(text, '_', '-');
    return text;
}

/// A program follows an option with one value: "--nnodes 4 train.py".
bool isProgram(const std::string &word)
{
    return word.ends_with(".py") || word.ends_with(".sh");
}

constexpr std::array<std::string_view, 7> kYesOrNo = {"on",    "off", "auto", "true",
                                                      "false", "1",   "0"};
constexpr std::array<std::string_view, 4> kTruths = {"true", "false", "True", "False"};

/// The value of an option from the words that follow it; moves `at` past it.
FieldValue optionValue(std::span<const ShellWord> words, std::size_t &at, Takes takes)
{
    const auto next = [&] {
        return at < words.size() && !words[at].end && !isOption(words[at].text);
    };
    const auto nextIs = [&](std::span<const std::string_view> allowed) {
        return next() && isOneOf(words[at].text, allowed);
    };
    if (takes != Takes::List && takes != Takes::Any) {
        const bool reads = takes == Takes::OnOrOff   ? nextIs(kYesOrNo)
                           : takes == Takes::Nothing ? nextIs(kTruths)
                                                     : next();
        return reads ? FieldValue(words[at++].text) : FieldValue(true);
    }
    TextList values;
    const auto isScript = [&] { // "--use_fsdp train.py"
        return words[at].text.ends_with(".py") || (!values.empty() && isProgram(words[at].text));
    };
    while (next() && (takes == Takes::List || !isScript()))
        values.push_back(words[at++].text);
    if (takes == Takes::List || values.size() > 1)
        return values;
    return values.empty() ? FieldValue(true) : FieldValue(values.front());
}

/// Reads a dictionary or list up to its closing bracket; brackets within texts do not count.
std::string pythonContainer(std::string_view &rest)
{
    int depth = 0;
    char quote = '\0';
    std::size_t at = 0;
    for (; at < rest.size(); ++at) {
        const char c = rest[at];
        if (quote != '\0')
            quote = c == quote ? '\0' : quote;
        else if (c == '"' || c == '\'')
            quote = c;
        else
            depth += (c == '{' || c == '[') - (c == '}' || c == ']');
        if (depth == 0)
            break;
    }
    const std::size_t end = std::min(at + 1, rest.size());
    std::string text(rest.substr(0, end));
    rest.remove_prefix(end);
    return text;
}

/// Reads one literal of Python: a text in quotes, or the word up to a comma or parenthesis.
std::string pythonLiteral(std::string_view &rest)
{
    const char quote = rest.empty() ? '\0' : rest.front();
    if (quote == '"' || quote == '\'') {
        const std::size_t end = std::min(rest.find(quote, 1), rest.size());
        std::string text(rest.substr(1, end - 1));
        rest.remove_prefix(std::min(end + 1, rest.size()));
        return text;
    }
    if (quote == '{' || quote == '[')
        return pythonContainer(rest);
    const std::size_t end = std::min(rest.find_first_of(",()#\n"), rest.size());
    std::string_view word = rest.substr(0, end);
    rest.remove_prefix(end);
    while (word.ends_with(' '))
        word.remove_suffix(1);
    return std::string(word);
}

} // namespace

bool isOption(std::string_view word)
{
    const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
    return word.size() > 1 && word[0] == '-' &&
           (letter(word[1]) || (word[1] == '-' && word.size() > 2));
}

std::string placeOfWord(const ShellWord &word, std::string_view key)
{
    return "line " + formatCount(word.line) + ", " + excerpt(key, 80);
}

std::vector<ForeignSetting> optionSettings(std::span<const ShellWord> words,
                                           const OptionSyntax &syntax)
{
    std::vector<ForeignSetting> settings;
    for (std::size_t at = 0; at < words.size();) {
        const ShellWord &word = words[at++];
        if (word.end)
            continue;
        if (!isOption(word.text)) {
            settings.push_back(syntax.operand(word));
            continue;
        }
        const std::size_t equals = word.text.find('=');
        std::string key = word.text.substr(0, equals);
        if (!syntax.underscores)
            key = spelled(key);
        FieldValue value = equals != std::string::npos ? FieldValue(word.text.substr(equals + 1))
                                                       : optionValue(words, at, syntax.takes(key));
        settings.push_back({key, std::move(value), placeOfWord(word, key)});
    }
    return settings;
}

std::vector<ForeignSetting> flagSettings(const std::vector<ShellWord> &words)
{
    const auto operand = [](const ShellWord &word) -> ForeignSetting {
        return {"command", word.text, "line " + formatCount(word.line)};
    };
    return optionSettings(words, {[](std::string_view) { return Takes::Any; }, operand});
}

Result<std::vector<ForeignSetting>> pythonSettings(std::string_view text)
{
    const std::size_t call = text.find("LLM(");
    std::string_view rest = text.substr(call + 4);
    std::vector<ForeignSetting> settings;
    while (!rest.empty() && rest.front() != ')') {
        const std::size_t begin = rest.find_first_not_of(" \t\r\n,");
        rest.remove_prefix(std::min(begin, rest.size()));
        if (rest.starts_with('#')) {
            rest.remove_prefix(std::min(rest.find('\n'), rest.size()));
            continue;
        }
        if (rest.empty() || rest.front() == ')')
            break;
        const auto line =
            1 + std::count(text.begin(), text.end() - std::ptrdiff_t(rest.size()), '\n');
        const std::size_t name =
            std::min(rest.find_first_not_of("abcdefghijklmnopqrstuvwxyz_"
                                            "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"),
                     rest.size());
        std::string key = name > 0 ? "--" + spelled(rest.substr(0, name)) : "--model";
        const std::size_t equals = rest.find_first_not_of(" \t", name);
        const bool named = name > 0 && equals != rest.npos && rest[equals] == '=';
        if (named) {
            rest.remove_prefix(equals + 1);
            rest.remove_prefix(std::min(rest.find_first_not_of(" \t\r\n"), rest.size()));
        } else {
            key = "--model"; // the only argument without a name
        }
        const std::size_t before = rest.size();
        std::string value = pythonLiteral(rest);
        if (rest.size() == before)
            return Error{ErrorCode::Malformed, "Line " + formatCount(line) +
                                                   ": the arguments of LLM(…) cannot be read from "
                                                   "here on; write them as name=value."};
        FieldValue read = value == "None" ? FieldValue() : FieldValue(std::move(value));
        settings.push_back({key, std::move(read), "line " + formatCount(line) + ", " + key});
    }
    return settings;
}

} // namespace vramscope
