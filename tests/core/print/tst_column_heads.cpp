// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/test.h"

#include <QDir>
#include <QFile>
#include <QRegularExpression>

using namespace vramscope;
using namespace Qt::StringLiterals;

namespace {

/// The titles of columns in a source: `{"key", "Title"`.
QStringList titlesIn(const QString &file)
{
    static const QRegularExpression kColumn(u"\\{\"[a-z_0-9.]+\",\\s*\"([^\"]+)\""_s);
    QFile source(file);
    if (!source.open(QIODevice::ReadOnly))
        qFatal("%s", qPrintable(file));
    QStringList titles;
    for (const QRegularExpressionMatch &column :
         kColumn.globalMatch(QString::fromUtf8(source.readAll())))
        titles += column.captured(1);
    return titles;
}

/// Whether a title has a capital where a sentence has one: at its beginning, and in names such as
/// GPU, A or HolisticTraceAnalysis, which have no small letters after the first or more capitals.
bool isSentenceCase(const QString &title)
{
    static const QRegularExpression kTitleCase(u"^[A-Z][a-z]+$"_s);
    const QStringList words = title.split(u' ', Qt::SkipEmptyParts);
    return !words.isEmpty() && !words.front().front().isLower() &&
           std::none_of(words.begin() + 1, words.end(),
                        [](const QString &word) { return kTitleCase.match(word).hasMatch(); });
}

} // namespace

/// A column of a table has one head in the window, on slides and in reports, in sentence case.
/// Terminals show it in small letters.
class ColumnHeadsTest : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void theyAreInSentenceCase();
    void otherCapitalsAreFound();
};

void ColumnHeadsTest::theyAreInSentenceCase()
{
    qsizetype seen = 0;
    QStringList wrong;
    for (const QString &folder : {u"core/describe"_s, u"ui/models"_s}) {
        const QDir room(test::projectFile(folder));
        for (const QString &name : room.entryList({u"*.cpp"_s})) {
            for (const QString &title : titlesIn(room.filePath(name))) {
                ++seen;
                if (!isSentenceCase(title))
                    wrong += u"%1: %2"_s.arg(name, title);
            }
        }
    }
    QVERIFY(seen > 200);
    QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join(u'\n')));
}

void ColumnHeadsTest::otherCapitalsAreFound()
{
    QVERIFY(isSentenceCase(u"Share of A"_s));
    QVERIFY(isSentenceCase(u"95 %"_s));
    QVERIFY(isSentenceCase(u"As HolisticTraceAnalysis counts"_s));
    QVERIFY(!isSentenceCase(u"first sight"_s));
    QVERIFY(!isSentenceCase(u"First Sight"_s));
}

VRAMSCOPE_TEST(ColumnHeadsTest)
#include "tst_column_heads.moc"
