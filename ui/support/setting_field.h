// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLineEdit>

#include <optional>
#include <string>

class QLabel;

namespace vramscope {

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
