// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/private_words.h"

#include "core/base/text.h"
#include "core/trace/program_words.h"

#include <algorithm>
#include <array>
#include <span>

namespace vramscope {

namespace {

using namespace std::literals;

// Folders of the framework's and the interpreter's sources.
constexpr std::array kSourceFolders{"aten"sv,    "c10"sv,     "csrc"sv,    "nptl"sv,
                                    "boxing"sv,  "core"sv,    "include"sv, "objects"sv,
                                    "modules"sv, "pytorch"sv, "cpython"sv};

// Accounts of images, services and build machines, and folders at the place of a name.
constexpr std::array kSharedNames{
    "admin"sv,    "app"sv,    "apps"sv,  "azureuser"sv, "build"sv,   "builder"sv,   "cache"sv,
    "code"sv,     "coder"sv,  "conda"sv, "data"sv,      "default"sv, "dev"sv,       "docker"sv,
    "ec2-user"sv, "home"sv,   "host"sv,  "jovyan"sv,    "lib"sv,     "local"sv,     "localhost"sv,
    "model"sv,    "models"sv, "none"sv,  "null"sv,      "project"sv, "projects"sv,  "public"sv,
    "python"sv,   "ray"sv,    "root"sv,  "runner"sv,    "scratch"sv, "shared"sv,    "src"sv,
    "test"sv,     "tests"sv,  "tmp"sv,   "torch"sv,     "train"sv,   "true"sv,      "false"sv,
    "ubuntu"sv,   "user"sv,   "users"sv, "vscode"sv,    "work"sv,    "workspace"sv,
};

constexpr std::array kMachineKeys{"host"sv,     "hostname"sv, "host_name"sv, "node"sv,
                                  "nodename"sv, "machine"sv,  "server"sv,    "fqdn"sv};
constexpr std::array kPersonKeys{"user"sv,  "username"sv, "user_name"sv, "logname"sv,
                                 "login"sv, "owner"sv,    "author"sv};

bool isNameByte(char c)
{
    return isWordByte(c) || c == '_' || c == '-' || c == '.';
}

std::size_t skip(std::string_view text, std::size_t at, std::string_view bytes)
{
    return std::min(text.find_first_not_of(bytes, at), text.size());
}

/// The run of name bytes that starts at `at`, without the punctuation that ends a sentence.
std::string_view nameAt(std::string_view text, std::size_t at)
{
    std::size_t end = at;
    while (end < text.size() && isNameByte(text[end]))
        ++end;
    while (end > at && (text[end - 1] == '.' || text[end - 1] == '-'))
        --end;
    return text.substr(at, end - at);
}

bool isNumber(std::string_view text)
{
    return text.find_first_not_of("0123456789.") == text.npos;
}

/// The value after a key that ends at `at`, in the notation of JSON, Python and shells; or empty.
std::string_view valueBehind(std::string_view text, std::size_t at)
{
    std::size_t sign = skip(text, at, "\"'\\ ");
    if (sign == text.size() || (text[sign] != ':' && text[sign] != '='))
        return {};
    const std::string_view value = nameAt(text, skip(text, sign + 1, "\"'\\ "));
    return isNumber(value) ? std::string_view() : value;
}

/// Four numbers of at most three digits with points between them, not followed by more of a name:
/// an address, or empty. Looks no further than an address goes, as any number may begin one.
std::string_view addressAt(std::string_view text, std::size_t at)
{
    std::size_t end = at;
    for (int part = 0; part < 4; ++part) {
        if (part > 0 && (end == text.size() || text[end++] != '.'))
            return {};
        const std::size_t start = end;
        end = skip(text, start, "0123456789");
        if (end == start || end - start > 3)
            return {};
    }
    const std::size_t behind = skip(text, end, ".-"); // the end of a sentence
    if (behind < text.size() && isNameByte(text[behind]))
        return {};
    return text.substr(at, end - at);
}

/// Whether the text before `at` says that four numbers are a version: "cudnn==9.1.0.70".
bool isVersionAt(std::string_view text, std::size_t at)
{
    constexpr std::array kBefore{"=="sv, "version "sv, "version="sv, "version: "sv, "cudnn "sv};
    constexpr std::size_t kLongestVersion = 9;
    const std::size_t length = std::min(at, kLongestVersion);
    const std::string before = lowered(text.substr(at - length, length));
    return std::ranges::any_of(kBefore,
                               [&](std::string_view end) { return before.ends_with(end); });
}

/// A host of two labels, "node7.local", unless the first is a word of programs: "torch.local".
bool isShortHost(std::string_view word)
{
    constexpr std::array kDomains{"local"sv,    "lan"sv, "internal"sv, "localdomain"sv,
                                  "intranet"sv, "com"sv, "org"sv,      "edu"sv,
                                  "gov"sv,      "net"sv, "corp"sv};
    const std::size_t point = word.find('.');
    return point != word.npos && point > 0 && word.find('.', point + 1) == word.npos &&
           word.find('_') == word.npos && !isNumber(word.substr(0, point)) &&
           isOneOf(lowered(word.substr(point + 1)), kDomains) &&
           !holdsProgramWordsOnly(word.substr(0, point));
}

/// A host name of at least three labels that cannot be a module or a file, or empty.
std::string_view hostAt(std::string_view text, std::size_t at)
{
    constexpr std::array kDomains{
        "com"sv, "org"sv, "edu"sv, "gov"sv, "mil"sv, "de"sv, "uk"sv, "fr"sv, "ch"sv, "jp"sv,
        "cn"sv,  "nl"sv,  "se"sv,  "fi"sv,  "dk"sv,  "ca"sv, "us"sv, "au"sv, "kr"sv, "tw"sv,
        "sg"sv,  "hk"sv,  "il"sv,  "es"sv,  "pt"sv,  "pl"sv, "cz"sv, "ru"sv, "br"sv, "eu"sv};
    // Also words of programs: with these the machine must have a number or a hyphen.
    constexpr std::array kWords{"net"sv,   "local"sv, "internal"sv, "lan"sv,        "corp"sv,
                                "cloud"sv, "io"sv,    "ai"sv,       "in"sv,         "it"sv,
                                "at"sv,    "be"sv,    "no"sv,       "localdomain"sv};
    const std::string_view word = nameAt(text, at);
    if (isShortHost(word))
        return word;
    if (word.size() > 253 || std::ranges::count(word, '.') < 2 || word.find('_') != word.npos ||
        word.find("..") != word.npos || word.find_first_of("0123456789") == 0)
        return {};
    for (std::size_t start = 0; start < word.size();) { // layers.0.conv is no host
        const std::size_t end = std::min(word.find('.', start), word.size());
        if (isNumber(word.substr(start, end - start)))
            return {};
        start = end + 1;
    }
    const std::string domain = lowered(word.substr(word.rfind('.') + 1));
    const std::string_view machine = word.substr(0, word.find('.'));
    const bool numbered = machine.find_first_of("-0123456789") != machine.npos;
    return isOneOf(domain, kDomains) || (numbered && isOneOf(domain, kWords)) ? word
                                                                              : std::string_view();
}

/// `machine` without the ending of a recording's name.
std::string_view withoutFileEndings(std::string_view machine)
{
    constexpr std::array kEndings{".pickle"sv, ".pkl"sv, ".json"sv, ".gz"sv,  ".zst"sv, ".html"sv,
                                  ".csv"sv,    ".txt"sv, ".log"sv,  ".zip"sv, ".xz"sv,  ".trace"sv};
    const auto isEnd = [&](std::string_view ending) {
        return machine.size() > ending.size() && machine.ends_with(ending);
    };
    for (auto end = std::ranges::find_if(kEndings, isEnd); end != kEndings.end();
         end = std::ranges::find_if(kEndings, isEnd))
        machine.remove_suffix(end->size());
    return machine;
}

} // namespace

bool isWordByte(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           static_cast<unsigned char>(c) >= 0x80;
}

bool isSharedName(std::string_view name)
{
    const std::string lower = lowered(name);
    return isOneOf(lower, kSharedNames) || isOneOf(lower, kSourceFolders);
}

void forEachNameInProse(std::string_view text,
                        const std::function<void(std::string_view name, bool machine)> &found)
{
    for (std::size_t at = 0; at < text.size();) {
        std::size_t end = at;
        while (end < text.size() && (isWordByte(text[end]) || text[end] == '_'))
            ++end;
        if (end == at) {
            ++at;
            continue;
        }
        const std::string key = lowered(text.substr(at, std::min<std::size_t>(end - at, 16)));
        const bool machine = isOneOf(key, kMachineKeys);
        const bool isKey = (machine || isOneOf(key, kPersonKeys)) &&
                           (at == 0 || text[at - 1] != '@'); // of redacted text
        std::string_view name = isKey ? valueBehind(text, end) : std::string_view();
        if (!name.empty()) {
            found(name, machine);
        } else if (at == 0 || text[at - 1] != '.') {
            name = addressAt(text, at);
            if (!name.empty() && isVersionAt(text, at))
                name = {};
            if (name.empty() && (at == 0 || !isNameByte(text[at - 1])))
                name = hostAt(text, at);
            if (!name.empty())
                found(name, true);
        }
        at = name.empty() ? end : static_cast<std::size_t>(name.data() - text.data()) + name.size();
    }
}

void forEachAccount(
    std::string_view text, bool prose,
    const std::function<void(std::string_view name, std::string_view machine)> &found)
{
    for (std::size_t at = text.find('@'); at != text.npos; at = text.find('@', at + 1)) {
        std::size_t start = at;
        while (start > 0 && (isNameByte(text[start - 1]) || text[start - 1] == '+'))
            --start;
        const std::string_view word = nameAt(text, at + 1);
        const std::string_view machine = withoutFileEndings(word);
        const std::size_t point = machine.rfind('.');
        const bool domain = point != machine.npos && machine.size() - point > 2 &&
                            std::ranges::all_of(machine.substr(point + 1), [](char c) {
                                return isWordByte(c) && !(c >= '0' && c <= '9');
                            });
        const bool version = word.starts_with("GLIBC") || word.starts_with("GCC_") ||
                             word.starts_with("CXXABI") || word.starts_with("sha256") ||
                             word.find(".so.") != word.npos;      // for a symbol or an image
        const bool chained = start > 0 && text[start - 1] == '@'; // a machine reported before
        if (start < at && !machine.empty() && !version &&
            (prose || domain || machine.size() < word.size()))
            found(text.substr(start, chained ? 0 : at - start), machine);
    }
}

} // namespace vramscope
