// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/support/setting_text.h"

#include "core/simulator/allocator_settings.h"
#include "ui/support/text.h"

namespace vramscope {

using namespace Qt::StringLiterals;

QString configurationName(const std::string &configuration)
{
    return configuration.empty() ? u"PyTorch's default"_s : toQString(printable(configuration));
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
