// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/test.h"

#include <QDir>
#include <QFile>
#include <QImage>
#include <QMimeDatabase>
#include <QProcess>
#include <QProcessEnvironment>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#include <QtEndian>

using namespace Qt::StringLiterals;

namespace {

const QString kSources = QStringLiteral(VRAMSCOPE_SOURCE_DIR);
const QString kMade = QStringLiteral(VRAMSCOPE_PACKAGING);

QString outputOf(const QString &program, const QStringList &arguments)
{
    QProcess process;
    process.start(program, arguments);
    return process.waitForFinished() ? QString::fromUtf8(process.readAllStandardOutput())
                                     : QString();
}

QString helpOf(const QString &program, const QStringList &arguments = {})
{
    return outputOf(QStringLiteral(VRAMSCOPE_PROGRAMS) + u'/' + program,
                    arguments + QStringList{u"--help"_s});
}

/// The page as one reads it: without roff's escapes.
QString pageOf(const QString &program)
{
    return outputOf(u"gzip"_s, {u"-dc"_s, kMade + u"/man/%1.1.gz"_s.arg(program)})
        .replace(u"\\-"_s, u"-"_s);
}

/// Every "--option" of a text, once.
QStringList optionsIn(const QString &text)
{
    static const QRegularExpression option(u"--[a-z][a-z-]*"_s);
    QStringList list;
    for (const QRegularExpressionMatch &match : option.globalMatch(text))
        list += match.captured();
    list.removeDuplicates();
    return list;
}

/// The names of the commands that PROGRAM --help lists.
QStringList commandsOf(const QString &program)
{
    QStringList list;
    const QString help = helpOf(program);
    const QString table = help.section(u"commands:\n"_s, 1).section(u"\n\n"_s, 0, 0);
    for (const QString &line : table.split(u'\n'))
        list += line.simplified().section(u' ', 0, 0);
    return list;
}

QByteArray bytesOf(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

QString textOf(const QString &path)
{
    return QString::fromUtf8(bytesOf(path));
}

/// Packages that a build needs, as the script lists them.
QStringList packagesOfABuild()
{
    const QString script = textOf(kSources + u"/packaging/install-dependencies.sh"_s);
    return script.section(u"build=("_s, 1).section(u')', 0, 0).simplified().split(u' ');
}

/// What dpkg says of a machine where all of these are installed, those that have become part of
/// another package as what that one provides.
QByteArray statusOfPackages(const QStringList &packages)
{
    QString status;
    for (const QString &package : packages) {
        const bool provided = package == u"libqt6svg6-dev"_s;
        status += u"Package: %1\nStatus: install ok installed\nMaintainer: A <a@example.org>\n"
                  "Architecture: all\nVersion: 1\nDescription: a\n"_s.arg(
                      provided ? u"qt6-svg-dev"_s : package);
        status += provided ? u"Provides: other, libqt6svg6-dev (= 1)\n\n"_s : u"\n"_s;
    }
    return status.toUtf8();
}

/// What apt-get is asked for, a line each, where these packages are installed.
QStringList installedBeside(const QStringList &packages)
{
    const QTemporaryDir machine;
    const auto write = [&](const QString &name, const QByteArray &text) {
        QFile file(machine.filePath(name));
        if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size())
            qFatal("The file %s cannot be written.", qPrintable(name));
        file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    };
    write(u"status"_s, statusOfPackages(packages));
    write(u"apt-get"_s, "#!/bin/sh\necho \"apt-get $*\"\n");
    write(u"sudo"_s, "#!/bin/sh\nexec \"$@\"\n");
    QProcess script;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(u"DPKG_ADMINDIR"_s, machine.path());
    environment.insert(u"PATH"_s, machine.path() + u':' + environment.value(u"PATH"_s));
    script.setProcessEnvironment(environment);
    script.start(kSources + u"/packaging/install-dependencies.sh"_s, QStringList());
    if (!script.waitForFinished() || script.exitCode() != 0)
        return {u"failed: "_s + QString::fromUtf8(script.readAllStandardError())};
    return QString::fromUtf8(script.readAllStandardOutput())
        .split(u'\n')
        .filter(QRegularExpression(u"^apt-get"_s));
}

} // namespace

class TestPackaging : public QObject
{
    Q_OBJECT

    /// The page of a program, of each of its commands in a section.
    static void sayEveryOptionOfEveryCommand(const QString &program)
    {
        const QString page = pageOf(program);
        for (const QString &command : commandsOf(program)) {
            const QString section =
                page.section(u".SS %1\n"_s.arg(command), 1).section(u"\n.S"_s, 0, 0);
            const QStringList options = optionsIn(helpOf(program, {command}));
            QVERIFY2(options.contains(u"--help"_s), qPrintable(command));
            QCOMPARE(optionsIn(section), options);
        }
        QVERIFY(page.contains(u"2 wrong arguments"_s));
    }

private slots:
    void initTestCase()
    {
        // Our kinds of files alone, so that what this machine has installed changes nothing.
        QVERIFY(QDir(m_data.path()).mkpath(u"mime/packages"_s));
        QVERIFY(QFile::copy(kSources + u"/packaging/vramscope-mime.xml"_s,
                            m_data.filePath(u"mime/packages/vramscope.xml"_s)));
        qputenv("XDG_DATA_HOME", m_data.path().toUtf8());
        qputenv("XDG_DATA_DIRS", m_data.path().toUtf8());
    }

    void pageOfTheWindowSaysEveryOptionAndView()
    {
        const QString page = pageOf(u"vramscope"_s);
        QCOMPARE(commandsOf(u"vramscope"_s), QStringList({u"render"_s, u"report"_s, u"present"_s}));
        const QStringList options = optionsIn(helpOf(u"vramscope"_s));
        for (const QString &option : {u"--compare"_s, u"--reconcile"_s, u"--trust"_s, u"--check"_s})
            QVERIFY2(options.contains(option), qPrintable(option));
        for (const QString &option : options)
            QVERIFY2(optionsIn(page).contains(option), qPrintable(option));
        sayEveryOptionOfEveryCommand(u"vramscope"_s);
        for (const QString &view : {u"what-if"_s, u"plan/VIEW"_s, u"never-freed"_s})
            QVERIFY2(page.contains(view), qPrintable(view));
    }

    void pageOfTheCommandLineSaysEveryOptionOfEveryCommand()
    {
        QVERIFY(commandsOf(u"vramscope-cli"_s).size() >= 18);
        sayEveryOptionOfEveryCommand(u"vramscope-cli"_s);
    }

    void pagesNameTheVersionAndLeaveNothingToFill()
    {
        for (const QString &program : {u"vramscope"_s, u"vramscope-cli"_s}) {
            const QString page = pageOf(program);
            QVERIFY(page.contains(program + u" " VRAMSCOPE_VERSION "\""_s));
            QVERIFY2(!page.contains(QRegularExpression(u"@[A-Z_]+@"_s)), qPrintable(page));
        }
    }

    void pagesAreRoffWithoutMistakes()
    {
        if (outputOf(u"groff"_s, {u"--version"_s}).isEmpty())
            QSKIP("groff is not installed");
        for (const QString &program : {u"vramscope"_s, u"vramscope-cli"_s}) {
            QProcess groff;
            groff.start(u"groff"_s, {u"-k"_s, u"-man"_s, u"-Tutf8"_s, u"-ww"_s, u"-z"_s,
                                     kMade + u"/man/%1.1"_s.arg(program)});
            QVERIFY(groff.waitForFinished());
            QCOMPARE(groff.readAllStandardError(), QByteArray());
        }
    }

    void iconsAreThereAtEverySize_data()
    {
        QTest::addColumn<QString>("icon");
        QTest::newRow("program") << u"apps/vramscope"_s;
        QTest::newRow("plan") << u"mimetypes/application-x-vramscope-plan"_s;
        QTest::newRow("recording") << u"mimetypes/application-x-vramscope-recording"_s;
    }
    void iconsAreThereAtEverySize()
    {
        QFETCH(QString, icon);
        for (const int size : {16, 22, 24, 32, 48, 64, 128, 256, 512}) {
            const QImage image(kMade + u"/hicolor/%1x%1/%2.png"_s.arg(size).arg(icon));
            QCOMPARE(image.size(), QSize(size, size));
            QCOMPARE(image.pixelColor(0, 0).alpha(), 0);
            QCOMPARE(image.pixelColor(size / 2, size * 3 / 4).alpha(), 255);
        }
    }

    void theIconOfWindowsHasAPictureOfEachSize()
    {
        const QByteArray icon = bytesOf(kMade + u"/icons/vramscope.ico"_s);
        QCOMPARE(icon.first(4), QByteArray("\0\0\1\0", 4));
        QList<int> sizes;
        for (qsizetype entry = 6; sizes.size() < icon[4]; entry += 16) {
            const auto size = qFromLittleEndian<quint32>(icon.constData() + entry + 8);
            const auto place = qFromLittleEndian<quint32>(icon.constData() + entry + 12);
            const QImage picture = QImage::fromData(icon.mid(place, size), "PNG");
            QCOMPARE(picture.width() % 256, static_cast<uchar>(icon[entry]));
            QCOMPARE(picture.pixelColor(picture.width() / 2, picture.width() * 3 / 4).alpha(), 255);
            sizes += picture.width();
        }
        QCOMPARE(sizes, QList<int>({16, 20, 24, 32, 40, 48, 64, 256}));
    }

    void theIconOfMacOsHasAPictureOfEachSize()
    {
        const QByteArray icon = bytesOf(kMade + u"/icons/vramscope.icns"_s);
        const auto sizeAt = [&](qsizetype at) {
            return static_cast<qsizetype>(qFromBigEndian<quint32>(icon.constData() + at + 4));
        };
        QCOMPARE(icon.first(4), QByteArray("icns"));
        QCOMPARE(sizeAt(0), icon.size());
        QMap<QByteArray, int> sizes;
        for (qsizetype at = 8; at < icon.size(); at += sizeAt(at))
            sizes[icon.mid(at, 4)] =
                QImage::fromData(icon.mid(at + 8, sizeAt(at) - 8), "PNG").width();
        QCOMPARE(sizes, (QMap<QByteArray, int>{{"ic07", 128},
                                               {"ic08", 256},
                                               {"ic09", 512},
                                               {"ic10", 1024},
                                               {"ic11", 32},
                                               {"ic12", 64},
                                               {"ic13", 256},
                                               {"ic14", 512}}));
    }

    void filesAreToldByNameAndRecordingsByTheirBeginning_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QByteArray>("content");
        QTest::addColumn<QString>("type");
        const QByteArray frame("\x80\x04\x95\x01\x00\x01\x00\x00\x00\x00\x00", 11);
        QTest::newRow("plan") << u"a.vramplan"_s << QByteArray("{}")
                              << u"application/x-vramscope-plan"_s;
        QTest::newRow("bookmarks") << u"a.pickle.vramscope.json"_s << QByteArray("{}")
                                   << u"application/x-vramscope-bookmarks"_s;
        QTest::newRow("recording") << u"a.pickle"_s << frame + "}\x94(\x8c\x08segments\x94]"
                                   << u"application/x-vramscope-recording"_s;
        QTest::newRow("recording, traces first") << u"a.pickle"_s
                                                 << frame + "}\x94(\x8c\x0d"
                                                            "device_traces\x94]"
                                                 << u"application/x-vramscope-recording"_s;
        QTest::newRow("recording of protocol 2")
            << u"a.pkl"_s << QByteArray("\x80\x02}q\x00(X\x08\x00\x00\x00segmentsq\x01]", 22)
            << u"application/x-vramscope-recording"_s;
        QTest::newRow("other pickle")
            << u"a.pickle"_s << frame + "]\x94(K\x01K\x02e." << u"application/x-python-pickle"_s;
    }
    void filesAreToldByNameAndRecordingsByTheirBeginning()
    {
        QFETCH(QString, name);
        QFETCH(QByteArray, content);
        QFETCH(QString, type);
        QCOMPARE(QMimeDatabase().mimeTypeForFileNameAndData(name, content).name(), type);
    }

    void shippedExamplesAreOfOurKinds()
    {
        for (const QFileInfo &file :
             QDir(kSources + u"/resources/examples"_s).entryInfoList(QDir::Files)) {
            const bool plan = file.suffix() == u"vramplan";
            QCOMPARE(QMimeDatabase().mimeTypeForFile(file).name(),
                     plan ? u"application/x-vramscope-plan"_s
                          : u"application/x-vramscope-recording"_s);
        }
    }

    void desktopOpensTheKindsOfFilesThatAreDeclared()
    {
        static const QRegularExpression kind(u"application/x-vramscope-[a-z]+"_s);
        for (const QString &file : {u"vramscope.desktop"_s, u"vramscope.metainfo.xml"_s}) {
            const QString text = textOf(kSources + u"/packaging/"_s + file);
            QStringList kinds;
            for (const QRegularExpressionMatch &match : kind.globalMatch(text))
                kinds += match.captured();
            QCOMPARE(kinds.size(), 4);
            for (const QString &name : kinds)
                QVERIFY2(QMimeDatabase().mimeTypeForName(name).isValid(), qPrintable(name));
        }
    }

    void newestReleaseIsThisVersion()
    {
        const QString changes = textOf(kSources + u"/packaging/debian/changelog"_s);
        QVERIFY(changes.startsWith(u"vramscope (" VRAMSCOPE_VERSION ")"_s));
        const QString metainfo = textOf(kSources + u"/packaging/vramscope.metainfo.xml"_s);
        QVERIFY(metainfo.section(u"<releases>"_s, 1)
                    .section(u"/>"_s, 0, 0)
                    .contains(u"version=\"" VRAMSCOPE_VERSION "\""_s));
    }

    void nothingIsInstalledWhereEverythingIsThere()
    {
        if (outputOf(u"dpkg-query"_s, {u"--version"_s}).isEmpty())
            QSKIP("dpkg is not installed");
        QVERIFY(packagesOfABuild().contains(u"libqt6svg6-dev"_s));
        QCOMPARE(installedBeside(packagesOfABuild()), QStringList());
    }

    void whatIsMissingAloneIsInstalled()
    {
        if (outputOf(u"dpkg-query"_s, {u"--version"_s}).isEmpty())
            QSKIP("dpkg is not installed");
        QStringList others = packagesOfABuild();
        QVERIFY(others.removeOne(u"zlib1g-dev"_s));
        const QStringList calls = installedBeside(others);
        QCOMPARE(calls.size(), 2);
        QVERIFY2(calls[1].endsWith(u"--no-install-recommends zlib1g-dev"_s), qPrintable(calls[1]));
    }

private:
    QTemporaryDir m_data;
};

VRAMSCOPE_TEST(TestPackaging)
#include "tst_packaging.moc"
