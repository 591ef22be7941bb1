// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/output_file.h"
#include "tests/support/test.h"

#include <QDir>
#include <QFile>
#include <QScopeGuard>
#include <QTemporaryDir>

#include <csignal>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace vramscope;
using namespace Qt::StringLiterals;

class TestOutputFile : public test::Test
{
    Q_OBJECT

private:
    QTemporaryDir m_folder;

    [[nodiscard]] QString name(const QString &file) const { return m_folder.filePath(file); }
    [[nodiscard]] std::filesystem::path path(const QString &file) const
    {
        return name(file).toStdString();
    }
    void put(const QString &file, const QByteArray &bytes) const
    {
        QFile made(name(file));
        QVERIFY(made.open(QIODevice::WriteOnly) && made.write(bytes) == bytes.size());
    }
    [[nodiscard]] QByteArray bytesOf(const QString &file) const
    {
        QFile read(name(file));
        return read.open(QIODevice::ReadOnly) ? read.readAll() : QByteArray("not there");
    }
    [[nodiscard]] QStringList hidden() const
    {
        return QDir(m_folder.path()).entryList({u".*.part"_s}, QDir::Files | QDir::Hidden);
    }

private slots:
    void init() override
    {
        Test::init();
        for (const QString &file :
             QDir(m_folder.path())
                 .entryList(QDir::AllEntries | QDir::System | QDir::Hidden | QDir::NoDotAndDotDot))
            QFile::remove(name(file));
    }

    void aFileThatDoesNotFitLeavesTheOldOne()
    {
        put(u"r.html"_s, "OLD");
        rlimit before{};
        QCOMPARE(getrlimit(RLIMIT_FSIZE, &before), 0);
        auto *signal = std::signal(SIGXFSZ, SIG_IGN);
        const rlimit small{4096, before.rlim_max};
        QCOMPARE(setrlimit(RLIMIT_FSIZE, &small), 0);
        const auto written = writeOutput(path(u"r.html"_s), std::string(100'000, 'x'));
        setrlimit(RLIMIT_FSIZE, &before);
        std::signal(SIGXFSZ, signal);
        QVERIFY(!written);
        QCOMPARE(written.error().text(),
                 std::string("The file could not be written: File too large."));
        QCOMPARE(bytesOf(u"r.html"_s), "OLD");
        QCOMPARE(hidden(), QStringList());
    }

    void aFullDeviceIsSaidToBeFull()
    {
        const auto written = writeOutput("/dev/full", "x");
        QVERIFY(!written);
        QCOMPARE(written.error().text(),
                 std::string("The file could not be written: No space left on device."));
        struct stat status = {};
        QVERIFY(::stat("/dev/full", &status) == 0 && S_ISCHR(status.st_mode));
    }

    void aFileKeepsItsPermissions()
    {
        put(u"plan"_s, "old");
        QCOMPARE(::chmod(path(u"plan"_s).c_str(), 0640), 0);
        QVERIFY(writeOutput(path(u"plan"_s), "new"));
        struct stat status = {};
        QCOMPARE(::stat(path(u"plan"_s).c_str(), &status), 0);
        QCOMPARE(int(status.st_mode & 07777), 0640);
        QCOMPARE(bytesOf(u"plan"_s), "new");
    }

    void aLinkStaysALink()
    {
        put(u"there"_s, "old");
        QVERIFY(QFile::link(u"there"_s, name(u"link"_s)));
        QVERIFY(QFile::link(u"later"_s, name(u"dangling"_s)));
        QVERIFY(writeOutput(path(u"link"_s), "new"));
        QVERIFY(writeOutput(path(u"dangling"_s), "first"));
        QVERIFY(QFileInfo(name(u"link"_s)).isSymLink());
        QVERIFY(QFileInfo(name(u"dangling"_s)).isSymLink());
        QCOMPARE(bytesOf(u"there"_s), "new");
        QCOMPARE(bytesOf(u"later"_s), "first");
    }

    void aPipeIsWrittenInto()
    {
        QCOMPARE(::mkfifo(path(u"pipe"_s).c_str(), 0600), 0);
        const int reader = ::open(path(u"pipe"_s).c_str(), O_RDONLY | O_NONBLOCK);
        QVERIFY(reader >= 0);
        const auto close = qScopeGuard([&] { ::close(reader); });
        QVERIFY(isNoFile(path(u"pipe"_s)));
        QVERIFY(writeOutput(path(u"pipe"_s), "through"));
        char read[16] = {};
        QCOMPARE(::read(reader, read, sizeof read), ssize_t(7));
        QCOMPARE(QByteArray(read), "through");
        struct stat status = {};
        QVERIFY(::stat(path(u"pipe"_s).c_str(), &status) == 0 && S_ISFIFO(status.st_mode));
    }

    void aFolderIsNotWritten()
    {
        const auto written = writeOutput(m_folder.path().toStdString(), "x");
        QVERIFY(!written);
        QCOMPARE(written.error().code, ErrorCode::WriteFailed);
        QVERIFY(!isNoFile(m_folder.path().toStdString()));
    }

    void whatAKilledWriterLeftGoes_data()
    {
        QTest::addColumn<QString>("file");
        QTest::newRow("short") << u"plan.vramplan"_s;
        QTest::newRow("longest") << QString(250, u'n');
        QTest::newRow("with digits and dots") << u"a.7.12.part"_s;
    }

    void whatAKilledWriterLeftGoes()
    {
        QFETCH(QString, file);
        char host[65] = {};
        QCOMPARE(::gethostname(host, sizeof host - 1), 0);
        const pid_t gone = ::fork();
        if (gone == 0)
            ::_exit(0);
        QCOMPARE(::waitpid(gone, nullptr, 0), gone);
        const auto left = [&](const QString &target, const char *on, pid_t by, int number) {
            const auto name = u".%1.%2.%3.%4.part"_s.arg(target.left(160), QString::fromUtf8(on));
            put(name.arg(by).arg(number), "half");
            return name.arg(by).arg(number);
        };
        left(file, host, gone, 0);
        left(file, host, gone, 31);
        QStringList kept{left(file, host, ::getppid(), 0), left(file, host, ::getpid(), 9999),
                         left(u"other"_s, host, gone, 0), left(file, "another-host", gone, 0)};
        put(u".%1.%2.x.part"_s.arg(file.left(160), QString::fromUtf8(host)), "not ours");
        kept << u".%1.%2.x.part"_s.arg(file.left(160), QString::fromUtf8(host));
        const QString locked = left(file, host, gone, 5); // by a process that is not seen from here
        const int writer = ::open(path(locked).c_str(), O_RDONLY);
        const auto close = qScopeGuard([&] { ::close(writer); });
        QCOMPARE(::flock(writer, LOCK_EX), 0);
        kept << locked;
        QVERIFY(writeOutput(path(file), "new"));
        QCOMPARE(bytesOf(file), "new");
        kept.sort();
        QStringList found = hidden();
        found.sort();
        QCOMPARE(found, kept);
    }

    void aLongNameGetsItsFile()
    {
        const QString longest(250, u'n');
        QVERIFY(writeOutput(path(longest), "x"));
        QCOMPARE(bytesOf(longest), "x");
    }

    void anInputIsKeptByWhateverName()
    {
        put(u"in.pickle"_s, "recording");
        put(u"other"_s, "x");
        QVERIFY(QFile::link(u"in.pickle"_s, name(u"soft"_s)));
        QCOMPARE(::link(path(u"in.pickle"_s).c_str(), path(u"hard"_s).c_str()), 0);
        const std::vector<std::filesystem::path> inputs{path(u"missing"_s), path(u"in.pickle"_s)};
        for (const QString &output : {u"in.pickle"_s, u"soft"_s, u"hard"_s})
            QVERIFY(!keepInputs(path(output), inputs));
        for (const QString &output : {u"other"_s, u"new"_s})
            QVERIFY(keepInputs(path(output), inputs));
        QVERIFY(keepInputs("-", inputs));
        QVERIFY(keepInputs("/dev/null", std::vector<std::filesystem::path>{"/dev/null"}));
    }
};

VRAMSCOPE_TEST(TestOutputFile)
#include "tst_output_file_posix.moc"
