// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLineEdit>
#include <QString>
#include <QStringList>

#include <optional>
#include <string>

class QLabel;

namespace vramscope {

// Text of PYTORCH_CUDA_ALLOC_CONF strings, wherever settings of the allocator are compared.

/// "PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True"
[[nodiscard]] QString assignmentText(const std::string &configuration);
/// One sentence for each thing that is wrong with a configuration, or that a program under
/// PyTorch 2.`version` does not read.
[[nodiscard]] QStringList settingProblems(const std::string &configuration,
                                          std::optional<int> version = {});

/// Input for the user's own PYTORCH_CUDA_ALLOC_CONF string, to be simulated next to the usual ones.
class SettingField : public QLineEdit
{
    Q_OBJECT

public:
    explicit SettingField(QWidget *parent = nullptr);

    /// "Own setting", with a shortcut key that focuses the field.
    [[nodiscard]] QLabel *makeLabel();
    /// The trimmed text; empty: none.
    [[nodiscard]] std::string configuration() const;
};

} // namespace vramscope
