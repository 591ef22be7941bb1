// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text_file.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace vramscope {

namespace {

/// An open file that closes itself.
class Descriptor
{
public:
    explicit Descriptor(int number)
        : m_number(number)
    {
    }
    ~Descriptor() { close(); }
    Descriptor(const Descriptor &) = delete;
    Descriptor &operator=(const Descriptor &) = delete;

    [[nodiscard]] int number() const { return m_number; }
    /// False where the system could not keep what was written.
    bool close()
    {
        const int number = std::exchange(m_number, -1);
        return number < 0 || ::close(number) == 0;
    }

private:
    int m_number;
};

std::string reason(int number)
{
    return std::string(std::strerror(number)) + '.';
}

Error writeFailed(int number)
{
    return {ErrorCode::WriteFailed, "The file could not be written: " + reason(number)};
}

bool writeAll(int descriptor, std::string_view text)
{
    while (!text.empty()) {
        const ssize_t count = ::write(descriptor, text.data(), text.size());
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            return false;
        text.remove_prefix(static_cast<std::size_t>(count));
    }
    return true;
}

/// Writes and syncs the text under a new name; 0, or errno of what failed.
int writeNew(const std::filesystem::path &file, const std::filesystem::path &like,
             std::string_view text)
{
    Descriptor out(::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
    if (out.number() < 0)
        return errno;
    struct stat old = {};
    if (::stat(like.c_str(), &old) == 0 && ::fchmod(out.number(), old.st_mode & 07777) != 0)
        return errno;
    if (!writeAll(out.number(), text) || ::fsync(out.number()) != 0 || !out.close())
        return errno;
    return 0;
}

} // namespace

Result<std::string> readTextFile(const std::filesystem::path &file, std::size_t longest)
{
    // Not blocking, so that a pipe without a writer is refused below instead of waited for.
    const Descriptor in(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (in.number() < 0) {
        const int number = errno;
        if (number == ENOENT || number == ENOTDIR)
            return Error{ErrorCode::NotFound, "There is no such file; check the path."};
        return Error{ErrorCode::Unreadable, "The file cannot be read: " + reason(number)};
    }
    struct stat status = {};
    if (::fstat(in.number(), &status) != 0)
        return Error{ErrorCode::Unreadable, "The file cannot be read: " + reason(errno)};
    if (S_ISDIR(status.st_mode))
        return Error{ErrorCode::NotAFile, "This is a folder; name a file inside it."};
    if (!S_ISREG(status.st_mode))
        return Error{ErrorCode::NotAFile, "This is a device, pipe or socket; choose a file."};

    std::string text;
    std::array<char, 1 << 16> buffer;
    while (text.size() <= longest) {
        const ssize_t count = ::read(in.number(), buffer.data(), buffer.size());
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            return Error{ErrorCode::Unreadable, "The file cannot be read: " + reason(errno)};
        if (count == 0)
            break;
        text.append(buffer.data(), static_cast<std::size_t>(count));
    }
    return text;
}

Result<void> writeTextFile(const std::filesystem::path &file, std::string_view text)
{
    // Through a link to the file it names, so that the link stays one.
    std::error_code ignored;
    std::filesystem::path target = std::filesystem::weakly_canonical(file, ignored);
    if (target.empty())
        target = file;
    std::filesystem::path fresh = target;
    fresh.replace_filename('.' + target.filename().string() + '.' + std::to_string(::getpid()));
    ::unlink(fresh.c_str()); // left by a process of the same number that died
    int failed = writeNew(fresh, target, text);
    if (failed == 0 && ::rename(fresh.c_str(), target.c_str()) != 0)
        failed = errno;
    if (failed != 0) {
        ::unlink(fresh.c_str());
        return writeFailed(failed);
    }
    return {};
}

} // namespace vramscope
