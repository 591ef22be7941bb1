// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/private_words.h"

#include "core/base/text.h"
#include "core/trace/program_words.h"

#include <algorithm>

namespace vramscope {

namespace {

using namespace std::literals;

/// Whether folders here show whose code it is, by the rules for frames.
bool tellsOfProgram(const Parts &parts, std::size_t at)
{
    if (at + 1 >= parts.size())
        return false;
    const std::string_view folder = parts[at];
    const std::string_view next = parts[at + 1];
    return folder == "c10" || folder == "nptl" || (folder == "aten" && next == "src") ||
           (folder == "torch" && (next == "csrc" || next == "include")) ||
           (folder.ends_with("core") && next.starts_with("boxing")) ||
           (folder.ends_with("Objects") && next.find(".c") != next.npos) ||
           (folder.ends_with("Modules") && next.starts_with("main.c")) ||
           (folder.ends_with("cpython") && next.starts_with("abstract.h")) ||
           (folder.ends_with("-packages") && next == "torch") ||
           (folder == "lib" && next.starts_with("python"));
}

/// Whether the path leads into installed packages, the language's own library, or compilers'
/// output, which all belong to programs.
bool isOfPackage(const Parts &parts)
{
    const std::string_view first = parts.front();
    const bool library = first == "lib" && parts.size() > 1 && parts[1].starts_with("python");
    return first == "site-packages" || first == "dist-packages" || first == "torch" || library ||
           first.starts_with('<') ||
           (first == "tmp" && parts.size() > 1 &&
            (parts[1].starts_with("torchinductor_") || parts[1].starts_with("ipykernel_")));
}

/// Whether a folder says nothing about who made it. Long numbers are accounts.
bool isPublicFolder(std::string_view folder)
{
    constexpr std::size_t kMostDigits = 3;
    const bool drive = folder.size() == 2 && folder[1] == ':';
    const bool tools = folder.starts_with("ray_") ||
                       std::ranges::any_of(kAfterPerson, [&](std::string_view start) {
                           return folder.starts_with(start);
                       });
    const bool number = folder.find_first_not_of("0123456789") == folder.npos;
    return drive || tools ||
           (number ? folder.size() <= kMostDigits : holdsProgramWordsOnly(folder));
}

/// Where the kept part of a path begins: after the private part, and near its end.
std::size_t firstKept(const Parts &parts, const PrivateFront &front)
{
    constexpr std::size_t kMostKept = 4; // three folders and the file
    std::size_t start = front.end;
    if (parts.size() > kMostKept)
        start = std::max(start, parts.size() - kMostKept);
    for (std::size_t at = front.certain ? front.end : 0; at < start; ++at) {
        if (tellsOfProgram(parts, at))
            return at;
    }
    return start;
}

/// Where the installed packages begin, or an environment: the folders before are always removed.
std::optional<std::size_t> findEnvironment(const Parts &parts)
{
    for (std::size_t at = parts.size(); at-- > 0;) {
        if (at + 1 < parts.size() && (parts[at] == "site-packages" || parts[at] == "dist-packages"))
            return at;
    }
    for (std::size_t at = 0; at + 1 < parts.size(); ++at) {
        const std::string folder = lowered(parts[at]);
        const bool library = folder == "lib" || folder == "lib64";
        if (library && parts[at + 1].size() > 6 && parts[at + 1].starts_with("python"))
            return at;
    }
    return std::nullopt;
}

/// What separates two parts of a path; in JSON a backslash is two.
std::string_view separatorBefore(std::string_view path, const Parts &parts, std::size_t at)
{
    const char *const start = at > 0 ? parts[at - 1].data() + parts[at - 1].size() : path.data();
    return {start, static_cast<std::size_t>(parts[at].data() - start)};
}

bool endsPath(char c)
{
    return static_cast<unsigned char>(c) <= ' ' ||
           "\"'`<>|;,()[]{}=:*?"sv.find(c) != std::string_view::npos;
}

bool startsDrive(std::string_view text, std::size_t at)
{
    return at + 2 < text.size() && text[at + 1] == ':' && isSeparator(text[at + 2]) &&
           ((text[at] >= 'a' && text[at] <= 'z') || (text[at] >= 'A' && text[at] <= 'Z')) &&
           (at == 0 || !isWordByte(text[at - 1]));
}

/// The path of a file URL: "/home/NAME/x" and "C:/x" for file:///home/NAME/x and file:///C:/x.
std::string_view withoutScheme(std::string_view path)
{
    if (!path.starts_with("file://"))
        return path;
    path.remove_prefix(std::min(path.find('/', 7), path.size()));
    return startsDrive(path, 1) ? path.substr(1) : path;
}

/// \\server\share\…, from a place where a path can begin.
bool startsShare(std::string_view text, std::size_t at)
{
    if (!text.substr(at).starts_with("\\\\") || (at > 0 && !endsPath(text[at - 1])))
        return false;
    const std::size_t server = text.find_first_not_of('\\', at);
    std::size_t end = server;
    while (end < text.size() && !endsPath(text[end]) && text[end] != '\\')
        ++end;
    return end > server && end + 1 < text.size() && text[end] == '\\' && !endsPath(text[end + 1]);
}

/// home/NAME and the like, as in the file names of archives.
bool startsHome(std::string_view text)
{
    constexpr std::array kHomes{"home/"sv, "homes/"sv, "Users/"sv, "users/"sv, "scratch/"sv};
    const auto home = std::ranges::find_if(
        kHomes, [&](std::string_view start) { return text.starts_with(start); });
    return home != kHomes.end() && text.size() > home->size() && isWordByte(text[home->size()]);
}

/// ~NAME/… or an already redacted ~/….
bool startsTilde(std::string_view text, std::size_t at)
{
    if (text[at] != '~')
        return false;
    std::size_t end = at + 1;
    while (end < text.size() && !endsPath(text[end]) && !isSeparator(text[end]) && text[end] != '~')
        ++end;
    return end < text.size() && isSeparator(text[end]) &&
           (end == at + 1 || isWordByte(text[at + 1]));
}

/// Windows' own folders contain blanks: a blank belongs to the path if another folder follows.
bool blankWithin(std::string_view text, std::size_t at)
{
    constexpr std::size_t kLongest = 64; // of the rest of the folder's name
    if (text[at] != ' ')
        return false;
    const std::size_t end = std::min(text.size(), at + kLongest);
    while (++at < end && (text[at] == ' ' || !endsPath(text[at]))) {
        if (text[at] == '\\')
            return true;
    }
    return false;
}

} // namespace

void forEachNameInPath(std::string_view path, const std::function<void(PrivateName)> &found)
{
    path = withoutScheme(path);
    const Parts parts = partsOf(path);
    const auto front = findPrivate(path, parts);
    if (front && front->person) {
        std::string_view name = parts[*front->person];
        if (name.starts_with('~'))
            name.remove_prefix(1);
        found({name});
    }
    if (parts.size() > 1 && parts[0] == "tmp" && parts[1].starts_with("ray_"))
        found({parts[1].substr(4)});
    for (const std::string_view part : parts) {
        for (const std::string_view before : kAfterPerson) {
            if (part.starts_with(before) && part.size() > before.size())
                found({part.substr(before.size())});
        }
    }
}

std::string shortenedPath(std::string_view path)
{
    path = withoutScheme(path);
    const Parts parts = partsOf(path);
    const auto from = [&](std::size_t part) {
        return std::string(path.substr(static_cast<std::size_t>(parts[part].data() - path.data())));
    };
    const auto behind = [&](std::size_t part) { return from(part).substr(parts[part].size()); };
    if (const auto environment = findEnvironment(parts))
        return from(*environment);
    const auto inner = std::ranges::find_if(parts, [](std::string_view part) {
        return part == "envs" || part == ".virtualenvs" || part == "virtualenvs";
    });
    if (parts.end() - inner > 2)
        return "env" + behind(static_cast<std::size_t>(inner - parts.begin()) + 1);
    if (const auto front = findPrivate(path, parts)) {
        const std::size_t start = firstKept(parts, *front);
        if (start == parts.size())
            return "~" + behind(start - 1);
        return "~" + std::string(separatorBefore(path, parts, start)) + from(start);
    }
    return std::string(path);
}

std::string publicPath(std::string_view path)
{
    const Parts parts = partsOf(path);
    if (parts.empty() || isOfPackage(parts))
        return std::string(path);
    const NamedFile kind = namedFile(parts.back());
    const bool isPath = looksLikePath(path) || parts.size() > 1;
    // Looks at folders up to those that show whose code it is, which continue with words of it.
    std::size_t end = parts.size() - (kind == NamedFile::None && isPath ? 0 : 1);
    for (std::size_t at = 0; at < end; ++at)
        end = tellsOfProgram(parts, at) ? at : end;
    std::size_t start = 0;
    for (std::size_t at = 0; at < end; ++at)
        start = isPublicFolder(parts[at]) ? start : at + 1;
    std::string result;
    if (start == parts.size())
        return "~";
    const auto offset = static_cast<std::size_t>(parts[start].data() - path.data());
    if (start > 0)
        result = "~" + std::string(separatorBefore(path, parts, start));
    result += start > 0 ? path.substr(offset) : path;
    return result;
}

std::string publicFileName(std::string_view path)
{
    const Parts parts = partsOf(path);
    if (parts.empty() || isOfPackage(parts) || namedFile(parts.back()) != NamedFile::Data)
        return std::string(path);
    const auto name = static_cast<std::size_t>(parts.back().data() - path.data());
    return std::string(path.substr(0, name)) + withProgramWordsOnly(path.substr(name));
}

bool looksLikePath(std::string_view text)
{
    return text.starts_with('/') || text.starts_with("..") || text.starts_with("./") ||
           text.starts_with("~/") || text.starts_with("\\\\") || startsDrive(text, 0);
}

bool isWebAddress(std::string_view text)
{
    const std::size_t scheme = text.find("://");
    return scheme != text.npos && scheme > 0 && !text.starts_with("file:") &&
           std::ranges::all_of(text.substr(0, scheme), isWordByte);
}

std::optional<TextRange> findPath(std::string_view text, std::size_t from)
{
    for (std::size_t at = from; at < text.size(); ++at) {
        const char before = at > 0 ? text[at - 1] : ' ';
        const bool scheme = text.substr(at).starts_with("file://");
        const bool drive = !scheme && startsDrive(text, at);
        const bool escaped =
            at > 1 && text[at - 2] == '\\' && "nrt"sv.find(before) != std::string_view::npos;
        const bool slash = text[at] == '/' && (escaped || !isWordByte(before)) &&
                           ".~-_)]}%+"sv.find(before) == std::string_view::npos &&
                           !(before == ':' && text.substr(at).starts_with("//")) &&
                           !(before == '/' && at > 1 && text[at - 2] == ':'); // of the web
        const bool home = !isWordByte(before) && startsHome(text.substr(at));
        const bool above = text.substr(at).starts_with("../") && !isWordByte(before);
        if (!scheme && !drive && !slash && !above && !home && !startsShare(text, at) &&
            !startsTilde(text, at))
            continue;
        std::size_t end = at + (scheme ? 7 : drive ? 2 : 0);
        if (scheme && startsDrive(text, at + 8))
            end = at + 10;
        while (end < text.size() && (!endsPath(text[end]) || (drive && blankWithin(text, end))))
            ++end;
        // In JSON a backslash before the quote belongs to the quote.
        while (end > at && end < text.size() && text[end] == '"' && text[end - 1] == '\\')
            --end;
        return TextRange{at, end - at};
    }
    return std::nullopt;
}

} // namespace vramscope
