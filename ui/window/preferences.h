// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "core/profile/work_rules.h"

#include <QByteArray>
#include <QString>
#include <QStringList>

#include <memory>
#include <vector>

class QSettings;

namespace vramscope {

/// Light, dark, or as the desktop is.
enum class Appearance { System, Light, Dark };

/// What is remembered between two starts. The only reader and writer of the user's settings;
/// everything below the window is told.
class Preferences
{
public:
    /// In an INI file of that name; without a name, in the user's own settings.
    explicit Preferences(const QString &file = {});
    ~Preferences();

    /// Where copies of unsaved plans are kept: beside that file, or the user's own folder.
    [[nodiscard]] QString recoveryFolder() const;
    [[nodiscard]] Appearance appearance() const;
    void setAppearance(Appearance appearance);
    [[nodiscard]] ByteUnit unit() const;
    void setUnit(ByteUnit unit);
    [[nodiscard]] QByteArray geometry() const;
    void setGeometry(const QByteArray &geometry);
    /// Newest first.
    [[nodiscard]] QStringList recentFiles() const;
    void setRecentFiles(const QStringList &files);
    /// By which work of devices is filed; those that ship where none of the user's own are there,
    /// or where those cannot be read.
    [[nodiscard]] std::vector<WorkRule> workRules() const;
    void setWorkRules(const std::vector<WorkRule> &rules);

private:
    QString m_file;
    std::unique_ptr<QSettings> m_store;
};

} // namespace vramscope
