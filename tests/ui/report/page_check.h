// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCryptographicHash>
#include <QRegularExpression>
#include <QString>
#include <QStringList>
#include <QXmlStreamReader>

namespace vramscope::test {

/// What is wrong with a page that must hold all it needs: that it is not well formed (read as XML,
/// where its `meta` elements are closed), what it would fetch, and what it would execute: one
/// script alone, which its policy names. `texts` takes what its reader sees.
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
    static const QRegularExpression kPolicy(
        QStringLiteral("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                       "img-src data:; script-src '(sha256-[^']*)'; "));
    QStringList faults;
    const QString allowed = kPolicy.match(page).captured(1);
    int scripts = 0;
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
                attributes.value(QLatin1String("type")) != QLatin1String("application/json")) {
                path.last() = QStringLiteral("program");
                if (++scripts > 1 || !attributes.empty())
                    faults += QStringLiteral("script");
            }
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
            const bool isProgram = path.last() == QLatin1String("program");
            if (isProgram && kFetching.match(text).hasMatch())
                faults += QStringLiteral("script");
            if (texts && !isProgram && path.last() != QLatin1String("style"))
                *texts += text + QLatin1Char('\n');
        }
    }
    const qsizetype script = page.lastIndexOf(QLatin1String("<script>")) + 8;
    const QByteArray program =
        page.mid(script, page.lastIndexOf(QLatin1String("</script>")) - script).toUtf8();
    const QByteArray hash =
        "sha256-" + QCryptographicHash::hash(program, QCryptographicHash::Sha256).toBase64();
    if (scripts != 1 || allowed != QLatin1String(hash))
        faults += QStringLiteral("policy");
    if (reader.hasError())
        faults += QStringLiteral("line %1: %2").arg(reader.lineNumber()).arg(reader.errorString());
    return faults;
}

} // namespace vramscope::test
