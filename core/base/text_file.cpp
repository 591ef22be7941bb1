// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text_file.h"

#include "core/base/descriptor.h"

#include <array>
#include <cerrno>

namespace vramscope {

Result<std::string> readTextFile(const std::filesystem::path &file, std::size_t longest)
{
    const Result<RegularFile> in = openRegular(file);
    if (!in)
        return in.error();
    std::string text;
    std::array<char, 1 << 16> buffer;
    while (text.size() <= longest) {
        const ssize_t count = ::read(in->descriptor.number(), buffer.data(), buffer.size());
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            return unreadable(errno);
        if (count == 0)
            break;
        text.append(buffer.data(), static_cast<std::size_t>(count));
    }
    return text;
}

} // namespace vramscope
