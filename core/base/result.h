// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cassert>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace vramscope {

/// Why a file or a document cannot be used. The detail of the Error says it in words.
enum class ErrorCode {
    NotFound,      ///< no such file
    Unreadable,    ///< permission denied, or reading failed midway
    NotAFile,      ///< a directory, socket or device
    Empty,         ///< zero bytes
    NotRecognized, ///< not a known format
    Truncated,     ///< ends before its content does
    Malformed,     ///< its bytes contradict the format
    Refused,       ///< it names a class or code; VRAMscope never executes a file
    Unsupported,   ///< a known format, or version of one, that cannot be read
    OtherContent,  ///< sound and known, but not what is needed: a plan, curves instead of blocks
    Changed,       ///< the file changed while it was read
    Invalid,       ///< a document with a wrong field, type or range
    Cancelled,     ///< the caller asked to stop
    WriteFailed,   ///< the file could not be written
};

/// One failure: its kind, its place, and one sentence for the user that also says what to do.
struct Error
{
    ErrorCode code = ErrorCode::Malformed;
    std::string detail;       ///< a clear sentence without the file's name
    std::int64_t offset = -1; ///< byte offset in the file; -1: not tied to one

    /// The detail with its offset, if any: "… (at byte 1,234)".
    [[nodiscard]] std::string text() const;
};

/// A document with a wrong field, type or range.
[[nodiscard]] inline Error invalid(std::string detail)
{
    return {ErrorCode::Invalid, std::move(detail)};
}

/// A value or the Error that prevented it, in the shape of std::expected (absent in g++ 12).
/// value() of a failed result is a bug and asserts.
template<class T>
class [[nodiscard]] Result
{
public:
    Result(T value)
        : m_content(std::in_place_index<0>, std::move(value))
    {
    }
    Result(Error error)
        : m_content(std::in_place_index<1>, std::move(error))
    {
    }

    [[nodiscard]] bool ok() const { return m_content.index() == 0; }
    explicit operator bool() const { return ok(); }

    [[nodiscard]] T &value() &
    {
        assert(ok());
        return *std::get_if<0>(&m_content);
    }
    [[nodiscard]] const T &value() const &
    {
        assert(ok());
        return *std::get_if<0>(&m_content);
    }
    [[nodiscard]] T &&value() &&
    {
        assert(ok());
        return std::move(*std::get_if<0>(&m_content));
    }
    T &operator*() & { return value(); }
    const T &operator*() const & { return value(); }
    T *operator->() { return &value(); }
    const T *operator->() const { return &value(); }

    [[nodiscard]] const Error &error() const
    {
        assert(!ok());
        return *std::get_if<1>(&m_content);
    }

private:
    std::variant<T, Error> m_content;
};

/// Success without a value, or an Error.
template<>
class [[nodiscard]] Result<void>
{
public:
    Result() = default;
    Result(Error error)
        : m_error(std::move(error))
    {
    }

    [[nodiscard]] bool ok() const { return !m_error; }
    explicit operator bool() const { return ok(); }
    [[nodiscard]] const Error &error() const
    {
        assert(m_error);
        return *m_error;
    }

private:
    std::optional<Error> m_error;
};

} // namespace vramscope
