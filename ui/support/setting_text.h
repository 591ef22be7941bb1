// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

#include <optional>
#include <string>

namespace vramscope {

// Text of PYTORCH_CUDA_ALLOC_CONF strings, wherever settings of the allocator are compared.

/// "PyTorch's default", "expandable_segments:True".
[[nodiscard]] QString configurationName(const std::string &configuration);
/// "PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True"
[[nodiscard]] QString assignmentText(const std::string &configuration);
/// One sentence for each thing that is wrong with a configuration, or that a program under
/// PyTorch 2.`version` does not read.
[[nodiscard]] QStringList settingProblems(const std::string &configuration,
                                          std::optional<int> version = {});

} // namespace vramscope
