// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/format.h"
#include "core/base/text.h"
#include "core/exchange/formats.h"
#include "core/exchange/shell_words.h"

#include <algorithm>

namespace vramscope {

namespace {

std::string spelled(std::string_view key)
{
    std::string text(key);
    std::ranges::replace(text, '_', '-');
    return text;
}

/// A program follows an option's one value: "--nnodes 4 train.py".
bool isProgram(const std::string &word)
{
    return word.ends_with(".py") || word.ends_with(".sh");
}

/// The settings of the words from `option` on that belong to it; gives where the next ones begin.
std::size_t readOption(const std::vector<ShellWord> &words, std::size_t at,
                       std::vector<ForeignSetting> &settings)
{
    const ShellWord &option = words[at++];
    const std::size_t equals = option.text.find('=');
    const std::string key = spelled(std::string_view(option.text).substr(0, equals));
    ForeignSetting setting{key, true, placeOfWord(option, key)};
    if (equals != std::string::npos) {
        setting.value = option.text.substr(equals + 1);
    } else {
        TextList values;
        for (; at < words.size() && !words[at].end && !isOption(words[at].text) &&
               !(isProgram(words[at].text) && !values.empty());
             ++at)
            values.push_back(words[at].text);
        if (values.size() == 1)
            setting.value = values.front();
        else if (values.size() > 1)
            setting.value = std::move(values);
    }
    settings.push_back(std::move(setting));
    return at;
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

std::vector<ForeignSetting> flagSettings(const std::vector<ShellWord> &words)
{
    std::vector<ForeignSetting> settings;
    for (std::size_t at = 0; at < words.size();) {
        const ShellWord &word = words[at];
        if (!word.end && isOption(word.text)) {
            at = readOption(words, at, settings);
            continue;
        }
        if (!word.end)
            settings.push_back({"command", word.text, "line " + formatCount(word.line)});
        ++at;
    }
    return settings;
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
