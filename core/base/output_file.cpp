// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/output_file.h"

#include "core/base/descriptor.h"
#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <iostream>
#include <optional>
#include <string>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace vramscope {

namespace {

using Status = struct stat;

Result<void> outcomeOf(int failed)
{
    if (failed == 0)
        return {};
    return Error{ErrorCode::WriteFailed,
                 std::string("The file could not be written: ") + std::strerror(failed) + '.'};
}

std::optional<Status> statusOf(const std::filesystem::path &file)
{
    Status status{};
    return ::stat(file.c_str(), &status) == 0 ? std::optional(status) : std::nullopt;
}

bool isSame(const Status &a, const Status &b)
{
    return a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

bool isStandardOutput(const std::filesystem::path &file)
{
    if (file == "-")
        return true;
    const auto status = statusOf(file);
    Status out{};
    return status && ::fstat(STDOUT_FILENO, &out) == 0 && isSame(*status, out);
}

/// 0, or errno of the failure, as in the other functions.
int writeAll(int descriptor, std::string_view bytes)
{
    while (!bytes.empty()) {
        const ssize_t count = ::write(descriptor, bytes.data(), bytes.size());
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            return count < 0 ? errno : EIO;
        bytes.remove_prefix(static_cast<std::size_t>(count));
    }
    return 0;
}

/// Earlier output comes first.
int writeToStandardOutput(std::string_view bytes)
{
    errno = 0;
    if (std::fflush(stdout) != 0 || !std::cout.flush())
        return errno != 0 ? errno : EIO;
    return writeAll(STDOUT_FILENO, bytes);
}

int writeInto(const std::filesystem::path &device, std::string_view bytes)
{
    Descriptor out(::open(device.c_str(), O_WRONLY | O_NOCTTY | O_CLOEXEC));
    if (out.number() < 0)
        return errno;
    if (const int failed = writeAll(out.number(), bytes); failed != 0)
        return failed;
    return out.close() ? 0 : errno;
}

/// Writes and syncs the bytes under a new name, with the owner and the permissions of the file that
/// they replace.
int writeNew(const std::filesystem::path &file, const std::optional<Status> &old,
             std::string_view bytes)
{
    constexpr mode_t kNoExecution = 0666;
    Descriptor out(::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
                          old ? old->st_mode & 0777 : kNoExecution));
    if (out.number() < 0)
        return errno;
    // While the lock is in place, no other writer takes the file for that of a dead one, even from
    // a container that does not see this process.
    static_cast<void>(::flock(out.number(), LOCK_EX) == 0);
    // Some file systems know neither owners nor permissions; the bytes are what counts.
    if (old && (old->st_uid != ::geteuid() || old->st_gid != ::getegid()))
        static_cast<void>(::fchown(out.number(), old->st_uid, old->st_gid) == 0);
    if (old)
        static_cast<void>(::fchmod(out.number(), old->st_mode & 07777) == 0);
    if (const int failed = writeAll(out.number(), bytes); failed != 0)
        return failed;
    if (::fsync(out.number()) != 0 || !out.close())
        return errno;
    return 0;
}

/// The file to which a name leads, through links, whether it exists or not.
std::filesystem::path targetOf(std::filesystem::path file)
{
    constexpr int kMostLinks = 40;
    std::error_code failed;
    for (int link = 0; link < kMostLinks; ++link) {
        const std::filesystem::path next = std::filesystem::read_symlink(file, failed);
        if (failed)
            break;
        file = file.parent_path() / next; // or `next`, if that is absolute
    }
    return file;
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
    std::array<char, 65> host{};
    if (::gethostname(host.data(), host.size() - 1) != 0)
        host[0] = '\0';
    std::string name = host.data();
    std::ranges::replace(name, '/', '-');
    return '.' + target.filename().string().substr(0, kLongest) + '.' + name + '.';
}

constexpr std::string_view kFreshEnding = ".part";

std::string freshName(const std::filesystem::path &target)
{
    static std::atomic<unsigned> written = 0;
    return freshPrefix(target) + std::to_string(::getpid()) + '.' + std::to_string(written++) +
           std::string(kFreshEnding);
}

/// The process that wrote a file, if freshName() gives such a name for a target with this prefix.
std::optional<pid_t> writerOf(std::string_view name, std::string_view prefix)
{
    if (!name.starts_with(prefix) || !name.ends_with(kFreshEnding) ||
        name.size() <= prefix.size() + kFreshEnding.size())
        return {};
    name.remove_prefix(prefix.size());
    name.remove_suffix(kFreshEnding.size());
    const std::size_t point = std::min(name.find('.'), name.size());
    const auto process = wholeNumberIn<pid_t>(name.substr(0, point));
    const bool isNumbered = point < name.size() && wholeNumberIn<unsigned>(name.substr(point + 1));
    return process && *process > 0 && isNumbered ? process : std::nullopt;
}

/// Whether no process of this host still writes the file.
bool isAbandoned(const std::filesystem::path &file, pid_t writer)
{
    if (::kill(writer, 0) == 0 || errno != ESRCH)
        return false;
    const Descriptor left(::open(file.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
    return left.number() >= 0 &&
           (::flock(left.number(), LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK);
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
        const auto writer = writerOf(entry->path().filename().native(), prefix);
        if (writer && isAbandoned(entry->path(), *writer))
            abandoned.push_back(entry->path());
    }
    for (const std::filesystem::path &file : abandoned)
        ::unlink(file.c_str());
}

/// Syncs the name itself to the disk, if the file system supports that.
void syncFolder(const std::filesystem::path &file)
{
    const std::filesystem::path folder = file.has_parent_path() ? file.parent_path() : ".";
    const Descriptor opened(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (opened.number() >= 0)
        static_cast<void>(::fsync(opened.number()) == 0);
}

int replace(const std::filesystem::path &target, const std::optional<Status> &old,
            std::string_view bytes)
{
    removeAbandoned(target);
    std::filesystem::path fresh = target;
    fresh.replace_filename(freshName(target));
    ::unlink(fresh.c_str()); // left by a dead process of the same number
    int failed = writeNew(fresh, old, bytes);
    if (failed == 0 && ::rename(fresh.c_str(), target.c_str()) != 0)
        failed = errno;
    if (failed != 0)
        ::unlink(fresh.c_str());
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
    if (old && !S_ISREG(old->st_mode))
        return outcomeOf(S_ISDIR(old->st_mode) ? EISDIR : writeInto(file, bytes));
    return outcomeOf(replace(targetOf(file), old, bytes));
}

bool isNoFile(const std::filesystem::path &output)
{
    const auto status = statusOf(output);
    return isStandardOutput(output) ||
           (status && !S_ISREG(status->st_mode) && !S_ISDIR(status->st_mode));
}

Result<void> keepInputs(const std::filesystem::path &output,
                        std::span<const std::filesystem::path> inputs)
{
    const auto out = output == "-" ? std::nullopt : statusOf(output);
    if (!out || !S_ISREG(out->st_mode))
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
