// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/no_recording.h"

#include <algorithm>
#include <array>
#include <filesystem>

namespace vramscope {

namespace {

/// Whether recordings have such a name, compressed or not.
bool isNamedAsRecording(const std::string &file)
{
    std::filesystem::path name = std::filesystem::path(file).filename();
    constexpr std::array kPacked{".gz", ".zst", ".xz", ".bz2", ".lz4"};
    constexpr std::array kRecordings{".pickle", ".pkl", ".json", ".html", ".htm", ".csv"};
    if (std::ranges::find(kPacked, name.extension().string()) != kPacked.end())
        name = name.stem();
    return std::ranges::find(kRecordings, name.extension().string()) != kRecordings.end();
}

} // namespace

bool isNoRecording(const std::string &file, const Error &error)
{
    switch (error.code) {
    case ErrorCode::Unsupported: // a recording by its name: the error says what to do
        return !isNamedAsRecording(file);
    case ErrorCode::NotRecognized:
    case ErrorCode::OtherContent:
    case ErrorCode::Refused: // a pickle of something else: a model, a tokenizer
        return true;
    case ErrorCode::Empty: // unlike an __init__.py, an empty recording is an error
        return !file.ends_with(".pickle") && !file.ends_with(".pkl");
    default:
        return false;
    }
}

} // namespace vramscope
