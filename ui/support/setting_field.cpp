// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/support/setting_field.h"

#include <QLabel>

namespace vramscope {

using namespace Qt::StringLiterals;

SettingField::SettingField(QWidget *parent)
    : QLineEdit(parent)
{
    setAccessibleName(tr("Own PYTORCH_CUDA_ALLOC_CONF string"));
    setPlaceholderText(u"max_split_size_mb:256,…"_s);
    setClearButtonEnabled(true);
}

QLabel *SettingField::makeLabel()
{
    auto *label = new QLabel(tr("&Own setting"));
    label->setBuddy(this);
    label->setToolTip(tr("A PYTORCH_CUDA_ALLOC_CONF string; Enter simulates it"));
    return label;
}

std::string SettingField::configuration() const
{
    return text().trimmed().toStdString();
}

} // namespace vramscope
