// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/profile_difference_report.h"
#include "core/print/profile_report.h"
#include "core/profile/profile_difference.h"
#include "core/ranks/rank_profiles.h"
#include "core/readers/read_trace.h"
#include "tests/support/canonical_json.h"
#include "tests/support/naive_profile.h"
#include "tests/support/series_input.h"
#include "tests/support/test.h"

#include <QCryptographicHash>
#include <QDir>
#include <QDirIterator>

using namespace vramscope;

namespace {

QString profileData(const QString &name)
{
    return test::projectFile(QStringLiteral("tests/data/profiles/") + name);
}

QByteArray fileContent(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// A profile as the program reads it, or as the naive reader does.
enum class ReadBy { Program, Naive };

std::shared_ptr<const Profile> readByProgram(const QString &path)
{
    const Result<Recording> recording = readRecording(path.toStdString());
    if (!recording.ok())
        return nullptr;
    const auto *profile = std::get_if<std::shared_ptr<const Profile>>(&*recording);
    return profile == nullptr ? nullptr : *profile;
}

std::shared_ptr<const ProfileStudy> studyOf(const QString &path, ReadBy by)
{
    std::shared_ptr<const Profile> profile;
    if (by == ReadBy::Program) {
        profile = readByProgram(path);
    } else {
        const QByteArray text = test::contentOf(path);
        profile = test::naiveProfile({text.data(), static_cast<std::size_t>(text.size())});
    }
    return profile ? std::make_shared<const ProfileStudy>(std::move(profile)) : nullptr;
}

RankProfiles ranksOf(const QString &folder, ReadBy by)
{
    std::vector<RankProfileFile> files;
    for (const QFileInfo &file : QDir(folder).entryInfoList(QDir::Files, QDir::Name))
        files.push_back({file.fileName().toStdString(), {}, studyOf(file.filePath(), by)});
    std::erase_if(files, [](const RankProfileFile &each) { return !each.study; });
    return compareRanks(std::move(files));
}

/// The figures of a recording, as the program prints them; of its problems the reference says
/// nothing.
std::string figuresOf(const QFileInfo &recording, ReadBy by)
{
    const std::string name = recording.fileName().toStdString();
    if (recording.isDir())
        return test::withoutMember(profileFolderJson(ranksOf(recording.filePath(), by), name, 0),
                                   "problems");
    const auto study = studyOf(recording.filePath(), by);
    return study ? test::withoutMember(profileJson(*study, {name, 0, false}), "problems")
                 : std::string();
}

QString hashOf(const std::string &json)
{
    const std::string canonical = test::canonicalJson(json);
    return QString::fromLatin1(
        QCryptographicHash::hash({canonical.data(), qsizetype(canonical.size())},
                                 QCryptographicHash::Sha256)
            .toHex());
}

/// Where the recordings lie; empty where they are not there.
QFileInfo recordingOf(const QString &name)
{
    const QString corpus = test::corpusFolder();
    for (const QString &folder : {corpus + QStringLiteral("/../profiles/"), corpus + u'/'}) {
        if (!corpus.isEmpty() && QFileInfo::exists(folder + name))
            return QFileInfo(folder + name);
    }
    return QFileInfo();
}

} // namespace

/// Holds every figure to what an independent reference, slow and simple, finds in the same files.
class TestProfileGoldens : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void generatedRanksHaveTheFiguresOfTheReference_data();
    void generatedRanksHaveTheFiguresOfTheReference();
    void twoGeneratedRanksDifferAsTheReferenceSays();
    void recordingsHaveTheFiguresOfTheReference_data();
    void recordingsHaveTheFiguresOfTheReference();
};

void TestProfileGoldens::generatedRanksHaveTheFiguresOfTheReference_data()
{
    QTest::addColumn<QString>("folder");
    QTest::addColumn<bool>("isNaive");
    for (const bool isNaive : {true, false}) {
        const char *reader = isNaive ? "the naive reader" : "the program";
        QTest::addRow("a late rank, with memory, read by %s", reader) << "late" << isNaive;
        QTest::addRow("clocks apart, sharded, read by %s", reader) << "apart" << isNaive;
    }
}

void TestProfileGoldens::generatedRanksHaveTheFiguresOfTheReference()
{
    QFETCH(QString, folder);
    QFETCH(bool, isNaive);
    const QByteArray expected = fileContent(profileData(folder + QStringLiteral(".expected.json")));
    QVERIFY(!expected.isEmpty());
    const std::string found =
        figuresOf(QFileInfo(profileData(folder)), isNaive ? ReadBy::Naive : ReadBy::Program);
    const std::string difference = test::firstDifference(expected.toStdString(), found);
    QVERIFY2(difference.empty(), difference.c_str());
}

void TestProfileGoldens::twoGeneratedRanksDifferAsTheReferenceSays()
{
    const QByteArray expected = fileContent(profileData(QStringLiteral("late.diff.json")));
    QVERIFY(!expected.isEmpty());
    const auto a = studyOf(profileData(QStringLiteral("late/rank0.json.gz")), ReadBy::Naive);
    const auto b = studyOf(profileData(QStringLiteral("late/rank2.json.gz")), ReadBy::Naive);
    const std::string difference = test::firstDifference(
        expected.toStdString(),
        test::withoutMember(profileDifferenceJson(compareProfiles(*a, *b), 0), "problems"));
    QVERIFY2(difference.empty(), difference.c_str());
}

void TestProfileGoldens::recordingsHaveTheFiguresOfTheReference_data()
{
    QTest::addColumn<QString>("golden");
    const QFileInfoList goldens = QDir(profileData(QStringLiteral("golden")))
                                      .entryInfoList({QStringLiteral("*.json")}, QDir::Files);
    QVERIFY(goldens.size() > 20);
    for (const QFileInfo &golden : goldens)
        QTest::newRow(qPrintable(golden.completeBaseName())) << golden.filePath();
}

void TestProfileGoldens::recordingsHaveTheFiguresOfTheReference()
{
    QFETCH(QString, golden);
    const std::string expected = fileContent(golden).toStdString();
    const QString name =
        QString::fromStdString(test::memberText(expected, "recording")).remove(u'"');
    const QFileInfo recording = recordingOf(name);
    if (!recording.exists())
        QSKIP("The folder of recordings is not there (VRAMSCOPE_CORPUS).");
    const std::string found = figuresOf(recording, ReadBy::Program);
    const std::string first = test::memberText(expected, "first");
    if (!first.empty()) {
        const std::string difference = test::firstDifference(first, test::withFirstRows(found, 5));
        QVERIFY2(difference.empty(), difference.c_str());
    }
    QCOMPARE(u'"' + hashOf(found) + u'"',
             QString::fromStdString(test::memberText(expected, "sha256")));
}

VRAMSCOPE_TEST(TestProfileGoldens)
#include "tst_profile_goldens.moc"
