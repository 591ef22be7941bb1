// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/planner/json_text.h"
#include "core/planner/plan_json.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

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

/// Files that people take for a plan, by their first bytes.
struct Lookalike
{
    std::string_view begin;
    ErrorCode code;
    std::string_view text;
};

using namespace std::string_view_literals;

constexpr std::array<Lookalike, 10> kLookalikes = {{
    {"version https://git-lfs.github.com/spec/"sv, ErrorCode::NotRecognized,
     "This is a Git LFS pointer, not the file itself; fetch it with \"git lfs pull\"."},
    {"\x80\x02"sv, ErrorCode::NotRecognized,
     "This is a Python pickle, not a plan; if it is a memory snapshot, open it as a trace."},
    {"\x80\x03"sv, ErrorCode::NotRecognized,
     "This is a Python pickle, not a plan; if it is a memory snapshot, open it as a trace."},
    {"\x80\x04"sv, ErrorCode::NotRecognized,
     "This is a Python pickle, not a plan; if it is a memory snapshot, open it as a trace."},
    {"\x80\x05"sv, ErrorCode::NotRecognized,
     "This is a Python pickle, not a plan; if it is a memory snapshot, open it as a trace."},
    {"PK\x03\x04"sv, ErrorCode::NotRecognized,
     "This is a zip archive, perhaps of torch.save, not a plan; choose a plan."},
    {"\x1f\x8b"sv, ErrorCode::NotRecognized, "This is compressed with gzip; unpack it first."},
    {"\xff\xfe"sv, ErrorCode::NotRecognized,
     "This is text in UTF-16; save it again in UTF-8, as JSON is written."},
    {"\xfe\xff"sv, ErrorCode::NotRecognized,
     "This is text in UTF-16; save it again in UTF-8, as JSON is written."},
    {"<"sv, ErrorCode::NotRecognized,
     "This is a web page or XML, not a plan; a download may have gone wrong."},
}};

Result<std::string> readText(const std::filesystem::path &file)
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
        return Error{ErrorCode::NotAFile, "This is a folder; name a plan inside it."};
    if (!S_ISREG(status.st_mode))
        return Error{ErrorCode::NotAFile, "This is a device, pipe or socket; choose a file."};

    std::string text;
    std::array<char, 1 << 16> buffer;
    while (text.size() <= kLongestDocument) {
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

Error writeFailed(int number)
{
    return {ErrorCode::WriteFailed, "The plan could not be written: " + reason(number)};
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

Result<Plan> readPlan(const std::filesystem::path &file)
{
    const Result<std::string> text = readText(file);
    if (!text)
        return text.error();
    if (text->empty())
        return Error{
            ErrorCode::Empty,
            "The file is empty: it was not written or copied to the end; save or copy it again."};
    for (const Lookalike &lookalike : kLookalikes) {
        if (text->starts_with(lookalike.begin))
            return Error{lookalike.code, std::string(lookalike.text)};
    }
    return parsePlan(*text);
}

Result<void> writePlan(const Plan &plan, const std::filesystem::path &file)
{
    // Through a link to the file it names, so that the link stays one.
    std::error_code ignored;
    std::filesystem::path target = std::filesystem::weakly_canonical(file, ignored);
    if (target.empty())
        target = file;
    std::filesystem::path fresh = target;
    fresh.replace_filename('.' + target.filename().string() + '.' + std::to_string(::getpid()));
    ::unlink(fresh.c_str()); // left by a process of the same number that died
    int failed = writeNew(fresh, target, planJson(plan));
    if (failed == 0 && ::rename(fresh.c_str(), target.c_str()) != 0)
        failed = errno;
    if (failed != 0) {
        ::unlink(fresh.c_str());
        return writeFailed(failed);
    }
    return {};
}

} // namespace vramscope
