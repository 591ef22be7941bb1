// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text_file.h"

#include "core/base/descriptor.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace vramscope {

namespace {

std::string reason(int number)
{
    return std::string(std::strerror(number)) + '.';
}

} // namespace

Result<std::string> readTextFile(const std::filesystem::path &file, std::size_t longest)
{
    // Not blocking, so that a pipe without a writer is refused below instead of awaited.
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

} // namespace vramscope
