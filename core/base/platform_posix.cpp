// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/descriptor.h"
#include "core/base/path_text.h"
#include "core/base/platform.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <limits>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

namespace vramscope {

namespace {

using Status = struct stat;

FileStatus::Time modifiedAt(const Status &status)
{
#ifdef __APPLE__
    return {status.st_mtimespec.tv_sec, status.st_mtimespec.tv_nsec};
#else
    return {status.st_mtim.tv_sec, status.st_mtim.tv_nsec};
#endif
}

FileStatus ours(const Status &status)
{
    using enum FileStatus::Kind;
    return {.kind = S_ISREG(status.st_mode)   ? Regular
                    : S_ISDIR(status.st_mode) ? Folder
                                              : Other,
            .size = status.st_size,
            .modified = modifiedAt(status),
            .identity = FileStatus::Identity{static_cast<std::uint64_t>(status.st_dev),
                                             static_cast<std::uint64_t>(status.st_ino)},
            .permissions = status.st_mode & 07777U,
            .owner = status.st_uid,
            .group = status.st_gid};
}

/// The beginning of one of the system's files, in a buffer of its own: used when memory is short.
class SystemText
{
public:
    explicit SystemText(const char *file)
    {
        const int in = ::open(file, O_RDONLY | O_CLOEXEC);
        if (in < 0)
            return;
        const ssize_t count = ::read(in, m_buffer.data(), m_buffer.size());
        m_length = count > 0 ? static_cast<std::size_t>(count) : 0;
        ::close(in);
    }

    /// The number that follows `name`.
    [[nodiscard]] std::optional<Bytes> numberAfter(std::string_view name) const
    {
        const std::string_view text(m_buffer.data(), m_length);
        const std::size_t at = text.find(name);
        if (at == std::string_view::npos)
            return {};
        const std::size_t first = text.find_first_not_of(" \t", at + name.size());
        Bytes number = 0;
        if (first == std::string_view::npos ||
            std::from_chars(text.data() + first, text.data() + text.size(), number).ec !=
                std::errc())
            return {};
        return number;
    }

private:
    std::array<char, 4096> m_buffer{};
    std::size_t m_length = 0;
};

} // namespace

std::filesystem::path pathOf(std::string_view text)
{
    return text;
}

bool Descriptor::close()
{
    const int number = std::exchange(m_number, -1);
    return number < 0 || ::close(number) == 0;
}

std::optional<FileStatus> statusOf(const std::filesystem::path &file)
{
    Status status{};
    return ::stat(file.c_str(), &status) == 0 ? std::optional(ours(status)) : std::nullopt;
}

std::optional<FileStatus> statusOf(int descriptor)
{
    Status status{};
    return ::fstat(descriptor, &status) == 0 ? std::optional(ours(status)) : std::nullopt;
}

std::string systemErrorText(int number)
{
    return std::strerror(number);
}

Result<RegularFile> openRegular(const std::filesystem::path &file)
{
    // Avoids blocking on a pipe that no one writes to; without effect on regular files.
    Descriptor opened(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    const auto status = opened.number() < 0 ? std::nullopt : statusOf(opened.number());
    if (!status)
        return unreadable(errno);
    if (status->kind == FileStatus::Kind::Folder)
        return Error{ErrorCode::NotAFile, "This is a folder; choose a file in it."};
    if (status->kind == FileStatus::Kind::Other)
        return Error{ErrorCode::NotAFile, "This is a device, pipe or socket; choose a file."};
    return RegularFile{std::move(opened), *status};
}

std::ptrdiff_t readAt(int descriptor, std::int64_t place, std::span<std::byte> into)
{
    ssize_t count = -1;
    do
        count = ::pread(descriptor, into.data(), into.size(), place);
    while (count < 0 && errno == EINTR);
    return count;
}

void expectWholeRead([[maybe_unused]] int descriptor)
{
#ifdef POSIX_FADV_SEQUENTIAL
    ::posix_fadvise(descriptor, 0, 0, POSIX_FADV_SEQUENTIAL);
#endif
}

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

int writeInto(const std::filesystem::path &device, std::string_view bytes)
{
    Descriptor out(::open(device.c_str(), O_WRONLY | O_NOCTTY | O_CLOEXEC));
    if (out.number() < 0)
        return errno;
    if (const int failed = writeAll(out.number(), bytes); failed != 0)
        return failed;
    return out.close() ? 0 : errno;
}

int writeNew(const std::filesystem::path &file, const std::optional<FileStatus> &old,
             std::string_view bytes)
{
    constexpr mode_t kNoExecution = 0666;
    Descriptor out(::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
                          old ? old->permissions & 0777 : kNoExecution));
    if (out.number() < 0)
        return errno;
    // While the lock is in place, no other writer takes the file for that of a dead one, even from
    // a container that does not see this process.
    static_cast<void>(::flock(out.number(), LOCK_EX) == 0);
    // Some file systems know neither owners nor permissions; the bytes are what counts.
    if (old && (old->owner != ::geteuid() || old->group != ::getegid()))
        static_cast<void>(::fchown(out.number(), old->owner, old->group) == 0);
    if (old)
        static_cast<void>(::fchmod(out.number(), static_cast<mode_t>(old->permissions)) == 0);
    if (const int failed = writeAll(out.number(), bytes); failed != 0)
        return failed;
    if (::fsync(out.number()) != 0 || !out.close())
        return errno;
    return 0;
}

int renameOver(const std::filesystem::path &file, const std::filesystem::path &target)
{
    return ::rename(file.c_str(), target.c_str()) == 0 ? 0 : errno;
}

void removeFile(const std::filesystem::path &file)
{
    ::unlink(file.c_str());
}

void syncFolder(const std::filesystem::path &file)
{
    const std::filesystem::path folder = file.has_parent_path() ? file.parent_path() : ".";
    const Descriptor opened(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (opened.number() >= 0)
        static_cast<void>(::fsync(opened.number()) == 0);
}

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

std::string hostName()
{
    std::array<char, 65> host{};
    return ::gethostname(host.data(), host.size() - 1) == 0 ? host.data() : "";
}

std::int64_t processNumber()
{
    return ::getpid();
}

bool isAbandoned(const std::filesystem::path &file, std::int64_t writer)
{
    const bool isNumber = writer > 0 && writer <= std::numeric_limits<pid_t>::max();
    if (!isNumber || ::kill(static_cast<pid_t>(writer), 0) == 0 || errno != ESRCH)
        return false;
    const Descriptor left(::open(file.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
    return left.number() >= 0 &&
           (::flock(left.number(), LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK);
}

std::optional<Bytes> addressLimit()
{
    rlimit limit{};
    if (::getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
        return {};
    return static_cast<Bytes>(limit.rlim_cur);
}

std::optional<Bytes> systemFreeMemory()
{
    constexpr Bytes kKilo = 1024;
    std::optional<Bytes> free = SystemText("/proc/meminfo").numberAfter("MemAvailable:");
    if (free)
        *free *= kKilo;
    if (const auto limit = addressLimit()) {
        const auto used = SystemText("/proc/self/status").numberAfter("VmSize:");
        const Bytes left = std::max<Bytes>(*limit - used.value_or(0) * kKilo, 0);
        free = std::min(free.value_or(left), left);
    }
    return free;
}

bool standardErrorIsTerminal()
{
    return ::isatty(STDERR_FILENO) == 1;
}

std::vector<std::string> programArguments(int argc, char *argv[])
{
    return {argv + std::min(argc, 1), argv + argc};
}

} // namespace vramscope
