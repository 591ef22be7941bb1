// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/descriptor.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>

namespace vramscope {

Error unreadable(int number)
{
    if (number == ENOENT || number == ENOTDIR)
        return {ErrorCode::NotFound, "There is no such file; check the path."};
    return {ErrorCode::Unreadable, std::string("The file cannot be read (") +
                                       std::strerror(number) +
                                       "); check its permissions and the disk."};
}

Result<RegularFile> openRegular(const std::filesystem::path &file)
{
    // Avoids blocking on a pipe that no one writes to; without effect on regular files.
    RegularFile opened{Descriptor(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)), {}};
    if (opened.descriptor.number() < 0 || ::fstat(opened.descriptor.number(), &opened.status) != 0)
        return unreadable(errno);
    if (S_ISDIR(opened.status.st_mode))
        return Error{ErrorCode::NotAFile, "This is a folder; choose a file in it."};
    if (!S_ISREG(opened.status.st_mode))
        return Error{ErrorCode::NotAFile, "This is a device, pipe or socket; choose a file."};
    return opened;
}

} // namespace vramscope
