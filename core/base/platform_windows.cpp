// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/descriptor.h"
#include "core/base/path_text.h"
#include "core/base/platform.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <limits>

#ifndef NOMINMAX
#define NOMINMAX
#endif
#define WIN32_LEAN_AND_MEAN
#include <windows.h>

#include <fcntl.h>
#include <io.h>
#include <shellapi.h>

namespace vramscope {

namespace {

constexpr DWORD kShareAll = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;

/// A handle of the system that closes itself.
class Handle
{
public:
    explicit Handle(HANDLE handle)
        : m_handle(handle == INVALID_HANDLE_VALUE ? nullptr : handle)
    {
    }
    Handle(Handle &&other) noexcept
        : m_handle(other.release())
    {
    }
    ~Handle() { close(); }
    Handle(const Handle &) = delete;
    Handle &operator=(const Handle &) = delete;

    explicit operator bool() const { return m_handle != nullptr; }
    [[nodiscard]] HANDLE get() const { return m_handle; }
    HANDLE release() { return std::exchange(m_handle, nullptr); }
    bool close()
    {
        HANDLE const handle = release();
        return handle == nullptr || CloseHandle(handle) != 0;
    }

private:
    HANDLE m_handle;
};

/// As errno has it.
int numberOf(DWORD error)
{
    switch (error) {
    case ERROR_SUCCESS:
        return 0;
    case ERROR_FILE_NOT_FOUND:
    case ERROR_PATH_NOT_FOUND:
    case ERROR_INVALID_NAME:
    case ERROR_BAD_NETPATH:
    case ERROR_BAD_NET_NAME:
    case ERROR_INVALID_DRIVE:
        return ENOENT;
    case ERROR_ACCESS_DENIED:
    case ERROR_WRITE_PROTECT:
        return EACCES;
    case ERROR_SHARING_VIOLATION:
    case ERROR_LOCK_VIOLATION:
    case ERROR_USER_MAPPED_FILE:
        return EBUSY;
    case ERROR_FILE_EXISTS:
    case ERROR_ALREADY_EXISTS:
        return EEXIST;
    case ERROR_DISK_FULL:
    case ERROR_HANDLE_DISK_FULL:
        return ENOSPC;
    case ERROR_FILE_TOO_LARGE:
        return EFBIG;
    case ERROR_FILENAME_EXCED_RANGE:
        return ENAMETOOLONG;
    case ERROR_NOT_ENOUGH_MEMORY:
    case ERROR_OUTOFMEMORY:
        return ENOMEM;
    case ERROR_BROKEN_PIPE:
    case ERROR_NO_DATA:
        return EPIPE;
    default:
        return EIO;
    }
}

int lastError()
{
    return numberOf(GetLastError());
}

HANDLE handleOf(int descriptor)
{
    return reinterpret_cast<HANDLE>(
        _get_osfhandle(descriptor)); // NOLINT(performance-no-int-to-ptr)
}

/// A path as the system's functions take it. One of more than 260 characters is taken only whole
/// and with a prefix that names no such limit.
std::wstring systemPath(const std::filesystem::path &path)
{
    constexpr DWORD kLongest = 240; // a folder's limit is lower than that of a file
    const std::wstring &name = path.native();
    if (name.starts_with(LR"(\\?\)") || name.starts_with(LR"(\\.\)"))
        return name;
    const DWORD room = GetFullPathNameW(name.c_str(), 0, nullptr, nullptr);
    if (room <= kLongest)
        return name;
    std::wstring whole(room, L'\0');
    whole.resize(GetFullPathNameW(name.c_str(), room, whole.data(), nullptr));
    return whole.starts_with(LR"(\\)") ? LR"(\\?\UNC)" + whole.substr(1) : LR"(\\?\)" + whole;
}

Handle open(const std::filesystem::path &file, DWORD access, DWORD sharing, DWORD creation,
            DWORD flags)
{
    return Handle(
        CreateFileW(systemPath(file).c_str(), access, sharing, nullptr, creation, flags, nullptr));
}

FileStatus::Time timeOf(const FILETIME &time)
{
    constexpr std::int64_t kInSecond = 10'000'000;
    constexpr std::int64_t kNanoseconds = 100;
    constexpr std::int64_t kSecondsTo1970 = 11'644'473'600; // from 1601
    const auto all =
        static_cast<std::int64_t>(std::uint64_t(time.dwHighDateTime) << 32U | time.dwLowDateTime);
    return {all / kInSecond - kSecondsTo1970, all % kInSecond * kNanoseconds};
}

std::optional<FileStatus> statusOf(HANDLE handle)
{
    using enum FileStatus::Kind;
    const DWORD type = GetFileType(handle);
    if (type == FILE_TYPE_UNKNOWN)
        return {};
    if (type != FILE_TYPE_DISK)
        return FileStatus{};
    BY_HANDLE_FILE_INFORMATION known{};
    if (GetFileInformationByHandle(handle, &known) == 0)
        return {};
    FileStatus status;
    status.kind = (known.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) != 0 ? Folder : Regular;
    status.size =
        static_cast<std::int64_t>(std::uint64_t(known.nFileSizeHigh) << 32U | known.nFileSizeLow);
    status.modified = timeOf(known.ftLastWriteTime);
    status.identity = {known.dwVolumeSerialNumber,
                       std::uint64_t(known.nFileIndexHigh) << 32U | known.nFileIndexLow};
    return status;
}

int writeAll(HANDLE out, std::string_view bytes)
{
    constexpr std::size_t kPiece = std::size_t(1) << 20; // a console takes no piece of any size
    while (!bytes.empty()) {
        DWORD count = 0;
        if (WriteFile(out, bytes.data(), static_cast<DWORD>(std::min(bytes.size(), kPiece)), &count,
                      nullptr) == 0)
            return lastError();
        if (count == 0)
            return EIO;
        bytes.remove_prefix(count);
    }
    return 0;
}

/// Whether another program hinders: one that indexes, backs up or scans new files has them open for
/// a moment.
bool isInTheWay(DWORD error)
{
    return error == ERROR_SHARING_VIOLATION || error == ERROR_LOCK_VIOLATION ||
           error == ERROR_ACCESS_DENIED || error == ERROR_UNABLE_TO_REMOVE_REPLACED;
}

template<class Call>
int repeated(Call call)
{
    constexpr int kTimes = 10;
    constexpr DWORD kPause = 50; // ms
    DWORD error = ERROR_SUCCESS;
    for (int time = 0; time < kTimes; ++time) {
        if (time > 0)
            Sleep(kPause);
        error = call() != 0 ? ERROR_SUCCESS : GetLastError();
        if (!isInTheWay(error))
            break;
    }
    return numberOf(error);
}

UINT theCodePageBefore = 0;

/// The console shows UTF-8 and obeys the sequence that clears a line; it gets its code page back,
/// since the next program in it inherits both.
void prepareConsole()
{
    theCodePageBefore = GetConsoleOutputCP();
    if (theCodePageBefore != 0 && theCodePageBefore != CP_UTF8 && SetConsoleOutputCP(CP_UTF8) != 0)
        std::atexit([] { SetConsoleOutputCP(theCodePageBefore); });
    HANDLE const console = GetStdHandle(STD_ERROR_HANDLE);
    DWORD mode = 0;
    if (GetConsoleMode(console, &mode) != 0)
        SetConsoleMode(console, mode | ENABLE_VIRTUAL_TERMINAL_PROCESSING);
}

} // namespace

std::filesystem::path pathOf(std::string_view text)
{
    const int size =
        static_cast<int>(std::min<std::size_t>(text.size(), std::numeric_limits<int>::max()));
    std::wstring wide(
        static_cast<std::size_t>(MultiByteToWideChar(CP_UTF8, 0, text.data(), size, nullptr, 0)),
        L'\0');
    MultiByteToWideChar(CP_UTF8, 0, text.data(), size, wide.data(), static_cast<int>(wide.size()));
    return wide;
}

std::string utf8Of(std::wstring_view wide)
{
    const int size =
        static_cast<int>(std::min<std::size_t>(wide.size(), std::numeric_limits<int>::max()));
    std::string text(static_cast<std::size_t>(WideCharToMultiByte(CP_UTF8, 0, wide.data(), size,
                                                                  nullptr, 0, nullptr, nullptr)),
                     '\0');
    WideCharToMultiByte(CP_UTF8, 0, wide.data(), size, text.data(), static_cast<int>(text.size()),
                        nullptr, nullptr);
    return text;
}

bool Descriptor::close()
{
    const int number = std::exchange(m_number, -1);
    return number < 0 || ::_close(number) == 0;
}

std::optional<FileStatus> statusOf(const std::filesystem::path &file)
{
    const Handle opened = open(file, 0, kShareAll, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS);
    return opened ? statusOf(opened.get()) : std::nullopt;
}

std::optional<FileStatus> statusOf(int descriptor)
{
    auto status = statusOf(handleOf(descriptor));
    if (!status)
        errno = lastError();
    return status;
}

std::string systemErrorText(int number)
{
    return number == EBUSY ? "Another program has it open" : std::strerror(number);
}

Result<RegularFile> openRegular(const std::filesystem::path &file)
{
    // With these flags a folder opens too, and can be named in the error.
    Handle opened = open(file, GENERIC_READ, kShareAll, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS);
    const auto status = opened ? statusOf(opened.get()) : std::nullopt;
    if (!status)
        return unreadable(lastError());
    if (status->kind == FileStatus::Kind::Folder)
        return Error{ErrorCode::NotAFile, "This is a folder; choose a file in it."};
    if (status->kind == FileStatus::Kind::Other)
        return Error{ErrorCode::NotAFile, "This is a device, pipe or socket; choose a file."};
    Descriptor descriptor(
        _open_osfhandle(reinterpret_cast<std::intptr_t>(opened.get()), _O_RDONLY | _O_BINARY));
    if (descriptor.number() < 0)
        return unreadable(errno);
    opened.release();
    return RegularFile{std::move(descriptor), *status};
}

std::ptrdiff_t readAt(int descriptor, std::int64_t place, std::span<std::byte> into)
{
    constexpr std::size_t kMost = std::size_t(1) << 30;
    OVERLAPPED from{};
    from.Offset = static_cast<DWORD>(static_cast<std::uint64_t>(place) & 0xffffffffU);
    from.OffsetHigh = static_cast<DWORD>(static_cast<std::uint64_t>(place) >> 32U);
    DWORD count = 0;
    if (ReadFile(handleOf(descriptor), into.data(),
                 static_cast<DWORD>(std::min(into.size(), kMost)), &count, &from) == 0) {
        const DWORD error = GetLastError();
        if (error == ERROR_HANDLE_EOF)
            return 0;
        errno = numberOf(error);
        return -1;
    }
    return static_cast<std::ptrdiff_t>(count);
}

void expectWholeRead(int) {} // a flag of opening, where most files are not read whole

int writeAll(int descriptor, std::string_view bytes)
{
    return writeAll(handleOf(descriptor), bytes);
}

int writeInto(const std::filesystem::path &device, std::string_view bytes)
{
    Handle out = open(device, GENERIC_WRITE, kShareAll, OPEN_EXISTING, 0);
    if (!out)
        return lastError();
    if (const int failed = writeAll(out.get(), bytes); failed != 0)
        return failed;
    return out.close() ? 0 : lastError();
}

/// The owner and the permissions come with renameOver().
int writeNew(const std::filesystem::path &file, const std::optional<FileStatus> &,
             std::string_view bytes)
{
    Handle out = open(file, GENERIC_WRITE, FILE_SHARE_READ, CREATE_NEW, FILE_ATTRIBUTE_NORMAL);
    if (!out)
        return lastError();
    if (const int failed = writeAll(out.get(), bytes); failed != 0)
        return failed;
    if (FlushFileBuffers(out.get()) == 0 || !out.close())
        return lastError();
    return 0;
}

int renameOver(const std::filesystem::path &file, const std::filesystem::path &target)
{
    const std::wstring from = systemPath(file);
    const std::wstring to = systemPath(target);
    const bool replaces = GetFileAttributesW(to.c_str()) != INVALID_FILE_ATTRIBUTES;
    // ReplaceFile() keeps what else belongs to the target: permissions, attributes, streams. Some
    // file systems of other machines do not support it.
    const auto replace = [&] {
        // One that no one may remove is not even tried: ReplaceFile() may leave files behind then.
        if (!open(target, DELETE, kShareAll, OPEN_EXISTING, 0))
            return FALSE;
        return ReplaceFileW(to.c_str(), from.c_str(), nullptr,
                            REPLACEFILE_IGNORE_MERGE_ERRORS | REPLACEFILE_IGNORE_ACL_ERRORS,
                            nullptr, nullptr);
    };
    const auto move = [&] {
        return MoveFileExW(from.c_str(), to.c_str(),
                           MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH);
    };
    const int failed = replaces ? repeated(replace) : ENOENT;
    return failed == 0 || failed == EBUSY ? failed : repeated(move);
}

void removeFile(const std::filesystem::path &file)
{
    DeleteFileW(systemPath(file).c_str());
}

void syncFolder(const std::filesystem::path &) {} // MOVEFILE_WRITE_THROUGH does

std::filesystem::path targetOf(std::filesystem::path file)
{
    const DWORD attributes = GetFileAttributesW(systemPath(file).c_str());
    if (attributes == INVALID_FILE_ATTRIBUTES || (attributes & FILE_ATTRIBUTE_REPARSE_POINT) == 0)
        return file;
    const Handle opened = open(file, 0, kShareAll, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS);
    const DWORD room =
        opened ? GetFinalPathNameByHandleW(opened.get(), nullptr, 0, FILE_NAME_NORMALIZED) : 0;
    if (room == 0)
        return file;
    std::wstring target(room, L'\0');
    target.resize(
        GetFinalPathNameByHandleW(opened.get(), target.data(), room, FILE_NAME_NORMALIZED));
    return target;
}

std::string hostName()
{
    std::array<wchar_t, 256> name{};
    auto size = static_cast<DWORD>(name.size());
    return GetComputerNameExW(ComputerNameDnsHostname, name.data(), &size) != 0
               ? utf8Of({name.data(), size})
               : std::string();
}

std::int64_t processNumber()
{
    return GetCurrentProcessId();
}

bool isAbandoned(const std::filesystem::path &file, std::int64_t writer)
{
    if (writer <= 0 || writer > std::numeric_limits<DWORD>::max())
        return false;
    const Handle process(OpenProcess(SYNCHRONIZE, FALSE, static_cast<DWORD>(writer)));
    const bool isGone = process ? WaitForSingleObject(process.get(), 0) == WAIT_OBJECT_0
                                : GetLastError() == ERROR_INVALID_PARAMETER;
    // Opens only if no other handle of it is open.
    return isGone &&
           open(file, GENERIC_READ, 0, OPEN_EXISTING, FILE_FLAG_OPEN_REPARSE_POINT).operator bool();
}

std::optional<Bytes> addressLimit()
{
    return {};
}

std::optional<Bytes> systemFreeMemory()
{
    MEMORYSTATUSEX status{};
    status.dwLength = sizeof status;
    if (GlobalMemoryStatusEx(&status) == 0)
        return {};
    // The page file's figure is what may still be allocated: Windows promises no more than it has.
    return static_cast<Bytes>(std::min(status.ullAvailPhys, status.ullAvailPageFile));
}

bool standardErrorIsTerminal()
{
    DWORD mode = 0;
    return GetConsoleMode(GetStdHandle(STD_ERROR_HANDLE), &mode) != 0 &&
           (mode & ENABLE_VIRTUAL_TERMINAL_PROCESSING) != 0;
}

std::vector<std::string> programArguments(int, char *[])
{
    // The C library would make "\n" two bytes, and end input at the byte 26.
    for (const int stream : {0, 1, 2})
        (void)_setmode(stream, _O_BINARY);
    prepareConsole();
    int count = 0;
    wchar_t **const words = CommandLineToArgvW(GetCommandLineW(), &count);
    std::vector<std::string> arguments;
    for (int at = 1; words != nullptr && at < count; ++at)
        arguments.push_back(utf8Of(words[at]));
    LocalFree(static_cast<HLOCAL>(words));
    return arguments;
}

} // namespace vramscope
