// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/catalog/gpus.h"
#include "core/print/recipes.h"
#include "tests/support/test.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTemporaryDir>

#include <set>

using namespace vramscope;
using namespace Qt::StringLiterals;

namespace {

QString text(std::string_view view)
{
    return QString::fromUtf8(view.data(), static_cast<qsizetype>(view.size()));
}

/// The exit status of a program, with what it complained about.
std::pair<int, QString> outcome(const QString &program, const QStringList &arguments)
{
    QProcess process;
    process.start(program, arguments);
    if (!process.waitForFinished(60'000))
        return {-1, process.errorString()};
    return {process.exitCode(), QString::fromUtf8(process.readAllStandardError())};
}

} // namespace

class TestRecipes : public test::Test
{
    Q_OBJECT

private slots:
    void topicsAreDistinctAndFound();
    void everyLineFitsOnAScreen();
    void enoughStepsAreRecordedToTellLeaks();
    void theLinesCanBeRun_data();
    void theLinesCanBeRun();
    void whatIsPrintedCanBePastedWhole();
    void theJsonHoldsTheSame();
    void theGpusOfARehearsalAreThoseOfTheCatalogue();
};

void TestRecipes::topicsAreDistinctAndFound()
{
    std::set<std::string_view> topics;
    for (const Recipe &each : recipes()) {
        QVERIFY(topics.insert(each.topic).second);
        QCOMPARE(recipe(each.topic), &each);
        QVERIFY(QString::fromStdString(recipeListText()).contains(text(each.title)));
    }
    for (const auto needed : {"pytorch", "oom", "ranks", "lightning", "transformers", "torchtitan",
                              "megatron", "vllm", "costs", "versions"})
        QVERIFY(topics.contains(needed));
    QVERIFY(recipe("pytorhc") == nullptr);
}

void TestRecipes::everyLineFitsOnAScreen()
{
    for (const Recipe &each : recipes()) {
        for (const QString &line : QString::fromStdString(recipeText(each)).split(u'\n'))
            QVERIFY2(line.size() <= 100, qPrintable(line));
    }
}

void TestRecipes::enoughStepsAreRecordedToTellLeaks()
{
    for (const auto topic : {"pytorch", "ranks", "lightning", "transformers"}) {
        const Recipe &each = *recipe(topic);
        const QString lines = text(each.lines);
        QVERIFY2(lines.contains("range(6)"_L1) || lines.contains("steps=6"_L1), topic);
        QVERIFY2(text(each.notes).contains("vramscope-cli leaks"_L1), topic);
    }
}

void TestRecipes::theLinesCanBeRun_data()
{
    QTest::addColumn<QString>("topic");
    for (const Recipe &each : recipes()) {
        if (!each.program.empty())
            QTest::newRow(std::string(each.topic).c_str()) << text(each.topic);
    }
}

void TestRecipes::theLinesCanBeRun()
{
    QFETCH(QString, topic);
    const Recipe &each = *recipe(topic.toStdString());
    const bool python = each.program == "python";
    QVERIFY(python || each.program == "sh");
    const QString program =
        QStandardPaths::findExecutable(python ? u"python3"_s : u"bash"_s); // arrays are bash's
    if (program.isEmpty())
        QSKIP("There is no program on this machine that could check the lines.");
    const QTemporaryDir folder;
    QFile file(folder.filePath(u"lines.py"_s));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(QByteArray::fromStdString(recipeText(each)));
    file.close();
    const auto [status, complaint] =
        python ? outcome(program, {u"-m"_s, u"py_compile"_s, file.fileName()})
               : outcome(program, {u"-n"_s, file.fileName()});
    QVERIFY2(status == 0, qPrintable(complaint));
}

void TestRecipes::whatIsPrintedCanBePastedWhole()
{
    for (const Recipe &each : recipes()) {
        const QString printed = QString::fromStdString(recipeText(each));
        QVERIFY(printed.endsWith(text(each.lines)));
        if (each.program.empty())
            continue;
        const QString before = printed.chopped(text(each.lines).size());
        for (const QString &line : before.split(u'\n', Qt::SkipEmptyParts))
            QVERIFY2(line.startsWith(u'#'), qPrintable(line));
    }
}

void TestRecipes::theJsonHoldsTheSame()
{
    const QJsonArray list =
        QJsonDocument::fromJson(QByteArray::fromStdString(recipeListJson())).array();
    QCOMPARE(list.size(), static_cast<qsizetype>(recipes().size()));
    for (const QJsonValue value : list) {
        const Recipe *each = recipe(value["topic"_L1].toString().toStdString());
        QVERIFY(each != nullptr);
        QCOMPARE(value["lines"_L1].toString(), text(each->lines));
        QCOMPARE(value["notes"_L1].toArray().size(), text(each->notes).count(u'\n') + 1);
        QCOMPARE(QJsonDocument::fromJson(QByteArray::fromStdString(recipeJson(*each))).object(),
                 value.toObject());
    }
}

void TestRecipes::theGpusOfARehearsalAreThoseOfTheCatalogue()
{
    const QString lines = text(recipe("rehearse")->lines);
    const QRegularExpression row(uR"-(^    "[\w-]+": \(([\d_]+), .*, "([\w-]+)"\),$)-"_s,
                                 QRegularExpression::MultilineOption);
    const QString table = lines.section(u"\nGPUS = {\n"_s, 1, 1).section(u"\n}\n"_s, 0, 0);
    int rows = 0;
    for (auto found = row.globalMatch(table); found.hasNext(); ++rows) {
        const QRegularExpressionMatch match = found.next();
        const GpuPreset *gpu = findGpuPreset(match.captured(2).toStdString());
        QVERIFY2(gpu != nullptr, qPrintable(match.captured(2)));
        QCOMPARE(match.captured(1).remove(u'_').toLongLong(), gpu->capacity);
    }
    QCOMPARE(rows, table.count(u'\n') + 1); // none is written otherwise
}

VRAMSCOPE_TEST(TestRecipes)
#include "tst_recipes.moc"
