// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ask/asked_kind.h"

#include "core/base/text.h"

#include <algorithm>
#include <array>

namespace vramscope {

namespace {

constexpr std::array<std::string_view, 9> kEndings = {
    ".vramplan", ".json", ".toml", ".yaml", ".yml", ".safetensors", ".sh", ".pickle", ".html"};
constexpr std::array<std::string_view, 4> kPlaces = {"/", "./", "../", "~/"};
constexpr std::array<std::string_view, 13> kPrograms = {
    "vllm serve ",   "python ", "python3 ",      "torchrun ",  "accelerate ",
    "deepspeed --",  "llm(",    "sglang serve ", "llama-cli ", "llama-server ",
    "trtllm-serve ", "docker ", "podman "};

bool startsWithAny(std::string_view text, std::span<const std::string_view> beginnings)
{
    return std::ranges::any_of(beginnings,
                               [text](std::string_view one) { return text.starts_with(one); });
}

bool isPath(std::string_view text)
{
    if (text.find_first_of("\r\n") != text.npos)
        return false;
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
    if (startsWithAny(word, kPrograms) || word.find(" --") != word.npos || word.starts_with("--"))
        return AskedKind::CommandLine;
    const bool isDocument = word.starts_with('{') || word.find('\n') != word.npos;
    return isDocument ? AskedKind::Document : AskedKind::Words;
}

} // namespace vramscope
