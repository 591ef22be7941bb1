// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/private_words.h"

#include "core/base/text.h"
#include "core/trace/program_words.h"

#include <algorithm>
#include <array>

namespace vramscope {

namespace {

using namespace std::literals;

constexpr std::size_t kLongestKey = 4096;
constexpr std::size_t kShortestKey = 8; // without its beginning

template<class Holds>
std::string_view keyRun(std::string_view text, std::size_t at, const Holds &holds)
{
    std::size_t end = at;
    while (end < text.size() && end - at < kLongestKey && holds(text[end]))
        ++end;
    return text.substr(at, end - at);
}

bool inKey(char c)
{
    return isWordByte(c) || c == '_' || c == '-' || c == '.';
}

PrivateKey keyEnding(std::string_view text, std::string_view part, std::string_view by)
{
    return {part, by, static_cast<std::size_t>(part.data() - text.data()) + part.size()};
}

PrivateKey serviceKeyAt(std::string_view text, std::size_t at)
{
    constexpr std::array kBeginnings{
        "hf_"sv,   "sk-"sv,   "sk_"sv,    "rk_"sv,    "pk_"sv,       "gsk_"sv,        "ghp_"sv,
        "gho_"sv,  "ghs_"sv,  "ghu_"sv,   "ghr_"sv,   "AKIA"sv,      "github_pat_"sv, "ASIA"sv,
        "xoxa-"sv, "xoxb-"sv, "xoxp-"sv,  "xoxr-"sv,  "xoxs-"sv,     "xapp-"sv,       "glpat-"sv,
        "gldt-"sv, "glrt-"sv, "glcbt-"sv, "eyJ"sv,    "AIza"sv,      "ya29."sv,       "GOCSPX-"sv,
        "npm_"sv,  "pypi-"sv, "nvapi-"sv, "wandb_"sv, "r8_"sv,       "dckr_pat_"sv,   "dop_v1_"sv,
        "SG."sv,   "ATATT"sv, "shpat_"sv, "hvs."sv,   "AAAAB3Nza"sv, "AAAAC3Nza"sv,   "AAAAE2Vj"sv};
    for (const std::string_view beginning : kBeginnings) {
        if (!text.substr(at).starts_with(beginning))
            continue;
        const bool blob = beginning.starts_with("AAAA"); // of SSH, in Base64
        const std::string_view key = keyRun(text, at, [&](char c) {
            return inKey(c) || (blob && (c == '+' || c == '/' || c == '='));
        });
        if (key.size() >= beginning.size() + kShortestKey &&
            !holdsProgramWordsOnly(key.substr(beginning.size())))
            return keyEnding(text, key, kSecret);
    }
    return {};
}

/// The credential after a word that names an authentication scheme.
PrivateKey credentialAt(std::string_view text, std::size_t at)
{
    for (const std::string_view word :
         {"Bearer "sv, "bearer "sv, "Basic "sv, "token "sv, "Token "sv, "password "sv,
          "Password "sv, "passwd "sv, "password is "sv}) {
        if (!text.substr(at).starts_with(word))
            continue;
        const std::string_view key = keyRun(text, at + word.size(), [](char c) {
            return inKey(c) || c == '+' || c == '/' || c == '=';
        });
        if (key != kSecret && key.size() >= kShortestKey && !holdsProgramWordsOnly(key))
            return keyEnding(text, key, kSecret);
    }
    return {};
}

/// The lines of a key between "-----BEGIN … KEY-----" and its end, or the end of the text.
PrivateKey pemAt(std::string_view text, std::size_t at)
{
    constexpr std::string_view kDashes = "-----";
    if (!text.substr(at).starts_with("BEGIN ") || !text.substr(0, at).ends_with(kDashes))
        return {};
    const std::size_t head = text.find(kDashes, at);
    if (head == text.npos || text.substr(at, head - at).find("KEY") == std::string_view::npos)
        return {};
    const std::size_t start = head + kDashes.size();
    const std::string_view body = text.substr(start, text.find("-----END", start) - start);
    const std::size_t first = body.find_first_not_of(" \n\r\\");
    if (first == body.npos)
        return {};
    const std::string_view key = body.substr(first);
    return key == kSecret ? PrivateKey{} : keyEnding(text, key, kSecret);
}

/// Hexadecimal groups of 8, 4, 4, 4 and 12 digits, with "GPU-" or "MIG-GPU-" before them or not.
PrivateKey uuidAt(std::string_view text, std::size_t at)
{
    constexpr std::array<std::size_t, 5> kGroups{8, 4, 4, 4, 12};
    for (const std::string_view before : {"MIG-"sv, "GPU-"sv})
        at += text.substr(at).starts_with(before) ? before.size() : 0;
    std::size_t end = at;
    for (const std::size_t group : kGroups) {
        if (group != kGroups.front() && (end >= text.size() || text[end++] != '-'))
            return {};
        if (keyRun(text, end, isHexDigit).size() != group)
            return {};
        end += group;
    }
    const bool goesOn = end < text.size() && isWordByte(text[end]);
    return goesOn ? PrivateKey{} : keyEnding(text, text.substr(at, end - at), kIdentity);
}

/// The number in "serial 0324521012345", "Serial Number: …" and "arn:aws:iam::0123456789:role/x".
PrivateKey numberAt(std::string_view text, std::size_t at)
{
    constexpr std::string_view kSerial = "serial";
    constexpr std::size_t kFewestDigits = 6;
    if (text.substr(at).starts_with("arn:aws")) {
        const std::string_view rest = keyRun(
            text, at + 4, [](char c) { return inKey(c) || c == ':' || c == '/' || c == '*'; });
        return rest.find(':') == rest.npos ? PrivateKey{} : keyEnding(text, rest, kIdentity);
    }
    if ((text[at] | 0x20) != 's' || lowered(text.substr(at, kSerial.size())) != kSerial)
        return {};
    std::size_t next = at + kSerial.size();
    const auto skip = [&](std::string_view bytes) {
        next = std::min(text.find_first_not_of(bytes, next), text.size());
    };
    skip(" _-");
    for (const std::string_view word : {"number"sv, "no"sv, "id"sv}) {
        if (lowered(text.substr(next, word.size())) == word)
            next += word.size();
    }
    skip(" .:=#\"'");
    const std::string_view number = keyRun(text, next, inKey);
    const auto digits = std::ranges::count_if(number, isDigit);
    return digits < static_cast<std::ptrdiff_t>(kFewestDigits) ? PrivateKey{}
                                                               : keyEnding(text, number, kIdentity);
}

enum class Letter { Small, Capital, Digit };

/// A word of at least 32 hexadecimal digits, or of at least 20 bytes where nearly every second byte
/// is of another kind than the one before. Names that compilers mangle, "_ZN2at…", are excluded.
PrivateKey randomWordAt(std::string_view text, std::size_t at)
{
    constexpr std::size_t kShortestHex = 32;
    constexpr std::size_t kShortestRandom = 20;
    if (text.substr(at).starts_with("ZN") && at > 0 && text[at - 1] == '_')
        return {};
    const std::string_view word = keyRun(
        text, at, [](char c) { return isWordByte(c) && static_cast<unsigned char>(c) < 0x80; });
    if (word.size() < kShortestRandom)
        return {};
    const auto kindOf = [](char c) {
        return isDigit(c) ? Letter::Digit : c >= 'a' ? Letter::Small : Letter::Capital;
    };
    std::array<std::size_t, 3> counts{};
    std::size_t changes = 0;
    for (std::size_t each = 0; each < word.size(); ++each) {
        ++counts[static_cast<std::size_t>(kindOf(word[each]))];
        changes += each > 0 && kindOf(word[each]) != kindOf(word[each - 1]);
    }
    const bool hex = word.size() >= kShortestHex && std::ranges::all_of(word, isHexDigit) &&
                     std::ranges::any_of(word, isDigit) && !std::ranges::all_of(word, isDigit);
    const bool random = std::ranges::none_of(counts, [](std::size_t each) { return each < 2; }) &&
                        20 * changes >= 9 * word.size() && !holdsProgramWordsOnly(word);
    return hex || random ? keyEnding(text, word, kSecret) : PrivateKey{};
}

} // namespace

PrivateKey privateKeyAt(std::string_view text, std::size_t at)
{
    for (auto *const keyAt : {pemAt, uuidAt, numberAt, serviceKeyAt, credentialAt, randomWordAt}) {
        if (const PrivateKey key = keyAt(text, at); !key.part.empty())
            return key;
    }
    return {};
}

} // namespace vramscope
