// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ask/asked_kind.h"

#include "core/base/parts.h"
#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <vector>

namespace vramscope {

namespace {

constexpr std::array<std::string_view, 9> kEndings = {
    ".vramplan", ".json", ".toml", ".yaml", ".yml", ".safetensors", ".sh", ".pickle", ".html"};
constexpr std::array<std::string_view, 4> kPlaces = {"/", "./", "../", "~/"};
constexpr auto kPrograms =
    std::to_array<std::string_view>({"python", "python3", "torchrun", "llama-cli", "llama-server",
                                     "trtllm-serve", "srun", "mpirun", "bash"});
/// Programs whose names stand in sentences too, and what they are started with.
constexpr auto kTools = std::to_array<std::string_view>(
    {"vllm", "sglang", "accelerate", "docker", "podman", "deepspeed", "trl"});
constexpr auto kStarts = std::to_array<std::string_view>({"serve", "launch", "run", "--", "exec"});

/// Words of sentences, which no command line has.
constexpr auto kSentenceWords = std::to_array<std::string_view>(
    {"on",   "for", "with", "my",  "a",  "an", "the", "via", "will", "does", "can",    "is", "fit",
     "fits", "auf", "mit",  "and", "or", "to", "@",   "how", "what", "why",  "enough", "ok"});

bool startsWithAny(std::string_view text, std::span<const std::string_view> beginnings)
{
    return std::ranges::any_of(beginnings,
                               [text](std::string_view one) { return text.starts_with(one); });
}

/// Whether a word is that of a program, and `next` what it is started with.
bool isProgram(std::string_view word, std::string_view next)
{
    const bool isStarted = isOneOf(next, kStarts) || next.starts_with("-") || next.ends_with(".py");
    return isOneOf(word.substr(word.rfind('/') + 1), kPrograms) || word.ends_with(".py") ||
           word.ends_with(".sh") || (isOneOf(word, kTools) && isStarted);
}

bool beginsWithProgram(std::string_view line)
{
    const std::vector<std::string_view> words = partsOf(line, ' ');
    return words.size() > 1 && isProgram(words[0], words[1]);
}

/// A program with its arguments, or arguments alone; flags may stand in a sentence as well: "vllm
/// serve qwen3-8b on a 4090 --max-model-len 8192".
bool isCommandLine(std::string_view line)
{
    if (line.starts_with("--") || line.starts_with("llm("))
        return true;
    const std::vector<std::string_view> words = partsOf(line, ' ');
    const auto isFlag = [](std::string_view word) {
        return word.starts_with('-') || word.ends_with(".py") || isOneOf(word, kStarts);
    };
    bool hasProgram = false;
    for (std::size_t at = 0; at < words.size(); ++at)
        hasProgram |= isProgram(words[at], at + 1 < words.size() ? words[at + 1] : "");
    if (!hasProgram || std::ranges::none_of(words, isFlag))
        return false;
    const bool quotes = line.find_first_of("'\"{") != line.npos; // "--rope-scaling '{…, …}'"
    return std::ranges::none_of(words, [&](std::string_view word) {
        return word.starts_with('(') || (word.ends_with(',') && !quotes) || word.ends_with('?') ||
               isOneOf(word, kSentenceWords);
    });
}

/// Whether a text after a divider continues a command: more of its arguments, or another command
/// that a shell runs next.
bool isOfCommand(std::string_view text)
{
    const auto isArgument = [](std::string_view word) {
        return word.size() > 1 && word.front() == '-' && word[1] != '>' && !isDigit(word[1]);
    };
    return isCommandLine(text) || std::ranges::any_of(partsOf(text, ' '), isArgument);
}

bool isPath(std::string_view text)
{
    if (text.find_first_of("\r\n") != text.npos || text.find(" -") != text.npos)
        return false; // "./llama-server -m …"
    return startsWithAny(text, kPlaces) ||
           (text.find(' ') == text.npos &&
            std::ranges::any_of(kEndings,
                                [text](std::string_view one) { return text.ends_with(one); }));
}

} // namespace

AskedKind askedKind(std::string_view text)
{
    const std::string word = lowered(trimmed(text));
    if (isPath(word))
        return AskedKind::Path;
    const bool isLine = word.find('\n') == word.npos;
    if (isLine ? isCommandLine(word) : word.find(" --") != word.npos || word.starts_with("--"))
        return AskedKind::CommandLine;
    return !isLine || word.starts_with('{') ? AskedKind::Document : AskedKind::Words;
}

CommandPlace commandIn(std::string_view text)
{
    constexpr auto kBehind =
        std::to_array<std::string_view>({" ; ", "; ", " (", "   ", " # ", " -> ", " : "});
    constexpr auto kBefore = std::to_array<std::string_view>({": ", "? ", ". ", ", "});
    CommandPlace place{0, text.size()};
    if (text.find_first_of("'\"\n") != text.npos)
        return place; // it may be quoted
    for (const std::string_view divider : kBefore) {
        const std::size_t at = text.find(divider);
        const std::size_t begin = at == text.npos ? 0 : at + divider.size();
        const std::string before = lowered(text.substr(0, begin));
        if (begin > place.begin && !isOfCommand(before) &&
            beginsWithProgram(lowered(text.substr(begin))))
            place.begin = begin;
    }
    for (const std::string_view divider : kBehind)
        place.end = std::min(place.end, text.find(divider, place.begin));
    if (isOfCommand(lowered(text.substr(place.end))))
        place.end = text.size();
    return place;
}

bool holdsCommand(std::string_view text)
{
    const CommandPlace place = commandIn(text);
    const std::string line = lowered(text.substr(place.begin, place.end - place.begin));
    return line.find('\n') == line.npos && isCommandLine(line);
}

} // namespace vramscope
