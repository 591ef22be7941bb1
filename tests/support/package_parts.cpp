// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/package_parts.h"

#include <QDir>
#include <QRegularExpression>
#include <QXmlStreamReader>

#include <zip.h>

namespace vramscope::test {

using namespace Qt::StringLiterals;

namespace {

/// The values of an attribute of all elements of a name.
QStringList attributesOf(const QByteArray &document, QStringView element, const QString &attribute)
{
    QStringList values;
    QXmlStreamReader xml(document);
    while (!xml.atEnd()) {
        if (xml.readNext() == QXmlStreamReader::StartElement && xml.name() == element)
            values += xml.attributes().value(attribute).toString();
    }
    return values;
}

QString brokenXml(const QByteArray &document)
{
    QXmlStreamReader xml(document);
    while (!xml.atEnd())
        xml.readNext();
    return xml.hasError() ? xml.errorString() : QString();
}

} // namespace

QMap<QString, QByteArray> packageParts(const QByteArray &archive)
{
    QMap<QString, QByteArray> parts;
    zip_source_t *source = zip_source_buffer_create(
        archive.constData(), static_cast<zip_uint64_t>(archive.size()), 0, nullptr);
    zip_t *zip = zip_open_from_source(source, ZIP_RDONLY | ZIP_CHECKCONS, nullptr);
    if (!zip) {
        zip_source_free(source);
        return parts;
    }
    for (zip_uint64_t at = 0; at < static_cast<zip_uint64_t>(zip_get_num_entries(zip, 0)); ++at) {
        zip_stat_t stat;
        zip_stat_index(zip, at, 0, &stat);
        QByteArray bytes(static_cast<qsizetype>(stat.size), '\0');
        zip_file_t *file = zip_fopen_index(zip, at, 0);
        zip_fread(file, bytes.data(), stat.size);
        zip_fclose(file);
        parts[QString::fromUtf8(stat.name)] = bytes;
    }
    zip_discard(zip);
    return parts;
}

QStringList slideTexts(const QByteArray &slide)
{
    QStringList texts;
    QXmlStreamReader xml(slide);
    while (!xml.atEnd()) {
        if (xml.readNext() == QXmlStreamReader::StartElement && xml.qualifiedName() == u"a:t")
            texts += xml.readElementText();
    }
    return texts;
}

QStringList packageFaults(const QMap<QString, QByteArray> &parts)
{
    static const QRegularExpression kReference(u"r:(?:id|embed)=\"(\\w+)\""_s);
    const QByteArray types = parts[u"[Content_Types].xml"_s];
    const QStringList named = attributesOf(types, u"Override", u"PartName"_s);
    const QStringList endings = attributesOf(types, u"Default", u"Extension"_s);
    QStringList faults;
    for (const QString &name : named) {
        if (!parts.contains(name.mid(1)))
            faults += name + u" is typed and not there"_s;
    }
    for (auto part = parts.begin(); part != parts.end(); ++part) {
        const QString &name = part.key();
        if (!named.contains(u'/' + name) && !endings.contains(name.section(u'.', -1)))
            faults += name + u" has no type"_s;
        if (name.endsWith(u".png"_s))
            continue;
        if (const QString broken = brokenXml(part.value()); !broken.isEmpty())
            faults += name + u": "_s + broken;
        if (!name.endsWith(u".rels"_s))
            continue;
        // "ppt/slides/_rels/slide1.xml.rels" is of "ppt/slides/slide1.xml".
        const QString folder = name.section(u"_rels/"_s, 0, 0);
        const QString owner = folder + name.section(u"_rels/"_s, 1).chopped(5);
        for (const QString &target : attributesOf(part.value(), u"Relationship", u"Target"_s)) {
            if (!parts.contains(QDir::cleanPath(folder + target)))
                faults += name + u" leads to "_s + target;
        }
        const QStringList ids = attributesOf(part.value(), u"Relationship", u"Id"_s);
        auto references = kReference.globalMatch(QString::fromUtf8(parts[owner]));
        while (references.hasNext()) {
            const QString id = references.next().captured(1);
            if (!ids.contains(id))
                faults += owner + u" names "_s + id;
        }
    }
    return faults;
}

} // namespace vramscope::test
