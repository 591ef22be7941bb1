// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text_file.h"

#include "core/base/descriptor.h"

#include <array>
#include <cerrno>
#include <span>

namespace vramscope {

Result<std::string> readTextFile(const std::filesystem::path &file, std::size_t longest)
{
    const Result<RegularFile> in = openRegular(file);
    if (!in)
        return in.error();
    std::string text;
    std::array<char, 1 << 16> buffer;
    while (text.size() <= longest) {
        const std::ptrdiff_t count =
            readAt(in->descriptor.number(), static_cast<std::int64_t>(text.size()),
                   std::as_writable_bytes(std::span(buffer)));
        if (count < 0)
            return unreadable(errno);
        if (count == 0)
            break;
        text.append(buffer.data(), static_cast<std::size_t>(count));
    }
    return text;
}

} // namespace vramscope
