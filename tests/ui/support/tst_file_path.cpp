// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/test.h"
#include "ui/support/file_path.h"

#include <QTemporaryDir>

#include <fstream>

using namespace Qt::StringLiterals;
using namespace vramscope;

class TestFilePath : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void everyPathIsKeptByteForByte_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("shown");
        const auto row = [](const char *bytes, const char16_t *shown) {
            QTest::newRow(QByteArray(bytes).toPercentEncoding("/").constData())
                << QByteArray(bytes) << QString::fromUtf16(shown);
        };
        row("", u"");
        row("/a/b.pickle", u"/a/b.pickle");
        row("/\xC3\xA9/\xF0\x9F\x98\x80", u"/\u00E9/\U0001F600");
        row("lat\xE9.pickle", u"lat\uFFFD.pickle");
        row("a\nb\u202E.pickle", u"a?b?.pickle");
        row("\x80\xFF", u"\uFFFD\uFFFD");
        row("\xE2\x82", u"\uFFFD\uFFFD");                 // cut off
        row("\xC0\xAF", u"\uFFFD\uFFFD");                 // longer than it need be
        row("\xED\xB3\xA9", u"\uFFFD\uFFFD\uFFFD");       // a surrogate, written as such
        row("\xF0\x9F\x98\x80\xA9", u"\U0001F600\uFFFD"); // behind a pair of surrogates
    }
    void everyPathIsKeptByteForByte()
    {
        QFETCH(QByteArray, bytes);
        const QString path =
            pathText(std::string_view(bytes.constData(), std::size_t(bytes.size())));
        QCOMPARE(QByteArray::fromStdString(nativePath(path).native()), bytes);
        QTEST(shownPath(path), "shown");
        if (bytes.startsWith('/'))
            QCOMPARE(localPath(fileUrl(path)), path);
    }

    void urlsOfOtherProgramsAreUnderstood()
    {
        const QUrl url = QUrl::fromEncoded("file:///tmp/lat%E9%20a.pickle");
        QCOMPARE(nativePath(localPath(url)).native(), std::string("/tmp/lat\xE9 a.pickle"));
        QCOMPARE(localPath(QUrl(u"https://a/b"_s)), QString());
        const QString path = pathText("/tmp/lat\xE9#1.pickle");
        QCOMPARE(localPath(fileUrl(path)), path);
    }

    void whatIsAtSuchAPathIsFound()
    {
        const QTemporaryDir folder;
        const std::filesystem::path file =
            std::filesystem::path(folder.path().toStdString()) / "lat\xE9.txt";
        std::ofstream(file) << "hello";
        const QString path = pathText(file.native());
        const FileFacts facts = factsOf(path);
        QVERIFY(facts.exists && facts.isFile && !facts.isFolder);
        QCOMPARE(facts.size, 5);
        QVERIFY(facts.modified.isValid());
        QVERIFY(qAbs(facts.modified.secsTo(QDateTime::currentDateTime())) < 3600);
        QCOMPARE(beginningOf(path, 4), QByteArray("hell"));
        QCOMPARE(beginningOf(path, 10), QByteArray("hello"));
        QVERIFY(!factsOf(path + u'x').exists);
        QVERIFY(factsOf(folder.path()).isFolder);
        QCOMPARE(absolutePath(folder.path() + u"/a/../"_s + path.section(u'/', -1)), path);
        QVERIFY(std::filesystem::remove(file)); // Qt would not find it
    }
};

VRAMSCOPE_TEST(TestFilePath)
#include "tst_file_path.moc"
