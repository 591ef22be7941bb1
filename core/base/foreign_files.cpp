// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/foreign_files.h"

#include <array>

namespace vramscope {

namespace {

using namespace std::string_view_literals;

struct ForeignFile
{
    std::string_view start;
    std::string_view what;
    std::string_view remedy{};
};

constexpr std::array kForeignFiles = {
    ForeignFile{"version https://git-lfs"sv, "a Git LFS pointer, not the file itself",
                "fetch it with \"git lfs pull\""},
    ForeignFile{"\x1F\x8B"sv, "compressed with gzip",
                "unpack it with \"gunzip\" and open the result"},
    ForeignFile{"\x28\xB5\x2F\xFD"sv, "compressed with Zstandard",
                "unpack it with \"zstd -d\" and open the result"},
    ForeignFile{"PK\x03\x04"sv, "a zip archive, as torch.save() writes checkpoints"},
    ForeignFile{"SQLite format 3\0"sv, "an SQLite database, as profilers export"},
    ForeignFile{"\xFF\xFE"sv, "text in UTF-16", "save it again in UTF-8"},
    ForeignFile{"\xFE\xFF"sv, "text in UTF-16", "save it again in UTF-8"},
    ForeignFile{"\x80\x02"sv, "a Python pickle"},
    ForeignFile{"\x80\x03"sv, "a Python pickle"},
    ForeignFile{"\x80\x04"sv, "a Python pickle"},
    ForeignFile{"\x80\x05"sv, "a Python pickle"},
};

} // namespace

std::optional<std::string> foreignFile(std::string_view start, std::string_view remedy)
{
    for (const ForeignFile &file : kForeignFiles) {
        if (start.starts_with(file.start))
            return "This is " + std::string(file.what) + "; " +
                   std::string(file.remedy.empty() ? remedy : file.remedy) + '.';
    }
    return std::nullopt;
}

} // namespace vramscope
