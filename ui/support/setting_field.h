// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLineEdit>

#include <optional>
#include <string>

class QLabel;

namespace vramscope {

/// Takes a PYTORCH_CUDA_ALLOC_CONF string of the user's own, to be simulated beside the usual ones.
class SettingField : public QLineEdit
{
    Q_OBJECT

public:
    explicit SettingField(QWidget *parent = nullptr);

    /// "Own setting", whose key leads to the field.
    [[nodiscard]] QLabel *makeLabel();
    /// What is typed, without the spaces around it; empty: none.
    [[nodiscard]] std::string configuration() const;
};

} // namespace vramscope
