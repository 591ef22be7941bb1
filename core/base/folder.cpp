// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/folder.h"

#include "core/base/path_text.h"
#include "core/base/text.h"

#include <algorithm>

namespace vramscope {

namespace {

namespace fs = std::filesystem;

/// Removes the digits at the start of `text` and returns them without leading zeros.
std::string_view takeNumber(std::string_view &text)
{
    const auto *const end = std::find_if_not(text.begin(), text.end(), isDigit);
    const auto length = static_cast<std::size_t>(end - text.begin());
    std::string_view digits = text.substr(0, length);
    text.remove_prefix(length);
    digits.remove_prefix(std::min(digits.find_first_not_of('0'), digits.size()));
    return digits;
}

struct Entries
{
    std::vector<fs::path> files;
    std::vector<fs::path> folders;
    std::error_code failed;
};

Entries entriesOf(const fs::path &folder)
{
    Entries entries;
    fs::directory_iterator at(folder, entries.failed);
    for (; !entries.failed && at != fs::directory_iterator(); at.increment(entries.failed)) {
        if (at->path().filename().native().starts_with('.') || !hasText(at->path()))
            continue;
        std::error_code ignored; // a broken link is neither
        if (at->is_regular_file(ignored))
            entries.files.push_back(at->path());
        else if (at->is_directory(ignored))
            entries.folders.push_back(at->path());
    }
    const auto before = [](const fs::path &a, const fs::path &b) {
        return naturallyBefore(utf8(a), utf8(b));
    };
    std::ranges::sort(entries.files, before);
    std::ranges::sort(entries.folders, before);
    return entries;
}

} // namespace

bool naturallyBefore(std::string_view a, std::string_view b)
{
    const std::string_view wholeA = a;
    const std::string_view wholeB = b;
    while (!a.empty() && !b.empty()) {
        if (isDigit(a.front()) && isDigit(b.front())) {
            const std::string_view left = takeNumber(a);
            const std::string_view right = takeNumber(b);
            if (left.size() != right.size())
                return left.size() < right.size();
            if (left != right)
                return left < right;
        } else if (a.front() != b.front()) {
            return static_cast<unsigned char>(a.front()) < static_cast<unsigned char>(b.front());
        } else {
            a.remove_prefix(1);
            b.remove_prefix(1);
        }
    }
    if (a.empty() && b.empty())
        return wholeA < wholeB; // "r01" and "r1": the same number, but two names
    return a.empty();
}

Result<std::vector<fs::path>> filesOfFolder(const fs::path &folder)
{
    Entries top = entriesOf(folder);
    if (top.failed)
        return Error{ErrorCode::Unreadable,
                     "The folder cannot be read: " + top.failed.message() + "."};
    if (top.files.empty()) {
        for (const fs::path &inner : top.folders) {
            Entries below = entriesOf(inner);
            std::ranges::move(below.files, std::back_inserter(top.files));
        }
    }
    return std::move(top.files);
}

std::vector<fs::path> unreadFolders(const fs::path &folder)
{
    Entries top = entriesOf(folder);
    return top.failed || top.files.empty() ? std::vector<fs::path>() : std::move(top.folders);
}

} // namespace vramscope
