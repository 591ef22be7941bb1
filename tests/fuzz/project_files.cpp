// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/fuzz/fuzzer.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace vramscope::fuzz {

std::vector<std::string> filesOf(const std::string &folder, const std::string &ending)
{
    const std::filesystem::path path = std::filesystem::path(VRAMSCOPE_SOURCE_DIR) / folder;
    std::vector<std::filesystem::path> names;
    for (const auto &entry : std::filesystem::recursive_directory_iterator(path)) {
        if (entry.is_regular_file() && entry.path().string().ends_with(ending))
            names.push_back(entry.path());
    }
    std::ranges::sort(names);
    std::vector<std::string> files;
    for (const auto &name : names) {
        std::ifstream in(name, std::ios::binary);
        files.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
    }
    return files;
}

} // namespace vramscope::fuzz
