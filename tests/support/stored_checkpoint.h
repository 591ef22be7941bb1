// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace vramscope::test {

/// A safetensors file: the length of the header, the header, and `dataBytes` of nothing.
void writeSafetensors(const std::filesystem::path &file, std::string_view header,
                      std::int64_t dataBytes);

/// Makes a checkpoint of tests/data/checkpoints out of its headers, in a folder: what
/// tests/measure/checkpoints/layouts.py had before it left the data out.
void writeCheckpoint(const std::string &name, const std::filesystem::path &folder);

/// A text of that checkpoint's folder.
[[nodiscard]] std::string checkpointText(const std::string &name, const std::string &file);

} // namespace vramscope::test
