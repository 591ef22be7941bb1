// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/test.h"
#include "ui/window/commands.h"
#include "ui/window/document_tab.h"
#include "ui/window/error_page.h"
#include "ui/window/main_window.h"

#include <QLabel>
#include <QTemporaryDir>

#include <unistd.h>

using namespace vramscope;
using namespace Qt::StringLiterals;

using State = DocumentTab::State;

namespace {

QByteArray exampleBytes(const QString &name)
{
    QFile file(test::projectFile(u"resources/examples/"_s + name));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace

/// What nobody should open, opened: each gets one sentence in place and the window goes on.
class TestBadInput : public test::Test
{
    Q_OBJECT

private:
    static void addRow(const char *name, const QByteArray &bytes, const QString &named)
    {
        QTest::newRow(name) << u"file"_s << bytes << named;
    }

private Q_SLOTS:
    void isExplainedInPlace_data()
    {
        QTest::addColumn<QString>("kind");
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("named"); // a word that the sentence must hold
        addRow("empty file", {}, u"empty"_s);
        addRow("Git LFS pointer",
               "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a2146\nsize 12345\n",
               u"LFS"_s);
        const QByteArray snapshot = exampleBytes(u"training-out-of-memory.pickle"_s);
        QVERIFY(!snapshot.isEmpty());
        addRow("truncated snapshot", snapshot.first(snapshot.size() / 2), u"ends"_s);
        addRow("pickle that names a class",
               "\x80\x04\x8c\x05posix\x8c\x06system\x93\x8c\x02ls\x85R.", u"posix"_s);
        addRow("JSON that is no plan", R"({"hello": [1, 2, 3]})", u"JSON"_s);
        addRow("plan with an unknown field",
               R"({"vramscope": 1, "model": {"preset": "gpt2"}, "batch": {"micro_bach": 4}})",
               u"micro_batch"_s);
        addRow("plan cut short", R"({"vramscope": 1, "model": {)", QString());
        addRow("plan with a wrong type",
               R"({"vramscope": 1, "model": {"preset": "gpt2"}, "batch": {"micro_batch": "many"}})",
               u"micro_batch"_s);
        addRow("noise", QByteArray(4096, '\xa7'), QString());
        addRow("text", "Step 1 loss 2.34\nStep 2 loss 2.12\n", QString());
        QTest::newRow("folder") << u"folder"_s << QByteArray() << u"folder"_s;
        QTest::newRow("missing file") << u"missing"_s << QByteArray() << u"no such file"_s;
        QTest::newRow("unreadable file") << u"unreadable"_s << QByteArray("x") << QString();
    }

    void isExplainedInPlace()
    {
        QFETCH(QString, kind);
        QFETCH(QByteArray, bytes);
        QFETCH(QString, named);
        if (kind == u"unreadable" && ::geteuid() == 0)
            QSKIP("Every file is readable (root).");
        const QTemporaryDir folder;
        const QString path = kind == u"folder" ? folder.path() : folder.filePath(u"input"_s);
        if (kind == u"file" || kind == u"unreadable") {
            QFile file(path);
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(bytes);
            if (kind == u"unreadable")
                file.setPermissions({});
        }

        MainWindow::Options options;
        const QTemporaryDir settings;
        options.preferencesFile = settings.filePath(u"settings.ini"_s);
        MainWindow window(std::move(options));
        window.show();
        window.openFiles({path});
        DocumentTab *tab = window.tabs()->current();
        QTRY_COMPARE(tab->state(), State::Failed);
        const QString sentence = tab->errorPage()->sentence();
        QVERIFY(tab->errorPage()->isVisible());
        QVERIFY2(sentence.contains(named, Qt::CaseInsensitive), qPrintable(sentence));
        QVERIFY2(!sentence.isEmpty() && sentence.size() < 300, qPrintable(sentence));

        window.run(Command::NewPlan);
        QCOMPARE(window.tabs()->current()->state(), State::Ready);
    }

    void aFileThatBecomesWholeIsReadOnRetry()
    {
        const QTemporaryDir folder;
        const QString path = folder.filePath(u"late.vramplan"_s);
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        MainWindow::Options options;
        options.preferencesFile = folder.filePath(u"settings.ini"_s);
        MainWindow window(std::move(options));
        window.openFiles({path});
        DocumentTab *tab = window.tabs()->current();
        QTRY_COMPARE(tab->state(), State::Failed);
        file.write(exampleBytes(u"gpt2-small-h100.vramplan"_s));
        file.close();
        Q_EMIT tab->errorPage()->retryWanted();
        QTRY_COMPARE(tab->state(), State::Ready);
        QVERIFY(tab->page()->plan());
    }
};

VRAMSCOPE_TEST(TestBadInput)
#include "tst_bad_input.moc"
