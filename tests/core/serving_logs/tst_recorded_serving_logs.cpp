// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/file_kind.h"
#include "core/serving_logs/read_serving_log.h"
#include "tests/support/test.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>
#include <array>
#include <cmath>

using namespace vramscope;
using namespace Qt::StringLiterals;

namespace {

QString nameOf(std::string_view text)
{
    return QString::fromUtf8(text.data(), qsizetype(text.size()));
}

QString row(const QString &key, double value, const QString &unit, const QString &rank, int line)
{
    return u"%1 = %2 %3 [%4] line %5"_s.arg(key).arg(value, 0, 'g', 15).arg(unit, rank).arg(line);
}

QJsonObject readJson(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QJsonDocument::fromJson(file.readAll()).object()
                                          : QJsonObject();
}

} // namespace

/// Logs that people published, against the figures that were read from them by hand and by another
/// program.
class TestRecordedServingLogs : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        if (test::servingLogsFolder().isEmpty())
            QSKIP("The folder of serving logs is not there (VRAMSCOPE_SERVING_LOGS).");
    }

    void everyFigureIsRead_data()
    {
        QTest::addColumn<QString>("path");
        const QDir folder(test::servingLogsFolder());
        for (const QString &name : folder.entryList({u"*.log"_s}, QDir::Files, QDir::Name))
            QTest::newRow(qPrintable(name)) << folder.filePath(name);
    }

    void everyFigureIsRead()
    {
        QFETCH(QString, path);
        const QJsonObject known = readJson(path.left(path.size() - 3) + "json");
        QVERIFY(!known.isEmpty());
        const Result<ServingLog> log = readServingLog(path.toStdString());
        QVERIFY2(log.ok(), log.ok() ? "" : log.error().text().c_str());

        QStringList expected;
        for (const QJsonValue value : known["figures"_L1].toArray())
            expected << row(value["key"_L1].toString(), value["value"_L1].toDouble(),
                            value["unit"_L1].toString(), value["rank"_L1].toString(),
                            value["line"_L1].toInt());
        QStringList read;
        for (const LogFigure &figure : log->figures)
            read << row(nameOf(figure.key), figure.value, nameOf(logUnitName(figure.unit)),
                        nameOf(figure.rank), int(figure.line));
        expected.sort();
        read.sort();
        QCOMPARE(read, expected);

        const QJsonObject best = known["best"_L1].toObject();
        QCOMPARE(qsizetype(log->best.size()), best.size());
        for (const QString &key : best.keys()) {
            const BestFigure *figure = log->find(key.toStdString());
            QVERIFY2(figure, qPrintable(key));
            QCOMPARE(figure->value, best[key]["value"_L1].toDouble());
            QCOMPARE(nameOf(logUnitName(figure->unit)), best[key]["unit"_L1].toString());
        }
        const QJsonObject byHand = known["expect"_L1].toObject();
        for (const QString &key : byHand.keys()) {
            const BestFigure *figure = log->find(key.toStdString());
            QVERIFY2(figure, qPrintable(key));
            QCOMPARE(figure->value, byHand[key].toDouble());
        }
        for (const QJsonValue check : known["checks"_L1].toArray()) {
            constexpr double kRounded = 0.006;
            const bool found = std::ranges::any_of(log->checks, [&](const LogCheck &mine) {
                return std::abs(mine.left - check["left"_L1].toDouble()) < kRounded &&
                       std::abs(mine.right - check["right"_L1].toDouble()) < kRounded &&
                       mine.holds == check["holds"_L1].toBool();
            });
            QVERIFY2(found, qPrintable(check["check"_L1].toString()));
        }
        // Nothing in this one says that ollama started the server.
        if (!path.endsWith("ollama-llamaserver-two-gpus.log"_L1))
            QCOMPARE(nameOf(logEngineId(log->engine)), known["engine"_L1].toString());
        QCOMPARE(identifyFile(path.toStdString()), FileKind::ServingLog);
        const bool isRefused = path.contains("refused"_L1) || path.endsWith("oom.log"_L1);
        QVERIFY(!isRefused || !log->refusals.empty());
    }
};

VRAMSCOPE_TEST(TestRecordedServingLogs)
#include "tst_recorded_serving_logs.moc"
