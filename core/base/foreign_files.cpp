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
    std::size_t offset = 0;  ///< the position of `start` in the file
    std::string_view also{}; ///< another part of its first bytes
};

constexpr std::array kForeignFiles = {
    ForeignFile{"version https://git-lfs"sv, "a Git LFS pointer, not the file itself",
                "fetch it with \"git lfs pull\""},
    ForeignFile{"\x1F\x8B"sv, "compressed with gzip",
                "unpack it with \"gunzip\" and open the result"},
    ForeignFile{"\x28\xB5\x2F\xFD"sv, "compressed with Zstandard",
                "unpack it with \"zstd -d\" and open the result"},
    ForeignFile{"\xFD\x37zXZ\0"sv, "compressed with xz",
                "unpack it with \"unxz\" and open the result"},
    ForeignFile{"BZh"sv, "compressed with bzip2", "unpack it with \"bunzip2\" and open the result"},
    ForeignFile{"\x04\x22\x4D\x18"sv, "compressed with LZ4",
                "unpack it with \"unlz4\" and open the result"},
    ForeignFile{"7z\xBC\xAF\x27\x1C"sv, "a 7-Zip archive", "unpack it and open what it holds"},
    ForeignFile{"PK\x03\x04"sv, "a zip archive with what SnapViewer made of a snapshot",
                "open the snapshot itself", 0, "allocations.json"sv},
    ForeignFile{"PK\x03\x04"sv, "a zip archive, as torch.save() writes checkpoints"},
    ForeignFile{"PK\x05\x06"sv, "an empty zip archive"},
    ForeignFile{"SQLite format 3\0"sv, "an SQLite database, as profilers export"},
    ForeignFile{"\x89PNG"sv, "a picture"},
    ForeignFile{"\xFF\xD8\xFF"sv, "a picture"},
    ForeignFile{"GIF8"sv, "a picture"},
    ForeignFile{"RIFF"sv, "a picture", {}, 0, "WEBP"sv},
    ForeignFile{"%PDF-"sv, "a PDF document"},
    ForeignFile{"\x7F"
                "ELF"sv,
                "a program or a library"},
    ForeignFile{"MZ"sv, "a program or a library", {}, 0, "PE\0\0"sv},
    ForeignFile{"ustar"sv, "a tar archive", "unpack it with \"tar -xf\" and open what it holds",
                257},
    ForeignFile{"\x93NUMPY"sv, "an array of NumPy"},
    ForeignFile{"\x89HDF"sv, "an HDF5 file"},
    ForeignFile{"GGUF"sv, "a model's weights"},
    ForeignFile{"\xFF\xFE"sv, "text in UTF-16", "save it again in UTF-8"},
    ForeignFile{"\xFE\xFF"sv, "text in UTF-16", "save it again in UTF-8"},
    ForeignFile{"\x80\x02"sv, "a Python pickle"},
    ForeignFile{"\x80\x03"sv, "a Python pickle"},
    ForeignFile{"\x80\x04"sv, "a Python pickle"},
    ForeignFile{"\x80\x05"sv, "a Python pickle"},
};

bool matches(const ForeignFile &file, std::string_view bytes)
{
    return bytes.size() > file.offset && bytes.substr(file.offset).starts_with(file.start) &&
           (file.also.empty() || bytes.find(file.also) != std::string_view::npos);
}

} // namespace

std::optional<std::string> foreignFile(std::string_view start, std::string_view remedy)
{
    for (const ForeignFile &file : kForeignFiles) {
        if (matches(file, start))
            return "This is " + std::string(file.what) + "; " +
                   std::string(file.remedy.empty() ? remedy : file.remedy) + '.';
    }
    return std::nullopt;
}

} // namespace vramscope
