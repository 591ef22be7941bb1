// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/support/setting_field.h"

#include <QLabel>

namespace vramscope {

using namespace Qt::StringLiterals;

SettingField::SettingField(QWidget *parent)
    : QLineEdit(parent)
{
    setAccessibleName(u"Own PYTORCH_CUDA_ALLOC_CONF string"_s);
    setPlaceholderText(u"max_split_size_mb:256,…"_s);
    setClearButtonEnabled(true);
}

QLabel *SettingField::makeLabel()
{
    auto *label = new QLabel(u"&Own setting"_s);
    label->setBuddy(this);
    label->setToolTip(u"A PYTORCH_CUDA_ALLOC_CONF string; Enter simulates it"_s);
    return label;
}

std::string SettingField::configuration() const
{
    return text().trimmed().toStdString();
}

} // namespace vramscope
