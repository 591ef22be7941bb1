// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/preferences.h"

#include "ui/support/file_path.h"
#include "ui/support/text.h"
#include "ui/support/theme.h"

#include <QApplication>
#include <QDir>
#include <QFileInfo>
#include <QSettings>
#include <QStandardPaths>
#include <QStyleHints>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

const QString kAppearance = u"window/appearance"_s;
const QString kGeometry = u"window/geometry"_s;
const QString kUnit = u"window/unit"_s;
const QString kRecentFiles = u"files/recent"_s;
const QString kWorkRules = u"profile/rules"_s;
const QString kUrl = u"file:"_s; ///< of a path that is no text

} // namespace

Preferences::Preferences(const QString &file)
    : m_file(file)
    , m_store(file.isEmpty() ? std::make_unique<QSettings>(u"VRAMscope"_s, u"VRAMscope"_s)
                             : std::make_unique<QSettings>(file, QSettings::IniFormat))
{
}

Preferences::~Preferences() = default;

QString Preferences::recoveryFolder() const
{
    const QString folder =
        m_file.isEmpty() ? QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation) +
                               u"/VRAMscope"_s
                         : QFileInfo(m_file).absolutePath();
    return folder + u"/unsaved"_s;
}

Appearance Preferences::appearance() const
{
    const QString text = m_store->value(kAppearance).toString();
    return text == u"light"  ? Appearance::Light
           : text == u"dark" ? Appearance::Dark
                             : Appearance::System;
}

void Preferences::setAppearance(Appearance appearance)
{
    m_store->setValue(kAppearance, appearance == Appearance::Light  ? u"light"_s
                                   : appearance == Appearance::Dark ? u"dark"_s
                                                                    : u"system"_s);
}

ByteUnit Preferences::unit() const
{
    return m_store->value(kUnit).toString() == u"gb" ? ByteUnit::Decimal : ByteUnit::Binary;
}

void Preferences::setUnit(ByteUnit unit)
{
    m_store->setValue(kUnit, unit == ByteUnit::Decimal ? u"gb"_s : u"gib"_s);
}

QByteArray Preferences::geometry() const
{
    return m_store->value(kGeometry).toByteArray();
}

void Preferences::setGeometry(const QByteArray &geometry)
{
    m_store->setValue(kGeometry, geometry);
}

QStringList Preferences::recentFiles() const
{
    QStringList files = m_store->value(kRecentFiles).toStringList();
    for (QString &file : files) {
        if (file.startsWith(kUrl))
            file = localPath(QUrl(file));
    }
    return files;
}

void Preferences::setRecentFiles(const QStringList &files)
{
    // The store keeps texts, and not every path is one.
    QStringList stored = files;
    for (QString &file : stored) {
        if (shownPath(file) != file)
            file = QString::fromLatin1(fileUrl(file).toEncoded());
    }
    m_store->setValue(kRecentFiles, stored);
}

std::vector<WorkRule> Preferences::workRules() const
{
    const QString text = m_store->value(kWorkRules).toString();
    auto rules = text.isEmpty() ? Result<std::vector<WorkRule>>(defaultWorkRules())
                                : workRulesFromJson(text.toStdString());
    return rules ? std::move(rules).value() : defaultWorkRules();
}

void Preferences::setWorkRules(const std::vector<WorkRule> &rules)
{
    if (rules == defaultWorkRules())
        m_store->remove(kWorkRules); // so that better ones of a later version are taken
    else
        m_store->setValue(kWorkRules, toQString(workRulesJson(rules)));
}

QStringList withRecentFile(QStringList files, const QString &path)
{
    const QString absolute = absolutePath(path);
    files.removeAll(absolute);
    files.prepend(absolute);
    return files.first(std::min(files.size(), kRecentFileCount));
}

std::vector<RecentFile> describeRecentFiles(const QStringList &files)
{
    std::vector<RecentFile> described;
    for (const QString &path : files) {
        const QFileInfo info(path);
        QString folder = info.absolutePath();
        if (folder == QDir::homePath() || folder.startsWith(QDir::homePath() + u'/'))
            folder.replace(0, QDir::homePath().size(), u"~"_s);
        described.push_back(
            {path, shownPath(info.fileName()), shownPath(folder), factsOf(path).exists});
    }
    return described;
}

bool desktopIsDark()
{
#if QT_VERSION >= QT_VERSION_CHECK(6, 5, 0)
    if (QGuiApplication::styleHints()->colorScheme() != Qt::ColorScheme::Unknown)
        return QGuiApplication::styleHints()->colorScheme() == Qt::ColorScheme::Dark;
#endif
    return QGuiApplication::palette().color(QPalette::Window).lightness() < 128;
}

const Theme &themeFor(Appearance appearance, bool desktopDark)
{
    const bool dark =
        appearance == Appearance::Dark || (appearance == Appearance::System && desktopDark);
    return dark ? darkTheme() : lightTheme();
}

} // namespace vramscope
