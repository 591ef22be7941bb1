// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/redaction.h"

#include "core/base/text.h"
#include "core/trace/private_words.h"
#include "core/trace/program_words.h"

#include <algorithm>
#include <array>
#include <functional>

namespace vramscope {

using namespace std::literals;

namespace {

bool isUpper(char c)
{
    return c >= 'A' && c <= 'Z';
}

bool isLetter(char c)
{
    return isWordByte(c) && !isDigit(c);
}

/// A part of a text and its replacement.
struct Replacement
{
    std::string_view part;
    std::string_view by;
};

std::string replaced(std::string_view text, std::vector<Replacement> replacements)
{
    std::ranges::stable_sort(replacements, std::less<>(),
                             [](const Replacement &each) { return each.part.data(); });
    std::string result;
    std::size_t done = 0;
    for (const Replacement &each : replacements) {
        const auto start = static_cast<std::size_t>(each.part.data() - text.data());
        if (start < done) // within a replaced part
            continue;
        result += text.substr(done, start - done);
        result += each.by;
        done = start + each.part.size();
    }
    result += text.substr(done);
    return result;
}

/// Calls visit(path) for each path in a text.
void forEachPath(std::string_view text, Redaction::Kind kind,
                 const std::function<void(std::string_view)> &visit)
{
    if (kind == Redaction::Kind::Path && !isWebAddress(text) &&
        (looksLikePath(text) || text.find(' ') == std::string_view::npos)) {
        visit(text);
        return;
    }
    std::size_t from = 0;
    while (const auto range = findPath(text, from)) {
        visit(text.substr(range->start, range->length));
        from = range->start + std::max<std::size_t>(range->length, 1);
    }
}

std::string redactedPath(std::string_view path)
{
    const std::string shortened = publicPath(shortenedPath(path));
    std::vector<Replacement> names;
    forEachNameInPath(shortened, [&](PrivateName name) { names.push_back({name.name, kPerson}); });
    return replaced(shortened, std::move(names));
}

/// The text with each path in it rewritten.
std::string withPaths(std::string_view text, Redaction::Kind kind,
                      std::string (*rewritten)(std::string_view path))
{
    std::string result;
    std::size_t done = 0;
    forEachPath(text, kind, [&](std::string_view path) {
        const auto start = static_cast<std::size_t>(path.data() - text.data());
        result += text.substr(done, start - done);
        result += rewritten(path);
        done = start + path.size();
    });
    result += text.substr(done);
    return result;
}

/// The machine in names that recorders give their files: HOST_PID.TIME.pt.trace.json and
/// HOST_Mon_DD_HH_MM_SS.pickle; otherwise empty.
std::string_view machineOfFile(std::string_view name)
{
    constexpr std::string_view kDigits = "0123456789";
    constexpr std::array<std::string_view, 12> kMonths{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                       "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    const auto isMachine = [&](std::string_view word) {
        return word.find_first_of(kDigits) != word.npos && !word.starts_with("rank");
    };
    if (std::size_t end = name.find(".pt.trace.json"); end != name.npos) {
        const std::string_view stem = name.substr(0, end);
        end = stem.find_last_of('_');
        return end == stem.npos ? std::string_view() : stem.substr(0, end);
    }
    for (const std::string_view month : kMonths) {
        const std::size_t at = name.find("_" + std::string(month) + "_");
        if (at == name.npos || at + 6 >= name.size() ||
            kDigits.find(name[at + 5]) == kDigits.npos || !isMachine(name.substr(0, at)))
            continue;
        return name.substr(0, at);
    }
    return {};
}

} // namespace

void Redaction::add(std::string_view name, std::string_view replacement)
{
    constexpr std::size_t kMostNames = 20'000; // so that no file takes all memory
    while (!name.empty() && !isWordByte(name.front()))
        name.remove_prefix(1);
    while (!name.empty() && !isWordByte(name.back()))
        name.remove_suffix(1);
    const bool number = name.find_first_not_of("0123456789.") == name.npos;
    if (name.size() < 3 || number || isSharedName(name) || m_count == kMostNames)
        return;
    Name entry{lowered(name), replacement};
    const auto word = std::ranges::find_if_not(entry.lower, isWordByte);
    std::vector<Name> &names = m_names[std::string(entry.lower.begin(), word)];
    if (std::ranges::find(names, entry.lower, &Name::lower) != names.end())
        return;
    names.push_back(std::move(entry));
    std::ranges::stable_sort(names, std::ranges::greater(),
                             [](const Name &each) { return each.lower.size(); });
    ++m_count;
}

/// Adds the words of `text` that are not program words and not in `except`.
void Redaction::addWords(std::string_view text, std::string_view except)
{
    constexpr std::size_t kShortest = 4; // shorter ones are also parts of other words
    const std::string kept = lowered(except);
    for (std::size_t at = 0; at < text.size();) {
        std::size_t end = at;
        while (end < text.size() && isWordByte(text[end]))
            ++end;
        const std::string_view word = text.substr(at, end - at);
        if (word.size() >= kShortest && !isProgramWord(word) &&
            kept.find(lowered(word)) == kept.npos)
            add(word, kName);
        at = std::max(end, at + 1);
    }
}

void Redaction::gather(std::string_view text, Kind kind)
{
    forEachPath(text, kind, [this](std::string_view path) {
        forEachNameInPath(path, [this](PrivateName name) { add(name.name, kPerson); });
        if (const std::string shown = redactedPath(path); shown != path)
            addWords(path, shown);
    });
    const bool prose = kind == Kind::Prose;
    // A key before it may be a program's own, "node: forward".
    const auto addUnknown = [this](std::string_view name, std::string_view by) {
        if (!holdsProgramWordsOnly(name))
            add(name, by);
    };
    forEachToken(text, prose, [&](std::string_view part, std::string_view by) {
        const std::size_t colon = by == kPerson ? part.find(':') : part.npos;
        if (by == kName || part.starts_with("~"))
            return addWords(part, {});
        addUnknown(part.substr(0, colon), by);
        if (colon != part.npos) // account:password
            addUnknown(part.substr(colon + 1), kSecret);
    });
    forEachAccount(text, prose,
                   [this](std::string_view name, std::string_view) { add(name, kPerson); });
    if (prose)
        forEachNameInProse(text, [&](std::string_view name, bool machine) {
            addUnknown(name, machine ? kMachine : kPerson);
        });
}

void Redaction::gather(const Redaction &other)
{
    for (const auto &[word, names] : other.m_names) {
        for (const Name &name : names)
            add(name.lower, name.replacement);
    }
}

void Redaction::gatherFileName(std::string_view file)
{
    gather(file, Kind::Path);
    const std::string_view name = file.substr(file.find_last_of("/\\") + 1);
    add(machineOfFile(name), kMachine);
    addWords(name, {}); // fileName() removes them
}

void Redaction::gatherTitle(std::string_view text)
{
    gather(text, Kind::Prose);
    addWords(text, {});
}

std::string Redaction::fileName(std::string_view path) const
{
    std::string shown = this->path(path);
    const std::size_t name = shown.find_last_of("/\\") + 1;
    return shown.substr(0, name) + withProgramWordsOnly(std::string_view(shown).substr(name));
}

std::string Redaction::title(std::string_view text) const
{
    return withProgramWordsOnly(this->text(text, Kind::Prose));
}

std::string Redaction::sentence(std::string_view text) const
{
    const std::string shown = this->text(text, Kind::Prose);
    std::string result;
    std::size_t at = 0;
    while (at < shown.size()) {
        const std::size_t opening = std::min(shown.find('"', at), shown.size());
        const std::size_t closing = shown.find('"', opening + 1);
        if (opening == shown.size() || closing == shown.npos)
            break;
        result.append(shown, at, opening - at);
        result +=
            withProgramWordsOnly(std::string_view(shown).substr(opening, closing + 1 - opening));
        at = closing + 1;
    }
    return result.append(shown, at);
}

/// The longest gathered name at `at`, where a word begins that ends at `end`; null if no name
/// matches. A name that is also a word of programs, such as "max", stays within the names of
/// programs: "aten::max_pool2d(".
const Redaction::Name *Redaction::nameAt(std::string_view text, std::size_t at,
                                         std::size_t end) const
{
    const auto names = m_names.find(lowered(text.substr(at, end - at)));
    if (names == m_names.end())
        return nullptr;
    const auto isPartOfName = [&](std::size_t byte, std::size_t beyond) {
        if (byte >= text.size())
            return false;
        const bool joins = text[byte] == '.' || text[byte] == ':';
        return isWordByte(text[byte]) || "_(<"sv.find(text[byte]) != std::string_view::npos ||
               (joins && beyond < text.size() && (isWordByte(text[beyond]) || text[beyond] == ':'));
    };
    for (const Name &name : names->second) {
        const std::size_t after = at + name.lower.size();
        if (after > text.size() ||
            (after > end && after < text.size() && isWordByte(text[after])) ||
            lowered(text.substr(at, name.lower.size())) != name.lower)
            continue;
        if (!std::ranges::all_of(name.lower, isLetter) || !isProgramWord(name.lower) ||
            (!isPartOfName(after, after + 1) && !isPartOfName(at - 1, at - 2)))
            return &name;
    }
    return nullptr;
}

std::string Redaction::withoutNames(std::string_view text) const
{
    if (m_names.empty())
        return std::string(text);
    std::vector<Replacement> found;
    const auto look = [&](std::size_t at, std::size_t end) {
        const Name *const name = nameAt(text, at, end);
        if (name)
            found.push_back({text.substr(at, name->lower.size()), name->replacement});
        return name ? std::max(end, at + name->lower.size()) : at;
    };
    for (std::size_t at = 0; at < text.size();) {
        std::size_t end = at;
        while (end < text.size() && isWordByte(text[end]))
            ++end;
        if (end == at) {
            ++at;
            continue;
        }
        const std::size_t next = look(at, end);
        for (std::size_t hump = next > at ? end : at; hump < end;) { // of "AliceAttention"
            const std::size_t start = hump++;
            while (hump < end && !(isUpper(text[hump]) && !isUpper(text[hump - 1])))
                ++hump;
            if (hump - start < end - at)
                look(start, hump);
        }
        at = std::max(next, end);
    }
    return replaced(text, std::move(found));
}

// A replacement may make another place recognisable: repeats until nothing changes.
std::string Redaction::text(std::string_view text, Kind kind) const
{
    constexpr int kMostPasses = 8; // two are usual: one that changes and one that does not
    std::string result(text);
    for (int pass = 0; pass < kMostPasses; ++pass) {
        std::string next = rewrittenOnce(result, kind);
        if (next == result)
            break;
        result = std::move(next);
    }
    return result;
}

std::string Redaction::rewrittenOnce(std::string_view text, Kind kind) const
{
    const bool prose = kind == Kind::Prose;
    std::vector<Replacement> found;
    forEachToken(text, prose, [&](std::string_view part, std::string_view by) {
        found.push_back({part, by});
    });
    forEachAccount(text, prose, [&](std::string_view name, std::string_view machine) {
        if (!name.empty())
            found.push_back({name, kPerson});
        found.push_back({machine, kMachine});
    });
    if (prose)
        forEachNameInProse(text, [&](std::string_view name, bool machine) {
            if (name != "none" && name != "null" && name != "true" && name != "false")
                found.push_back({name, machine ? kMachine : kPerson});
        });
    const std::string named = withPaths(replaced(text, std::move(found)), kind, redactedPath);
    return withPaths(withoutNames(named), kind, publicFileName);
}

} // namespace vramscope
