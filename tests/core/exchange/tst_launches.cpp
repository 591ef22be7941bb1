// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/import.h"
#include "core/plan/plan_json.h"
#include "tests/support/test.h"

#include <QDir>
#include <QFile>

using namespace vramscope;
using namespace Qt::StringLiterals;

namespace {

/// One case of a file: "=== NAME", the command line as it is pasted, "--- plan" with the plan that
/// it becomes, "--- notes" with a note a line.
struct Case
{
    QByteArray name;
    QByteArray text;
    QByteArray plan;
    QByteArray notes;
};

constexpr char kNext[] = "=== ";
constexpr char kPlan[] = "--- plan\n";
constexpr char kNotes[] = "--- notes\n";

QList<Case> casesOf(const QString &path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return {};
    QList<Case> cases;
    QByteArray *part = nullptr;
    while (!file.atEnd()) {
        const QByteArray line = file.readLine();
        if (line.startsWith(kNext)) {
            cases.append({line.mid(sizeof kNext - 1).trimmed(), {}, {}, {}});
            part = &cases.last().text;
        } else if (line == kPlan && part) {
            part = &cases.last().plan;
        } else if (line == kNotes && part) {
            part = &cases.last().notes;
        } else if (part) {
            *part += line;
        }
    }
    for (Case &each : cases)
        each = {each.name, each.text.trimmed(), each.plan.trimmed(), each.notes.trimmed()};
    return cases;
}

QString folder()
{
    return test::projectFile(u"tests/data/exchange/launches"_s);
}

/// What the import makes of a text; a note for an error.
Case imported(const Case &from)
{
    const Result<Imported> it = importInto({}, from.text.toStdString());
    if (!it)
        return {from.name, from.text, {}, QByteArray::fromStdString(it.error().text())};
    QByteArray notes = QByteArray::fromStdString(it->format) + '\n';
    for (const ImportNote &note : it->notes)
        notes += QByteArray::fromStdString(note.place + ": " + note.text) + '\n';
    return {from.name, from.text, QByteArray::fromStdString(planJson(it->plan)).trimmed(),
            notes.trimmed()};
}

} // namespace

class TestLaunches : public test::Test
{
    Q_OBJECT

private slots:
    void aPastedLineBecomesThePlanOfItsEngine_data();
    void aPastedLineBecomesThePlanOfItsEngine();
    void everyEngineHasItsTenLines();
};

void TestLaunches::aPastedLineBecomesThePlanOfItsEngine_data()
{
    QTest::addColumn<QString>("path");
    QTest::addColumn<int>("at");
    for (const QFileInfo &file : QDir(folder()).entryInfoList({u"*.txt"_s}, QDir::Files)) {
        const QList<Case> cases = casesOf(file.filePath());
        for (int at = 0; at < cases.size(); ++at)
            QTest::addRow("%s: %s", qPrintable(file.baseName()), cases[at].name.constData())
                << file.filePath() << at;
    }
}

// VRAMSCOPE_UPDATE=1 writes the results anew.
void TestLaunches::aPastedLineBecomesThePlanOfItsEngine()
{
    QFETCH(QString, path);
    QFETCH(int, at);
    QList<Case> cases = casesOf(path);
    const Case found = imported(cases[at]);
    if (!qEnvironmentVariableIsSet("VRAMSCOPE_UPDATE")) {
        QCOMPARE(found.plan, cases[at].plan);
        QCOMPARE(found.notes, cases[at].notes);
        return;
    }
    cases[at] = found;
    QByteArray all;
    for (const Case &each : cases)
        all += (all.isEmpty() ? "" : "\n") + QByteArray(kNext) + each.name + '\n' + each.text +
               '\n' + kPlan + each.plan + '\n' + kNotes + each.notes + '\n';
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    QCOMPARE(file.write(all), all.size());
}

void TestLaunches::everyEngineHasItsTenLines()
{
    for (const char *engine : {"vllm", "sglang", "llama_cpp", "trtllm"}) {
        const QList<Case> cases = casesOf(folder() + u'/' + QLatin1String(engine) + u".txt"_s);
        QVERIFY2(cases.size() >= 10, engine);
    }
}

VRAMSCOPE_TEST(TestLaunches)
#include "tst_launches.moc"
