// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "core/profile/work_rules.h"
#include "ui/support/theme.h"

#include <QByteArray>
#include <QString>
#include <QStringList>

#include <memory>
#include <vector>

class QSettings;

namespace vramscope {

/// Light, dark, or like the desktop.
enum class Appearance { System, Light, Dark };

/// Settings that persist between two starts. The only reader and writer of the user's settings; the
/// layers below receive them from the window.
class Preferences
{
public:
    /// In an INI file of that name; without a name, in the user's own settings.
    explicit Preferences(const QString &file = {});
    ~Preferences();

    /// The folder for copies of unsaved plans: next to that file, or the user's own folder.
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
    /// The rules that classify work of devices; those that ship if the user has none, or they
    /// cannot be read.
    [[nodiscard]] std::vector<WorkRule> workRules() const;
    void setWorkRules(const std::vector<WorkRule> &rules);

private:
    QString m_file;
    std::unique_ptr<QSettings> m_store;
};

/// How many recent files are kept.
inline constexpr qsizetype kRecentFileCount = 12;

/// The list with a file at its head, once, cut to kRecentFileCount. The path is made absolute.
[[nodiscard]] QStringList withRecentFile(QStringList files, const QString &path);

/// One entry as menus and the start page show it.
struct RecentFile
{
    QString path;
    QString name;
    QString folder; ///< the home folder shortened to "~"
    bool exists = false;
};

[[nodiscard]] std::vector<RecentFile> describeRecentFiles(const QStringList &files);

/// Whether the desktop is dark. Call this before applyTheme(), which replaces the palette it reads.
[[nodiscard]] bool desktopIsDark();

[[nodiscard]] const Theme &themeFor(Appearance appearance, bool desktopDark);

} // namespace vramscope
