// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/descriptor.h"
#include "core/base/folder.h"
#include "core/base/output_file.h"
#include "core/base/path_text.h"
#include "core/base/platform.h"
#include "core/base/text_file.h"
#include "tests/support/test.h"

#include <QDir>
#include <QProcess>
#include <QScopeGuard>
#include <QTemporaryDir>

#define WIN32_LEAN_AND_MEAN
#include <array>
#include <cstring>
#include <thread>
#include <windows.h>

using namespace vramscope;
using namespace Qt::StringLiterals;

class TestOutputFileWindows : public test::Test
{
    Q_OBJECT

private:
    QTemporaryDir m_folder;

    [[nodiscard]] std::filesystem::path path(std::string_view file) const
    {
        return pathOf(m_folder.path().toStdString()) / pathOf(file);
    }
    [[nodiscard]] static std::string bytesOf(const std::filesystem::path &file)
    {
        return readTextFile(file, 1000).value();
    }
    [[nodiscard]] QStringList names() const
    {
        return QDir(m_folder.path())
            .entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot);
    }

private slots:
    void init() override
    {
        Test::init();
        for (const QString &name : names())
            if (!QFile::remove(m_folder.filePath(name)))
                QDir(m_folder.filePath(name)).removeRecursively();
    }

    void bytesStayAsTheyAre()
    {
        const std::string bytes("a\nb\r\n\x1A\0c", 8);
        QVERIFY(writeOutput(path("plan"), bytes));
        QCOMPARE(bytesOf(path("plan")), bytes);
        QVERIFY(writeOutput(path("plan"), "new"));
        QCOMPARE(bytesOf(path("plan")), std::string("new"));
        QCOMPARE(names(), QStringList(u"plan"_s));
    }

    void namesAreUtf8()
    {
        const std::string name = "Größe \u65E5\u672C.vramplan";
        QVERIFY(writeOutput(path(name), "x"));
        QCOMPARE(names(), QStringList(QString::fromStdString(name)));
        QCOMPARE(bytesOf(path(name)), std::string("x"));
        const auto files = filesOfFolder(pathOf(m_folder.path().toStdString()));
        QVERIFY(files && files->size() == 1);
        QCOMPARE(utf8(files->front().filename()), name);
    }

    void halfACharacterInANameIsNoFileOfAFolder()
    {
        const std::wstring half = path("half").native() + L"\xD800";
        CloseHandle(CreateFileW(half.c_str(), GENERIC_WRITE, 0, nullptr, CREATE_NEW, 0, nullptr));
        const auto remove = qScopeGuard([&] { DeleteFileW(half.c_str()); });
        QVERIFY(writeOutput(path("whole"), "x"));
        const auto files = filesOfFolder(pathOf(m_folder.path().toStdString()));
        QVERIFY(files && files->size() == 1);
    }

    void aPathMayBeLong()
    {
        std::filesystem::path folder = path("");
        for (int depth = 0; depth < 4; ++depth)
            folder /= std::string(90, 'n');
        // Windows makes such folders by this name alone.
        std::filesystem::path made = pathOf(R"(\\?\)");
        made += std::filesystem::path(folder).make_preferred();
        for (auto at = made; !std::filesystem::exists(made);) {
            while (!std::filesystem::exists(at.parent_path()))
                at = at.parent_path();
            QVERIFY(CreateDirectoryW(at.c_str(), nullptr) != 0);
            at = made;
        }
        QVERIFY(writeOutput(folder / "plan", "old"));
        QVERIFY(writeOutput(folder / "plan", "new"));
        QCOMPARE(bytesOf(folder / "plan"), std::string("new"));
    }

    void aFileThatWeReadIsReplaced()
    {
        QVERIFY(writeOutput(path("log"), "old"));
        const auto reading = openRegular(path("log"));
        QVERIFY(reading);
        QVERIFY(writeOutput(path("log"), "new"));
        QCOMPARE(bytesOf(path("log")), std::string("new"));
        std::array<std::byte, 8> read{};
        QCOMPARE(readAt(reading->descriptor.number(), 0, read), std::ptrdiff_t(3));
        QCOMPARE(std::memcmp(read.data(), "old", 3), 0);
    }

    void aFileThatAnotherProgramKeepsToItselfStays()
    {
        QVERIFY(writeOutput(path("plan"), "old"));
        HANDLE const other = CreateFileW(path("plan").c_str(), GENERIC_READ, FILE_SHARE_READ,
                                         nullptr, OPEN_EXISTING, 0, nullptr);
        const auto written = writeOutput(path("plan"), "new");
        CloseHandle(other);
        QVERIFY(!written);
        QCOMPARE(written.error().text(),
                 std::string("The file could not be written: Another program has it open."));
        QCOMPARE(bytesOf(path("plan")), std::string("old"));
        QCOMPARE(names().join(u' '), u"plan"_s);
    }

    void aFileThatAnotherProgramLetsGoIsReplaced()
    {
        QVERIFY(writeOutput(path("plan"), "old"));
        HANDLE const other = CreateFileW(path("plan").c_str(), GENERIC_READ, FILE_SHARE_READ,
                                         nullptr, OPEN_EXISTING, 0, nullptr);
        std::thread scanner([&] {
            Sleep(120);
            CloseHandle(other);
        });
        const auto written = writeOutput(path("plan"), "new");
        scanner.join();
        QVERIFY2(written, written ? "" : written.error().text().c_str());
        QCOMPARE(bytesOf(path("plan")), std::string("new"));
    }

    void theNullDeviceIsNoFile()
    {
        QVERIFY(isNoFile("NUL"));
        QVERIFY(writeOutput("NUL", "x"));
        QVERIFY(keepInputs("NUL", std::vector<std::filesystem::path>{"NUL"}));
        QCOMPARE(readTextFile("NUL", 1).error().code, ErrorCode::NotAFile);
    }

    void aFolderIsNeitherReadNorWritten()
    {
        const std::filesystem::path folder = pathOf(m_folder.path().toStdString());
        QCOMPARE(writeOutput(folder, "x").error().code, ErrorCode::WriteFailed);
        QCOMPARE(readTextFile(folder, 1).error().text(),
                 std::string("This is a folder; choose a file in it."));
        QCOMPARE(readTextFile(folder / "none", 1).error().code, ErrorCode::NotFound);
        QVERIFY(!isNoFile(folder));
    }

    void anInputIsKeptByWhateverName()
    {
        QVERIFY(writeOutput(path("in.pickle"), "recording"));
        QVERIFY(CreateHardLinkW(path("hard").c_str(), path("in.pickle").c_str(), nullptr) != 0);
        const std::vector<std::filesystem::path> inputs{path("missing"), path("in.pickle")};
        for (const char *output : {"in.pickle", "IN.Pickle", "hard"})
            QVERIFY2(!keepInputs(path(output), inputs), output);
        QVERIFY(keepInputs(path("new"), inputs));
    }

    void whatAKilledWriterLeftGoes()
    {
        QProcess ended;
        ended.start(QCoreApplication::applicationFilePath(), {u"none"_s});
        const qint64 gone = ended.processId();
        QVERIFY(gone > 0 && ended.waitForFinished());
        const auto left = [&](std::int64_t by, int number) {
            const std::string name = ".plan." + hostName() + '.' + std::to_string(by) + '.' +
                                     std::to_string(number) + ".part";
            QVERIFY(writeOutput(path(name), "half"));
        };
        left(gone, 0);
        left(gone, 31);
        left(processNumber(), 9999);
        QVERIFY(writeOutput(path("plan"), "new"));
        const QString kept =
            u".plan.%1.%2.9999.part"_s.arg(QString::fromStdString(hostName())).arg(processNumber());
        QCOMPARE(names().join(u' '), kept + u" plan"_s);
    }
};

VRAMSCOPE_TEST(TestOutputFileWindows)
#include "tst_output_file_windows.moc"
