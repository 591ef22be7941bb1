// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/help_pages.h"

#include "core/print/recipes.h"
#include "ui/support/text.h"
#include "ui/window/commands.h"

#include <QFile>
#include <QRegularExpression>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

/// A table of each menu's commands that have a key.
QString menuKeys()
{
    QString text;
    QString menu;
    for (const CommandKey &each : commandKeys()) {
        if (each.menu != menu)
            text += u"\n### Menu %1\n\n| Key | What it does |\n|---|---|\n"_s.arg(each.menu);
        menu = each.menu;
        text += u"| %1 | %2 |\n"_s.arg(each.key, each.text);
    }
    return text;
}

/// A text that is no Markdown, as Markdown.
QString escaped(std::string_view text)
{
    return toQString(text).toHtmlEscaped().replace(u"&quot;"_s, u"\""_s).replace(u'_', u"&#95;"_s);
}

QString fenced(std::string_view text)
{
    return u"\n```\n%1\n```\n"_s.arg(toQString(text).trimmed());
}

/// Whether it is too long to read: the notes explain how to get it.
bool isProgram(const Recipe &recipe)
{
    constexpr std::size_t kLongestShown = 10'000;
    return recipe.lines.size() > kLongestShown;
}

QString recipeSections()
{
    QString text;
    for (const Recipe &each : recipes()) {
        QString title = escaped(each.title);
        if (!title.startsWith(toQString(each.topic),
                              Qt::CaseInsensitive)) // a proper name keeps its case
            title[0] = title[0].toUpper();
        text += u"\n## %1\n\n"_s.arg(title);
        if (!each.needs.empty())
            text += u"Needs %1. "_s.arg(escaped(each.needs));
        if (each.lines.empty() || isProgram(each))
            text += fenced(each.notes); // a list, line by line
        else
            text += escaped(each.notes) + u'\n' + fenced(each.lines);
    }
    return text;
}

QString fileText(const QString &page)
{
    QFile file(u":/help/%1.md"_s.arg(page));
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

} // namespace

QStringList helpPages()
{
    return {u"index"_s,   u"plan"_s,         u"plan-document"_s, u"accuracy"_s,   u"trace"_s,
            u"compare"_s, u"what-if"_s,      u"reconcile"_s,     u"presenting"_s, u"recording"_s,
            u"profile"_s, u"command-line"_s, u"keys"_s};
}

QString helpTitle(const QString &page)
{
    const QString text = fileText(page);
    return text.left(text.indexOf(u'\n')).mid(1).trimmed();
}

QString helpMarkdown(const QString &page)
{
    return fileText(page)
        .replace(u"@MENU_KEYS@"_s, menuKeys())
        .replace(u"@RECIPES@"_s, recipeSections());
}

QString helpAnchor(const QString &heading)
{
    static const QRegularExpression others(u"[^\\w]+"_s,
                                           QRegularExpression::UseUnicodePropertiesOption);
    return heading.toLower().replace(others, u"-"_s);
}

} // namespace vramscope
