// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/support/setting_field.h"

#include "core/simulator/allocator_settings.h"
#include "ui/support/text.h"

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

QString assignmentText(const std::string &configuration)
{
    return u"PYTORCH_CUDA_ALLOC_CONF="_s + toQString(configuration);
}

QStringList settingProblems(const std::string &configuration, std::optional<int> version)
{
    std::vector<SettingIssue> issues = configuredSettings(configuration).issues;
    if (version) {
        for (SettingIssue &issue : tooNewFor(*version, configuration))
            issues.push_back(std::move(issue));
    }
    QStringList problems;
    for (const SettingIssue &issue : issues)
        problems << toQString(issue.text);
    if (problems.isEmpty() && !configuration.empty() && allocatorOptions(configuration).empty())
        problems << u"A setting is written key:value, such as max_split_size_mb:256."_s;
    return problems;
}

} // namespace vramscope
