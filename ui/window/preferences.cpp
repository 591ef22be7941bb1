// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/preferences.h"

#include "ui/support/file_path.h"
#include "ui/support/text.h"

#include <QFileInfo>
#include <QSettings>
#include <QStandardPaths>

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

} // namespace vramscope
