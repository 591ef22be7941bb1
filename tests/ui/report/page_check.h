// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRegularExpression>
#include <QString>
#include <QStringList>
#include <QXmlStreamReader>

namespace vramscope::test {

/// What is wrong with a page that must hold all it needs: that it is not well formed (read as XML,
/// where its `meta` elements are closed), what it would fetch, and what it would execute. `texts`
/// takes what its reader sees.
inline QStringList faultsOf(QString page, QString *texts = nullptr)
{
    static const QRegularExpression kMeta(QStringLiteral("<meta [^>]*>"));
    static const QRegularExpression kFetching(QStringLiteral("url\\((?!#)|@import|https?:"));
    static const QStringList kForbidden{QStringLiteral("link"),   QStringLiteral("base"),
                                        QStringLiteral("iframe"), QStringLiteral("object"),
                                        QStringLiteral("form"),   QStringLiteral("embed")};
    static const QStringList kReferring{QStringLiteral("href"),   QStringLiteral("src"),
                                        QStringLiteral("srcset"), QStringLiteral("action"),
                                        QStringLiteral("poster"), QStringLiteral("background")};
    QStringList faults;
    QXmlStreamReader reader(page.remove(kMeta));
    QStringList path;
    while (!reader.atEnd()) {
        reader.readNext();
        if (reader.isStartElement()) {
            const QString name = reader.name().toString();
            path += name;
            const QXmlStreamAttributes attributes = reader.attributes();
            if (kForbidden.contains(name))
                faults += name;
            if (name == QLatin1String("script") &&
                attributes.value(QLatin1String("type")) != QLatin1String("application/json"))
                faults += QStringLiteral("script");
            for (const QXmlStreamAttribute &attribute : attributes) {
                const QString key = attribute.name().toString();
                const bool refers = kReferring.contains(key) &&
                                    !attribute.value().startsWith(QLatin1String("data:")) &&
                                    !attribute.value().startsWith(QLatin1Char('#'));
                const bool isShown = key == QLatin1String("aria-label") ||
                                     key == QLatin1String("data-label") ||
                                     key == QLatin1String("alt");
                const bool fetches =
                    !isShown && kFetching.match(attribute.value().toString()).hasMatch();
                if (refers || fetches || key.startsWith(QLatin1String("on")))
                    faults += name + QLatin1Char(' ') + key + QLatin1Char('=') +
                              attribute.value().toString().left(60);
            }
        } else if (reader.isEndElement()) {
            path.removeLast();
        } else if (reader.isCharacters() && !path.isEmpty()) {
            const QString text = reader.text().toString();
            if (path.last() == QLatin1String("style") && kFetching.match(text).hasMatch())
                faults += QStringLiteral("style");
            if (texts && path.last() != QLatin1String("style"))
                *texts += text + QLatin1Char('\n');
        }
    }
    if (reader.hasError())
        faults += QStringLiteral("line %1: %2").arg(reader.lineNumber()).arg(reader.errorString());
    return faults;
}

} // namespace vramscope::test
