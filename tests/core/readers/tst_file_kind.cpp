// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/report_mark.h"
#include "core/readers/file_kind.h"
#include "tests/support/process.h"
#include "tests/support/test.h"

#include <QDir>
#include <QTemporaryDir>

using namespace vramscope;
using namespace Qt::StringLiterals;

Q_DECLARE_METATYPE(vramscope::FileKind)

/// The one place that says what a file is.
class TestFileKind : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void theBeginningTellsTheKind_data()
    {
        QTest::addColumn<QByteArray>("start");
        QTest::addColumn<FileKind>("kind");
        const auto row = [](const char *name, const QByteArray &start, FileKind kind) {
            QTest::newRow(name) << start << kind;
        };
        const QByteArray report = "<!DOCTYPE html>\n<html><head>" +
                                  QByteArray(kReportMark.data(), qsizetype(kReportMark.size()));
        row("plan", R"({"vramscope": 1, "model": {}})", FileKind::Plan);
        row("plan with a mark", "\xef\xbb\xbf\n {\"vramscope\":1}", FileKind::Plan);
        row("plan, another key first", "{\"name\": \"a \\\" {\", \"vramscope\" : 1}",
            FileKind::Plan);
        row("broken plan", R"({"vramscope": 1, "model": {oops)", FileKind::Plan);
        row("plan broken before", "{name: x, \"note\": \"open\n \"vramscope\": 1}", FileKind::Plan);
        row("bookmarks", R"({"vramscope": "session", "bookmarks": []})", FileKind::Session);
        row("report", report, FileKind::Report);
        row("other page", "<!DOCTYPE html>\n<html>", FileKind::Packed);
        row("gzip", "\x1F\x8B\x08", FileKind::Packed);
        row("pickle", "\x80\x04}\x94", FileKind::Snapshot);
        row("snapshot", R"({"segments": [], "device_traces": []})", FileKind::Snapshot);
        row("snapshot of a program with our name",
            R"({"segments": [{"frames": [{"name": "vramscope", "vramscope": 1}]}]})",
            FileKind::Snapshot);
        row("profiler trace", R"({"schemaVersion": 1, "traceEvents": []})", FileKind::Curves);
        row("table of a profiler", "Time (%),Total Time (ns),Instances,Name\n", FileKind::Tables);
        row("log", "timestamp, index, memory.used [MiB]\n", FileKind::SmiLog);
        row("log of a serving engine",
            "(EngineCore pid=7) INFO 01-01 01:01:01 [w.py:1] Available KV cache memory: 1.0 GiB\n",
            FileKind::ServingLog);
        row("log with a time in brackets",
            "[2031-01-01 01:01:01 TP0] Load weight end. avail mem=1.00 GB\n", FileKind::ServingLog);
        row("log of a container",
            R"({"log":"GPU KV cache size: 1,000 tokens\n","stream":"stdout"})",
            FileKind::ServingLog);
        row("snapshot that speaks of one",
            R"({"segments": [{"frames": [{"name": "GPU KV cache size: "}]}]})", FileKind::Snapshot);
        row("settings", R"({"model_type": "llama", "hidden_size": 64})", FileKind::Other);
        row("script that starts a server",
            "#!/bin/sh\nVLLM_LOGGING_LEVEL=INFO vllm serve some/model --max-num-seqs 8\n",
            FileKind::Other);
        row("settings that name a server", "backend: exllamav2\nlog_prompt: false\n",
            FileKind::Other);
        row("log that begins with the command of its server",
            "$ vllm serve some/model\nTraceback (most recent call last):\n", FileKind::ServingLog);
        row("text", "hello", FileKind::Other);
        row("nothing", "", FileKind::Other);
    }

    void theBeginningTellsTheKind()
    {
        QFETCH(QByteArray, start);
        QFETCH(FileKind, kind);
        QCOMPARE(identify(start.toStdString(), true), kind);
    }

    void everyExampleIsOfTheKindOfItsName()
    {
        const QDir examples(test::projectFile(u"resources/examples"_s));
        for (const QFileInfo &file : examples.entryInfoList(QDir::Files)) {
            const FileKind kind = identifyFile(file.filesystemAbsoluteFilePath());
            const bool named = file.suffix() == u"vramplan"
                                   ? kind == FileKind::Plan
                                   : kind != FileKind::Plan && kind != FileKind::Other;
            QVERIFY2(named, qPrintable(file.fileName()));
        }
    }

    void whatIsNoFileIsOther()
    {
        const QTemporaryDir folder;
        if (test::kPosix) {
            const std::string pipe = folder.filePath(u"pipe"_s).toStdString();
            QVERIFY(test::makePipe(pipe));
            QCOMPARE(identifyFile(pipe), FileKind::Other); // nobody waits for who writes into it
        }
        QCOMPARE(identifyFile(folder.path().toStdString()), FileKind::Other);
        QCOMPARE(identifyFile(folder.filePath(u"missing"_s).toStdString()), FileKind::Other);
    }
};

VRAMSCOPE_TEST(TestFileKind)
#include "tst_file_kind.moc"
