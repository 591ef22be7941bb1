// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <filesystem>
#include <utility>

#include <sys/stat.h>
#include <unistd.h>

namespace vramscope {

/// An open file that closes itself.
class Descriptor
{
public:
    explicit Descriptor(int number)
        : m_number(number)
    {
    }
    Descriptor(Descriptor &&other) noexcept
        : m_number(std::exchange(other.m_number, -1))
    {
    }
    ~Descriptor() { close(); }
    Descriptor(const Descriptor &) = delete;
    Descriptor &operator=(const Descriptor &) = delete;

    [[nodiscard]] int number() const { return m_number; }
    /// False if the system could not store what was written.
    bool close()
    {
        const int number = std::exchange(m_number, -1);
        return number < 0 || ::close(number) == 0;
    }

private:
    int m_number;
};

/// A regular file that is open for reading.
struct RegularFile
{
    Descriptor descriptor;
    struct stat status;
};
/// Errors: NotFound, Unreadable, NotAFile.
[[nodiscard]] Result<RegularFile> openRegular(const std::filesystem::path &file);

/// Why a file cannot be read, by the number of the system's error.
[[nodiscard]] Error unreadable(int number);

} // namespace vramscope
