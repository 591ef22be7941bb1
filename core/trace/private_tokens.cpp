// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/private_words.h"

#include "core/base/text.h"
#include "core/trace/program_words.h"

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <vector>

namespace vramscope {

namespace {

using namespace std::literals;
using Found = std::function<void(std::string_view part, std::string_view by)>;

constexpr std::size_t kLongest = 512; // of a part that is examined as a whole

// Well-known sites; what is below them may still be private.
constexpr std::array kPublicHosts{"pytorch.org"sv,
                                  "docs.pytorch.org"sv,
                                  "download.pytorch.org"sv,
                                  "github.com"sv,
                                  "raw.githubusercontent.com"sv,
                                  "huggingface.co"sv,
                                  "hf.co"sv,
                                  "docs.nvidia.com"sv,
                                  "developer.nvidia.com"sv,
                                  "docs.python.org"sv,
                                  "pypi.org"sv,
                                  "docker.io"sv,
                                  "ghcr.io"sv,
                                  "nvcr.io"sv,
                                  "quay.io"sv,
                                  "arxiv.org"sv,
                                  "localhost"sv,
                                  "host"sv,
                                  "127.0.0.1"sv,
                                  "0.0.0.0"sv};

constexpr std::array kMachineWords{"host"sv,         "hosts"sv,      "hostname"sv, "node"sv,
                                   "nodename"sv,     "nodelist"sv,   "addr"sv,     "address"sv,
                                   "machine"sv,      "computer"sv,   "fqdn"sv,     "server"sv,
                                   "ip"sv,           "userdomain"sv, "hostlist"sv, "endpoint"sv,
                                   "computername"sv, "domain"sv,     "nodefile"sv};
constexpr std::array kPersonWords{"user"sv,    "username"sv, "logname"sv, "login"sv, "owner"sv,
                                  "account"sv, "author"sv,   "email"sv,   "uname"sv, "submitter"sv};
constexpr std::array kSecretWords{
    "token"sv,  "secret"sv,     "password"sv,    "passwd"sv,        "passphrase"sv,
    "apikey"sv, "credential"sv, "credentials"sv, "authorization"sv, "cookie"sv,
    "bearer"sv, "signature"sv,  "pw"sv,          "sig"sv,           "pat"sv};
constexpr std::array kKeysOfMachines{"master_addr"sv,  "master_address"sv, "rdzv_endpoint"sv,
                                     "rdzv_addr"sv,    "node_name"sv,      "nodelist"sv,
                                     "node_list"sv,    "computername"sv,   "computer_name"sv,
                                     "host_ip"sv,      "ip_address"sv,     "ip"sv,
                                     "init_addr"sv,    "hosts"sv,          "workstation"sv,
                                     "machine_name"sv, "cluster"sv,        "cluster_name"sv};
constexpr std::array kKeysOfPersons{"account"sv, "email"sv,      "submitter"sv, "job_user"sv,
                                    "entity"sv,  "maintainer"sv, "whoami"sv};
// Variables of these tools contain words of programs.
constexpr std::array kToolsVariables{
    "PYTORCH"sv, "TORCH"sv,  "TORCHINDUCTOR"sv, "CUDA"sv,  "NCCL"sv,   "OMP"sv,        "MKL"sv,
    "HF"sv,      "PYTHON"sv, "CUBLAS"sv,        "CUDNN"sv, "XLA"sv,    "TOKENIZERS"sv, "TRITON"sv,
    "NVIDIA"sv,  "VLLM"sv,   "GLOO"sv,          "FSDP"sv,  "KINETO"sv, "ACCELERATE"sv, "LD"sv};

bool isKeyByte(char c)
{
    return isWordByte(c) || c == '_' || c == '-';
}

/// The run of bytes from `at` on for which `holds` is true.
template<class Holds>
std::string_view run(std::string_view text, std::size_t at, const Holds &holds)
{
    std::size_t end = at;
    while (end < text.size() && end - at < kLongest && holds(text[end]))
        ++end;
    return text.substr(at, end - at);
}

bool isValueByte(char c)
{
    return static_cast<unsigned char>(c) > ' ' &&
           "\"'`<>;&|(){}\\"sv.find(c) == std::string_view::npos;
}

bool saysNothing(std::string_view value)
{
    const std::string lower = lowered(value);
    constexpr std::array kNothing{"none"sv, "null"sv, "true"sv, "false"sv, "secret"sv,
                                  "user"sv, "host"sv, "name"sv, "id"sv,    "localhost"sv};
    return isOneOf(lower, kNothing) ||
           std::ranges::none_of(value, [](char c) { return isWordByte(c) && !isDigit(c); });
}

/// The unknown folders, images, tags and values below a machine's name.
void addFolders(std::string_view rest, const Found &found)
{
    for (std::size_t start = 0; start < rest.size();) {
        const std::string_view part =
            run(rest, start, [](char c) { return "/?#&=:@"sv.find(c) == std::string_view::npos; });
        if (!part.empty() && !holdsProgramWordsOnly(part))
            found(part, kName);
        start += part.size() + 1;
    }
}

/// scheme://account@machine:port/folders?query, with the "//" at `at`.
std::size_t addWebAddress(std::string_view text, std::size_t at, const Found &found)
{
    const auto inAddress = [](char c) {
        return isValueByte(c) && c != ',' && c != '}' && c != ']';
    };
    const std::string_view whole = run(text, at + 2, [](char c) { return isValueByte(c); });
    std::string_view authority =
        run(whole, 0, [](char c) { return c != '/' && c != '?' && c != '#'; });
    if (const std::size_t account = authority.rfind('@'); account != authority.npos) {
        if (authority.substr(0, account) != kPerson)
            found(authority.substr(0, account), kPerson);
        authority.remove_prefix(account + 1);
    }
    const std::size_t hostEnd = authority.starts_with('[')
                                    ? std::min(authority.find(']') + 1, authority.size())
                                    : std::min(authority.find_first_of(":,"), authority.size());
    const std::string_view host = authority.substr(0, hostEnd);
    if (!host.empty() && !isOneOf(lowered(host), kPublicHosts))
        found(host, kMachine);
    const std::size_t folders =
        static_cast<std::size_t>(authority.data() - whole.data()) + authority.size();
    const std::string_view rest = run(whole, folders, inAddress);
    addFolders(rest, found);
    return at + 2 + folders + rest.size();
}

/// machine/account/image:tag, the form of registries of containers and of models: a machine with
/// its domain, and the names below it.
std::size_t addRegistry(std::string_view text, std::size_t at, const Found &found)
{
    constexpr std::array kDomains{"com"sv, "org"sv, "net"sv, "edu"sv, "gov"sv,   "io"sv,
                                  "ai"sv,  "dev"sv, "co"sv,  "de"sv,  "local"sv, "internal"sv};
    const std::string_view host = run(text, at, [](char c) { return isKeyByte(c) || c == '.'; });
    const std::size_t point = host.rfind('.');
    if (point == host.npos || point == 0 || !isOneOf(host.substr(point + 1), kDomains))
        return at;
    std::size_t next = at + host.size();
    if (next < text.size() && text[next] == ':')
        next += 1 + run(text, next + 1, isDigit).size();
    if (next + 1 >= text.size() || text[next] != '/' || !isWordByte(text[next + 1]))
        return at;
    if (!isOneOf(lowered(host), kPublicHosts))
        found(host, kMachine);
    const std::string_view rest =
        run(text, next, [](char c) { return isValueByte(c) && c != ','; });
    addFolders(rest, found);
    return next + rest.size();
}

/// The words of a key: MASTER_ADDR, apiKey.
std::vector<std::string> wordsOf(std::string_view key)
{
    std::vector<std::string> words{{}};
    for (std::size_t at = 0; at < key.size(); ++at) {
        const bool hump =
            at > 0 && key[at] >= 'A' && key[at] <= 'Z' && key[at - 1] >= 'a' && key[at - 1] <= 'z';
        if (key[at] == '_' || key[at] == '-' || hump)
            words.emplace_back();
        if (key[at] != '_' && key[at] != '-')
            words.back() += key[at];
    }
    for (std::string &word : words)
        word = lowered(word);
    return words;
}

bool isSecretKey(const std::vector<std::string> &words)
{
    const auto is = [&](std::string_view word) {
        return std::ranges::find(words, word) != words.end();
    };
    const bool key =
        (is("key") || is("keys")) && (is("api") || is("access") || is("private") || is("secret") ||
                                      is("ssh") || is("license") || is("account") || is("auth"));
    return key || isOneOf(words.back(), kSecretWords) || is("secret") || is("password");
}

/// The replacement for the value of a key; empty if the value stays.
std::string_view standIn(std::string_view key, std::string_view value)
{
    const std::vector<std::string> words = wordsOf(key);
    const auto holds = [&](std::span<const std::string_view> some) {
        return std::ranges::any_of(words,
                                   [&](const std::string &word) { return isOneOf(word, some); });
    };
    if (isSecretKey(words))
        return kSecret;
    const bool variable =
        key.size() > 2 && std::ranges::none_of(key, [](char c) { return c >= 'a' && c <= 'z'; });
    const std::string lower = lowered(key);
    if (isOneOf(lower, kKeysOfMachines) || (variable && holds(kMachineWords)))
        return kMachine;
    if (isOneOf(lower, kKeysOfPersons) || (variable && holds(kPersonWords)))
        return kPerson;
    const bool tools = isOneOf(key.substr(0, key.find('_')), kToolsVariables);
    return variable && !tools && key.find('_') != key.npos && !holdsProgramWordsOnly(value)
               ? kName
               : std::string_view();
}

/// KEY=value, --key value, "key": "value"; returns where the search goes on.
std::size_t addAssignment(std::string_view text, std::size_t at, const Found &found)
{
    const std::string_view key = run(text, at, isKeyByte);
    std::size_t next = at + key.size();
    std::size_t sign = std::min(text.find_first_not_of("\"'\\ ", next), text.size());
    const bool flag =
        at > 1 && text.substr(at - 2, 2) == "--" && sign == next + 1 && text[next] == ' ';
    if (sign - next > 4 || sign == text.size() || (!flag && text[sign] != '=' && text[sign] != ':'))
        return next;
    if (!flag)
        ++sign;
    if (text.substr(sign).starts_with("/") || text.substr(sign).starts_with(":"))
        return next; // a path, "scheme://" or a name in C++
    const std::size_t start = std::min(text.find_first_not_of("\"'\\ ", sign), text.size());
    if (start - sign > 6)
        return next;
    const bool listed = text[next] == '=';
    std::string_view value = run(
        text, start, [&](char c) { return isValueByte(c) && (listed || (c != ',' && c != ']')); });
    if (const std::size_t scheme = value.find("://");
        scheme != value.npos || value.starts_with('/') || value.starts_with('~'))
        return next; // which the rules for addresses and paths handle better
    const std::string_view by =
        value.empty() || saysNothing(value) ? std::string_view() : standIn(key, value);
    constexpr std::array kSchemes{"bearer"sv, "basic"sv, "token"sv}; // privateKeyAt() continues
    if (by.empty() || isOneOf(lowered(value), kSchemes))
        return next;
    if (by != kSecret) { // the port in "name:29500" stays
        const std::size_t port = value.rfind(':');
        if (port != value.npos && port > 0 && std::ranges::all_of(value.substr(port + 1), isDigit))
            value = value.substr(0, port);
        while (!value.empty() && (value.back() == ',' || value.back() == '.'))
            value.remove_suffix(1);
        if (saysNothing(value))
            return next;
    }
    found(value, by);
    return start + value.size();
}

/// uid=1001(name) gid=100(group) groups=…: the name between the brackets at `at`.
void addAccount(std::string_view text, std::size_t at, const Found &found)
{
    std::size_t start = at;
    while (start > 0 && at - start < 12 && isDigit(text[start - 1]))
        --start;
    const std::string_view name = run(text, at + 1, [](char c) { return c != ')'; });
    const bool numbered =
        start < at && start > 0 && (text[start - 1] == '=' || text[start - 1] == ',');
    if (numbered && !name.empty() && at + 1 + name.size() < text.size() && !saysNothing(name))
        found(name, kPerson);
}

/// Addresses of IPv6, of network cards and of InfiniBand: hexadecimal groups between colons.
std::string_view networkAddressAt(std::string_view text, std::size_t at)
{
    const std::string_view whole =
        run(text, at, [](char c) { return isHexDigit(c) || c == ':' || c == '-'; });
    const std::size_t end = at + whole.size();
    if (end < text.size() && text[end] == '.') { // 0a1b.2c3d.4e5f, ::ffff:10.0.0.1
        const std::string_view dotted =
            run(text, at, [](char c) { return isHexDigit(c) || c == ':' || c == '.'; });
        const std::size_t last = dotted.rfind(':');
        const bool mapped = dotted.starts_with("::") && std::ranges::count(dotted, '.') == 3 &&
                            std::ranges::all_of(dotted.substr(last + 1),
                                                [](char c) { return isDigit(c) || c == '.'; });
        const bool card = dotted.size() == 14 && dotted[4] == '.' && dotted[9] == '.' &&
                          std::ranges::count(dotted, '.') == 2 && last == dotted.npos &&
                          std::ranges::any_of(dotted, [](char c) { return c >= 'A'; });
        const std::size_t behind = at + dotted.size();
        const bool ends = behind == text.size() || !isWordByte(text[behind]);
        return (mapped || card) && ends ? dotted : std::string_view();
    }
    if ((end < text.size() && (isWordByte(text[end]) || text[end] == '_')) || whole.size() < 5)
        return {};
    const char sign = whole.find(':') != whole.npos ? ':' : '-';
    std::vector<std::size_t> groups{0};
    bool digit = false;
    for (const char c : whole) {
        if (c == (sign == ':' ? '-' : ':'))
            return {};
        if (c == sign)
            groups.push_back(0);
        else
            ++groups.back();
        digit = digit || isDigit(c);
    }
    const auto all = [&](std::size_t size) {
        return std::ranges::all_of(groups, [&](std::size_t each) { return each == size; });
    };
    const bool letters =
        std::ranges::any_of(whole, [](char c) { return isHexDigit(c) && !isDigit(c); });
    if (groups.size() >= 6 && all(2) && (letters || sign == ':'))
        return whole;
    if (sign != ':' || !digit ||
        std::ranges::any_of(groups, [](std::size_t each) { return each > 4; }))
        return {};
    const std::size_t gap = whole.find("::");
    const bool gapped = gap != whole.npos && whole.find("::", gap + 1) == whole.npos &&
                        (groups.size() > 3 || groups.front() == 4);
    return (gapped && groups.size() <= 8) || (gap == whole.npos && groups.size() == 8)
               ? whole
               : std::string_view();
}

/// A machine recognised by its use: "frobnitz17:29500", "frobnitz17:/data", "on node frobnitz17",
/// "ip-10-0-0-17"; returns where the search goes on.
std::size_t addUsedMachine(std::string_view text, std::size_t at, const Found &found)
{
    const std::string_view word = run(text, at, isKeyByte);
    const std::size_t end = at + word.size();
    const auto isUnknown = [](std::string_view name) {
        return std::ranges::any_of(name, isDigit) && !isDigit(name.front()) &&
               !holdsProgramWordsOnly(name);
    };
    if (word.starts_with("ip-") && std::ranges::count(word, '-') == 4 &&
        std::ranges::all_of(word.substr(3), [](char c) { return isDigit(c) || c == '-'; })) {
        found(word, kMachine);
        return end;
    }
    constexpr std::array kBefore{"host"sv, "node"sv, "machine"sv, "server"sv, "on"sv};
    if (isOneOf(lowered(word), kBefore) && end + 1 < text.size() && text[end] == ' ') {
        const std::string_view name = run(text, end + 1, isKeyByte);
        const std::size_t after = end + 1 + name.size();
        // "on gpu-a100-80gb" does not name a machine, and the word before a colon is examined
        // separately.
        const bool goesOn = (after < text.size() && text[after] == ':') ||
                            (word.size() == 2 && name.find('-') != name.npos);
        if (!name.empty() && !goesOn && isUnknown(name)) {
            found(name, kMachine);
            return after;
        }
    }
    if (end + 2 >= text.size() || text[end] != ':' || (at > 0 && text[at - 1] == '.') ||
        !isUnknown(word))
        return at;
    const std::size_t port = run(text, end + 1, isDigit).size();
    const std::size_t behind = end + 1 + port;
    const bool isPort =
        (port == 4 || port == 5) &&
        (behind == text.size() || !(isKeyByte(text[behind]) || text[behind] == '.'));
    const bool isFolder = text[end + 1] == '/' && isWordByte(text[end + 2]);
    if (!isPort && !isFolder)
        return at;
    found(word, kMachine);
    return end;
}

/// The name after "for user ", "run by ", "conda activate " and the like.
std::size_t addFollowing(std::string_view text, std::size_t at, const Found &found)
{
    struct Before
    {
        std::string_view words;
        std::string_view by;
    };
    for (const auto &[words, by] : {Before{"for user "sv, kPerson},
                                    {"as user "sv, kPerson},
                                    {"logged in as "sv, kPerson},
                                    {"run by "sv, kPerson},
                                    {"submitted by "sv, kPerson},
                                    {"conda activate "sv, kName}}) {
        if (!text.substr(at).starts_with(words))
            continue;
        const std::string_view name = run(text, at + words.size(), isKeyByte);
        if (name.empty() || holdsProgramWordsOnly(name))
            return at;
        found(name, by);
        return at + words.size() + name.size();
    }
    return at;
}

/// git@host:name/x: the part after the colon at `at`, unless it is a port or a path from the root.
void addRemotePath(std::string_view text, std::size_t at, const Found &found)
{
    std::size_t start = at;
    while (start > 0 && at - start < 256 && (isKeyByte(text[start - 1]) || text[start - 1] == '.'))
        --start;
    if (start == 0 || start == at || text[start - 1] != '@')
        return;
    const std::string_view path =
        run(text, at + 1, [](char c) { return isValueByte(c) && c != ','; });
    if (path.empty() || path.starts_with('/') || path.starts_with('~') ||
        std::ranges::all_of(path, isDigit) || path.find('/') == path.npos)
        return;
    if (!holdsProgramWordsOnly(path))
        found(path, "~");
}

} // namespace

void forEachToken(std::string_view text, bool prose, const Found &found)
{
    for (std::size_t at = 0; at < text.size();) {
        const char before = at > 0 ? text[at - 1] : ' ';
        if (text[at] == '/' && before == ':' && text.substr(at).starts_with("//") && at > 2 &&
            isWordByte(text[at - 2]) && !text.substr(0, at).ends_with("file:")) {
            at = addWebAddress(text, at, found);
            continue;
        }
        if (prose && text[at] == '(')
            addAccount(text, at, found);
        if (prose && text[at] == ':')
            addRemotePath(text, at, found);
        const bool begins = (isWordByte(text[at]) || text[at] == ':') && !isWordByte(before) &&
                            before != '_' && before != ':' && before != '.';
        if (!begins) {
            ++at;
            continue;
        }
        if (prose) {
            if (const std::string_view address = networkAddressAt(text, at); !address.empty()) {
                found(address, kMachine);
                at += address.size();
                continue;
            }
        }
        if (const PrivateKey key = privateKeyAt(text, at); !key.part.empty()) {
            found(key.part, key.by);
            at = key.next;
            continue;
        }
        std::size_t next = at;
        for (auto *const add : {addRegistry, addUsedMachine, addFollowing, addAssignment}) {
            if (next == at && prose && isWordByte(text[at]))
                next = add(text, at, found);
        }
        at = std::max(next, at + 1);
    }
}

} // namespace vramscope
