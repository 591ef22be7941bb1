// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <utility>

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
    bool close();

private:
    int m_number;
};

/// What the system knows about a file.
struct FileStatus
{
    enum class Kind { Regular, Folder, Other };
    /// Since 1970.
    struct Time
    {
        std::int64_t seconds = 0;
        std::int64_t nanoseconds = 0;
        bool operator==(const Time &) const = default;
    };
    /// One for all names and links of a file.
    struct Identity
    {
        std::uint64_t volume = 0;
        std::uint64_t number = 0;
        bool operator==(const Identity &) const = default;
    };

    Kind kind = Kind::Other;
    std::int64_t size = 0;
    Time modified{};
    std::optional<Identity> identity{}; ///< nothing: unknown
    // Where files have them:
    unsigned permissions = 0;
    unsigned owner = 0;
    unsigned group = 0;
};

/// Follows links; nothing if there is no such file.
[[nodiscard]] std::optional<FileStatus> statusOf(const std::filesystem::path &file);
/// That of a descriptor of the C library; if that fails, nothing, and the error is in errno.
[[nodiscard]] std::optional<FileStatus> statusOf(int descriptor);

/// A regular file that is open for reading. Other programs may still write, rename or remove it.
struct RegularFile
{
    Descriptor descriptor;
    FileStatus status;
};
/// Errors: NotFound, Unreadable, NotAFile.
[[nodiscard]] Result<RegularFile> openRegular(const std::filesystem::path &file);

/// Reads some bytes from a place in the file. Gives how many; 0 at its end, and -1 with the error
/// in errno.
[[nodiscard]] std::ptrdiff_t readAt(int descriptor, std::int64_t place, std::span<std::byte> into);
/// The file will be read from its start to its end.
void expectWholeRead(int descriptor);

/// Why a file cannot be read, by the number of the system's error.
[[nodiscard]] Error unreadable(int number);

} // namespace vramscope
