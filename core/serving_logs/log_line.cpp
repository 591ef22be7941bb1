// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/serving_logs/read_serving_log.h"

#include "core/base/json_text.h"
#include "core/base/text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>

using namespace std::string_view_literals;

namespace vramscope {

namespace {

/// How an escape of colours may begin in a file; the last one has lost its first byte.
constexpr std::array kEscapes = {"\x1B["sv,    "^[["sv,    "\\x1b["sv, "\\x1B["sv, "\\u001b["sv,
                                 "\\u001B["sv, "\\033["sv, "\\e["sv,   "["sv};

/// The length of a colour's escape at the beginning of `text`, 0 where there is none: digits and
/// semicolons up to a letter. What has no escape byte is one only when it ends in "m" and no more
/// than three numbers stand in it: "[0m", not "[2025-10-16".
std::size_t colourLength(std::string_view text)
{
    for (const std::string_view escape : kEscapes) {
        if (!text.starts_with(escape))
            continue;
        std::size_t at = escape.size();
        while (at < text.size() && (isDigit(text[at]) || text[at] == ';' || text[at] == '?'))
            ++at;
        constexpr std::size_t kLongest = 24;
        if (at == text.size() || at > kLongest)
            return 0;
        const char last = text[at];
        const bool isLetter = (last >= 'A' && last <= 'Z') || (last >= 'a' && last <= 'z');
        const bool isBare = escape == "["sv;
        return isBare ? (last == 'm' && at > 1 ? at + 1 : 0) : (isLetter ? at + 1 : 0);
    }
    return 0;
}

bool isProcessNameCharacter(char c)
{
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || isDigit(c) || c == '_' || c == '-' ||
           c == '=' || c == ' ';
}

/// "(Worker_TP0 pid=12) ", the last of several: names with a rank stand alone, others with their
/// process.
struct NamedProcess
{
    std::string rank;
    std::size_t end = 0; ///< behind its bracket; 0: none
    std::string date = {};
};

NamedProcess processIn(std::string_view line)
{
    constexpr std::size_t kLookedAt = 400;
    constexpr std::string_view kPid = " pid=";
    NamedProcess found;
    const std::string_view start = line.substr(0, kLookedAt);
    for (std::size_t pid = start.find(kPid); pid != start.npos; pid = start.find(kPid, pid + 1)) {
        std::size_t begin = pid;
        while (begin > 0 && isProcessNameCharacter(start[begin - 1]))
            --begin;
        if (begin == 0 || start[begin - 1] != '(' || begin == pid)
            continue;
        std::size_t end = pid + kPid.size();
        while (end < start.size() && isDigit(start[end]))
            ++end;
        const std::string_view name = start.substr(begin, pid - begin);
        const std::string_view number = start.substr(pid + kPid.size(), end - pid - kPid.size());
        const std::size_t bracket = line.find(')', end);
        if (number.empty() || bracket == line.npos || bracket > end + 64)
            continue;
        const bool hasRank = name.find_first_of("_=") != name.npos;
        found.rank = std::string(name);
        if (!hasRank)
            found.rank.append(":").append(number);
        found.end = bracket + 1;
    }
    return found;
}

/// "TP5", "DP0", "PP1", "EP3".
bool isParallelRank(std::string_view word)
{
    const std::size_t digits = std::min(word.find_first_of("0123456789"), word.size());
    constexpr std::array kKinds = {"TP"sv, "DP"sv, "PP"sv, "EP"sv, "CP"sv, "ATTN_CP"sv, "MOE_EP"sv};
    return digits < word.size() &&
           std::ranges::find(kKinds, word.substr(0, digits)) != kKinds.end() &&
           std::ranges::all_of(word.substr(digits), isDigit);
}

/// "2025-10-16".
bool isDate(std::string_view text)
{
    constexpr std::string_view kForm = "dddd-dd-dd";
    return std::ranges::equal(text, kForm, [](char mine, char form) {
        return form == 'd' ? isDigit(mine) : mine == form;
    });
}

/// "[2025-10-16 09:06:22 DP0 TP5] ": the time and the ranks of SGLang.
NamedProcess timedRanksIn(std::string_view line)
{
    constexpr std::size_t kLookedAt = 400;
    constexpr std::size_t kLongest = 80;
    constexpr std::size_t kDateLength = 10;
    NamedProcess found;
    for (std::size_t open = line.find("[20"); open < kLookedAt; open = line.find("[20", open + 1)) {
        const std::size_t close = line.find(']', open);
        if (close == line.npos || close - open > kLongest)
            continue;
        std::string_view inner = line.substr(open + 1, close - open - 1);
        std::string rank;
        const std::string_view date = inner.substr(0, kDateLength);
        bool isTime = inner.size() >= 19 && inner[4] == '-' && inner[10] == ' ' && inner[13] == ':';
        inner.remove_prefix(std::min<std::size_t>(19, inner.size()));
        while (isTime && !inner.empty()) {
            const std::size_t begin = std::min(inner.find_first_not_of(' '), inner.size());
            inner.remove_prefix(begin);
            const std::size_t end = std::min(inner.find(' '), inner.size());
            if (isParallelRank(inner.substr(0, end)))
                rank.append(rank.empty() ? "" : " ").append(inner.substr(0, end));
            inner.remove_prefix(end);
        }
        if (isTime)
            found = {std::move(rank), close + 1, isDate(date) ? std::string(date) : std::string()};
    }
    return found;
}

/// Takes "INFO 05-26 21:34:12 [file.py:123] " and "INFO 12-13 19:54:18 file.py:243] " from the
/// front, and any such without a time: what ends in a file of Python, its line and a bracket.
std::string_view withoutPlace(std::string_view message)
{
    constexpr std::size_t kLookedAt = 160;
    const std::string_view start = message.substr(0, kLookedAt);
    const std::size_t file = start.find(".py:");
    if (file == start.npos)
        return message;
    std::size_t end = file + 4;
    while (end < start.size() && isDigit(start[end]))
        ++end;
    if (end == file + 4 || end == start.size() || start[end] != ']')
        return message;
    return trimmed(message.substr(end + 1));
}

/// The message that a logger of JSON wrote: of the object itself or of one in it, such as "fields".
/// The line itself where it is no object with one, or was cut.
std::string messageOfJson(std::string_view line)
{
    if (!trimmed(line).starts_with('{'))
        return std::string(line);
    const auto messageIn = [](const nlohmann::ordered_json &object) -> const std::string * {
        for (const char *key : {"message", "msg", "log", "textPayload", "MESSAGE", "event"})
            if (const auto found = object.find(key); found != object.end() && found->is_string())
                return found->get_ptr<const std::string *>();
        return nullptr;
    };
    const nlohmann::ordered_json json = parsedJson(line);
    if (!json.is_object())
        return std::string(line);
    if (const std::string *message = messageIn(json))
        return *message;
    for (const nlohmann::ordered_json &inner : json)
        if (const std::string *message = inner.is_object() ? messageIn(inner) : nullptr)
            return *message;
    return std::string(line);
}

/// Takes what containers and quotations put before a line: "vllm-1  | ", "> ", "# ".
std::string_view withoutContainer(std::string_view message)
{
    constexpr std::size_t kLongest = 80;
    const auto isName = [](char c) {
        return isProcessNameCharacter(c) || c == '.' || c == '/' || c == '[' || c == ']';
    };
    std::size_t end = 0;
    while (end < std::min(message.size(), kLongest) && isName(message[end]) && message[end] != ' ')
        ++end;
    std::size_t bar = end;
    while (bar < message.size() && message[bar] == ' ')
        ++bar;
    if (end > 0 && message.substr(bar).starts_with("| "))
        message = trimmed(message.substr(bar + 2));
    while (message.starts_with("> ") || message.starts_with("# ") || message.starts_with("// "))
        message = trimmed(message.substr(2));
    return message;
}

/// How far into a line its container is looked for.
constexpr std::size_t kContainerBytes = 120;

} // namespace

std::string containerOf(std::string_view line)
{
    const std::string_view start = line.substr(0, kContainerBytes);
    if (start.find('|') == start.npos && !trimmed(start).starts_with("[pod/"))
        return {};
    const std::string plain = withoutColours(start);
    const std::string_view text = trimmed(plain);
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view name = text.substr(0, end);
    if (name.starts_with("[pod/") && name.ends_with("]"))
        return std::string(name.substr(1, name.size() - 2));
    // A level before a bar is in capitals.
    const bool isName =
        std::ranges::all_of(
            name, [](char c) { return isProcessNameCharacter(c) || c == '.' || c == '/'; }) &&
        std::ranges::any_of(name, [](char c) { return c >= 'a' && c <= 'z'; });
    return isName && trimmed(text.substr(end)).starts_with("| ") ? std::string(name)
                                                                 : std::string();
}

std::string withoutColours(std::string_view line)
{
    std::string plain;
    plain.reserve(line.size());
    for (std::size_t at = 0; at < line.size();) {
        const std::string_view rest = line.substr(at);
        const char c = rest.front();
        if (c == '\x1B' || c == '^' || c == '\\' || c == '[') {
            if (const std::size_t length = colourLength(rest)) {
                at += length;
                continue;
            }
        }
        if (rest.starts_with("\\n") || rest.starts_with("\\r")) {
            plain += ' ';
            at += 2;
            continue;
        }
        plain += static_cast<unsigned char>(c) < 32 && c != '\t' && c != '\r' ? ' ' : c;
        ++at;
    }
    return plain;
}

std::vector<LogLine> logLines(std::string_view line)
{
    std::vector<LogLine> lines;
    const std::string plain = withoutColours(messageOfJson(line));
    std::string_view rest = plain;
    std::string rank;
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find('\r'), rest.size());
        std::string_view message = withoutContainer(trimmed(rest.substr(0, end)));
        rest.remove_prefix(std::min(end + 1, rest.size()));
        if (message.empty())
            continue;
        const NamedProcess process = processIn(message);
        const NamedProcess ranks = timedRanksIn(message);
        if (process.end > 0 || ranks.end > 0)
            rank = process.end >= ranks.end ? process.rank : ranks.rank;
        message.remove_prefix(std::max(process.end, ranks.end));
        lines.push_back({rank, std::string(withoutPlace(trimmed(message))), ranks.date});
    }
    return lines;
}

} // namespace vramscope
