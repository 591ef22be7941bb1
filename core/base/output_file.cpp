// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/output_file.h"

#include "core/base/path_text.h"
#include "core/base/platform.h"
#include "core/base/text.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <iostream>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace vramscope {

namespace {

using enum FileStatus::Kind;

constexpr int kStandardOutput = 1;

Result<void> outcomeOf(int failed)
{
    if (failed == 0)
        return {};
    return Error{ErrorCode::WriteFailed,
                 "The file could not be written: " + systemErrorText(failed) + '.'};
}

bool isSame(const FileStatus &a, const FileStatus &b)
{
    return a.identity && a.identity == b.identity;
}

bool isStandardOutput(const std::filesystem::path &file)
{
    if (file == "-")
        return true;
    const auto status = statusOf(file);
    const auto out = statusOf(kStandardOutput);
    return status && out && isSame(*status, *out);
}

/// Earlier output comes first. 0, or errno of the failure.
int writeToStandardOutput(std::string_view bytes)
{
    errno = 0;
    if (std::fflush(stdout) != 0 || !std::cout.flush())
        return errno != 0 ? errno : EIO;
    return writeAll(kStandardOutput, bytes);
}

/// A number without sign or other characters around it.
template<class Number>
std::optional<Number> wholeNumberIn(std::string_view digits)
{
    Number number{};
    const char *const end = digits.data() + digits.size();
    const auto [stop, error] = std::from_chars(digits.data(), end, number);
    const bool isWhole = error == std::errc() && stop == end && isDigit(digits.front());
    return isWhole ? std::optional(number) : std::nullopt;
}

/// The parts of the name of a new file: ".NAME.HOST.", then "PID.N.part". Nodes share a folder, and
/// processes of two of them may have one number.
std::string freshPrefix(const std::filesystem::path &target)
{
    constexpr std::size_t kLongest = 160; // names end at 255 bytes
    std::string name = hostName();
    std::ranges::replace(name, '/', '-');
    return '.' + target.filename().string().substr(0, kLongest) + '.' + name + '.';
}

constexpr std::string_view kFreshEnding = ".part";

std::string freshName(const std::filesystem::path &target)
{
    static std::atomic<unsigned> written = 0;
    return freshPrefix(target) + std::to_string(processNumber()) + '.' + std::to_string(written++) +
           std::string(kFreshEnding);
}

/// The process that wrote a file, if freshName() gives such a name for a target with this prefix.
std::optional<std::int64_t> writerOf(std::string_view name, std::string_view prefix)
{
    if (!name.starts_with(prefix) || !name.ends_with(kFreshEnding) ||
        name.size() <= prefix.size() + kFreshEnding.size())
        return {};
    name.remove_prefix(prefix.size());
    name.remove_suffix(kFreshEnding.size());
    const std::size_t point = std::min(name.find('.'), name.size());
    const auto process = wholeNumberIn<std::int64_t>(name.substr(0, point));
    const bool isNumbered = point < name.size() && wholeNumberIn<unsigned>(name.substr(point + 1));
    return process && *process > 0 && isNumbered ? process : std::nullopt;
}

/// Removes the files that killed writers of this name on this host left.
void removeAbandoned(const std::filesystem::path &target)
{
    const std::string prefix = freshPrefix(target);
    std::vector<std::filesystem::path> abandoned;
    std::error_code failed;
    const auto folder = target.has_parent_path() ? target.parent_path() : ".";
    for (std::filesystem::directory_iterator entry(folder, failed), end; !failed && entry != end;
         entry.increment(failed)) {
        const auto writer = writerOf(utf8(entry->path().filename()), prefix);
        if (writer && isAbandoned(entry->path(), *writer))
            abandoned.push_back(entry->path());
    }
    for (const std::filesystem::path &file : abandoned)
        removeFile(file);
}

int replace(const std::filesystem::path &target, const std::optional<FileStatus> &old,
            std::string_view bytes)
{
    removeAbandoned(target);
    std::filesystem::path fresh = target;
    fresh.replace_filename(pathOf(freshName(target)));
    removeFile(fresh); // left by a dead process of the same number
    int failed = writeNew(fresh, old, bytes);
    if (failed == 0)
        failed = renameOver(fresh, target);
    if (failed != 0)
        removeFile(fresh);
    else
        syncFolder(target);
    return failed;
}

} // namespace

Result<void> writeOutput(const std::filesystem::path &file, std::string_view bytes)
{
    if (isStandardOutput(file))
        return outcomeOf(writeToStandardOutput(bytes));
    const auto old = statusOf(file);
    if (old && old->kind != Regular)
        return outcomeOf(old->kind == Folder ? EISDIR : writeInto(file, bytes));
    return outcomeOf(replace(targetOf(file), old, bytes));
}

bool isNoFile(const std::filesystem::path &output)
{
    const auto status = statusOf(output);
    return isStandardOutput(output) || (status && status->kind == Other);
}

Result<void> keepInputs(const std::filesystem::path &output,
                        std::span<const std::filesystem::path> inputs)
{
    const auto out = output == "-" ? std::nullopt : statusOf(output);
    if (!out || out->kind != Regular)
        return {};
    const bool isInput = std::ranges::any_of(inputs, [&](const std::filesystem::path &input) {
        const auto status = statusOf(input);
        return status && isSame(*status, *out);
    });
    if (!isInput)
        return {};
    return Error{ErrorCode::WriteFailed,
                 "This file is read as well, so it is not overwritten. Choose another name for "
                 "the output."};
}

} // namespace vramscope
