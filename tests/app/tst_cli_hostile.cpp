// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What a terminal is given of files that hold control characters, those that turn the direction of
// writing, and bytes that are no text.
#include "core/base/text.h"
#include "tests/app/cli_run.h"
#include "tests/support/sample_snapshot.h"
#include "tests/support/test.h"

#include <QFile>
#include <QTemporaryDir>

using namespace vramscope;
using namespace Qt::StringLiterals;

namespace {

const std::string kHostile = "a\x1b]0;pwned\x07\x1b[31m\u009b1m\x7f\r\u202eb\u2066c\u061c\u2028";

std::string accents(int count)
{
    std::string text = "x";
    for (int at = 0; at < count; ++at)
        text += "\u0301";
    return text;
}

/// As text within JSON.
QByteArray escaped(const std::string &text)
{
    QByteArray json;
    for (const char c : text) {
        if (static_cast<unsigned char>(c) < 0x20)
            json += "\\u00" + QByteArray::number(c, 16).rightJustified(2, '0');
        else
            json += c;
    }
    return json;
}

QByteArray plan(const QByteArray &member)
{
    return "{\"vramscope\":1," + member + "}";
}

QByteArray snapshot(const std::string &name)
{
    using test::Py;
    const Py frames = Py::list(
        {Py::dict({{"name", name}, {"filename", "/home/me/" + name + ".py"}, {"line", 7}})});
    const Py event = test::sampleEvent("alloc", 0x7f0000000000, 4096, 1'700'000'000'000'000, frames)
                         .with("user_metadata", name)
                         .with(name.c_str(), name);
    const Py failed = test::sampleEvent("oom", 0, 1 << 30, 1'700'000'000'000'001, frames);
    return QByteArray::fromStdString(
        test::pickled(Py::dict({{"segments", Py::list()},
                                {"device_traces", Py::list({Py::list({event, failed})})},
                                {"allocator_settings", Py::dict({{name.c_str(), name}})},
                                {"external_annotations", Py::list()},
                                {name.c_str(), name}})));
}

/// What is wrong with an output; empty where nothing is.
std::string flaw(const QByteArray &bytes)
{
    const std::string whole = bytes.toStdString();
    for (std::string_view text = whole; !text.empty();) {
        const std::size_t length = characterLength(text);
        if (length == 0)
            return "no UTF-8";
        if (isControl(text.substr(0, length)) && text.front() != '\n')
            return "a control character";
        text.remove_prefix(length);
    }
    return {};
}

} // namespace

class TestCliHostile : public test::Test
{
    Q_OBJECT

private slots:
    void noOutputActsOnATerminal_data();
    void noOutputActsOnATerminal();
    void noArgumentActsOnATerminal();

private:
    QTemporaryDir m_folder;
};

void TestCliHostile::noOutputActsOnATerminal_data()
{
    QTest::addColumn<QString>("file");
    QTest::addColumn<QStringList>("command");
    const auto write = [&](const QString &name, const QByteArray &bytes) {
        QFile file(m_folder.filePath(name));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size());
    };
    const QByteArray text = escaped(kHostile);
    const QByteArray llama =
        "\"model\":{\"config\":{\"model_type\":\"%\",\"hidden_size\":64,\"num_hidden_layers\":2,"
        "\"num_attention_heads\":4,\"intermediate_size\":128,\"vocab_size\":100}}";
    const std::map<QString, QByteArray> plans{
        {u"gpu.vramplan"_s,
         plan("\"model\":{\"preset\":\"gpt2\"},\"hardware\":{\"gpu\":\"" + text + "\"}")},
        {u"preset.vramplan"_s, plan("\"model\":{\"preset\":\"" + text + "\"}")},
        {u"type.vramplan"_s, plan(QByteArray(llama).replace("%", text))},
        {u"name.vramplan"_s, plan("\"name\":\"" + text + "\",\"model\":{\"preset\":\"gpt2\"}")},
        {u"key.vramplan"_s, plan("\"" + text + "\":1")},
        {u"long key.vramplan"_s, plan("\"x" + QByteArray("\xc3\xa9").repeated(200) + "\":1")},
        {u"choice.vramplan"_s, plan("\"workload\":\"" + text + "\"")},
        {u"marks.vramplan"_s,
         plan("\"hardware\":{\"gpu\":\"" + QByteArray("\xc3\xa9").repeated(200) +
              "\"},\"model\":{\"preset\":\"gpt2\"}")},
        {u"bytes.vramplan"_s, plan("\"name\":\"\xcc\xff\x9b\"")},
        {u"config.json"_s, "{\"model_type\":\"" + text + "\",\"" + text + "\":\"" + text + "\"}"},
        {u"run.sh"_s, "vllm serve '" + text + "' --dtype '" + text + "' --" + text + " 1\n"},
        {u"run.toml"_s, "[model]\nname = \"" + QByteArray("\xc3\xa9").repeated(50) +
                            "\"\nflavor = \"" + QByteArray("\xc3\xa9").repeated(50) + "\"\n"},
    };
    for (const auto &[name, bytes] : plans) {
        write(name, bytes);
        for (const char *command : {"plan", "fit", "import", "plan --json", "import --json"})
            QTest::newRow(qPrintable(name + u' ' + command))
                << name << QString::fromLatin1(command).split(u' ');
    }
    const std::map<QString, QByteArray> recordings{
        {u"hostile.pickle"_s, snapshot(kHostile)},
        {u"accents.pickle"_s, snapshot(accents(5000))},
        {u"e.pickle"_s, snapshot(QString(u'é').repeated(999).toStdString() + "\xc3")},
        {u"bytes.json"_s, "{\"segments\":[],\"device_traces\":[[{\"action\":\"" + text + "\"}]]}"},
        {u"log.csv"_s, "timestamp, name, memory.used [MiB], " + text +
                           "\n2024/01/01 00:00:00.000, " + "H\x1b[31m\xc2\x9b, 5 MiB, 3\n"},
    };
    for (const auto &[name, bytes] : recordings) {
        write(name, bytes);
        for (const char *command :
             {"trace", "peak", "oom", "live", "leaks", "steps", "stacks", "stacks --by frame",
              "stacks --tree top-down", "stacks --folded", "stacks --speedscope", "replay",
              "trace --json", "peak --json", "oom --json", "stacks --json", "live --json"})
            QTest::newRow(qPrintable(name + u' ' + command))
                << name << QString::fromLatin1(command).split(u' ');
    }
}

void TestCliHostile::noOutputActsOnATerminal()
{
    QFETCH(QString, file);
    QFETCH(QStringList, command);
    QProcess process;
    process.setWorkingDirectory(m_folder.path());
    process.start(QStringLiteral(VRAMSCOPE_CLI), command + QStringList{file});
    QVERIFY(process.waitForFinished(60'000));
    QCOMPARE(process.exitStatus(), QProcess::NormalExit);
    const QByteArray out = process.readAllStandardOutput();
    const QByteArray err = process.readAllStandardError();
    QVERIFY(!out.isEmpty() || !err.isEmpty() || command.contains(u"--folded"_s));
    for (const QByteArray &bytes : {out, err})
        QVERIFY2(flaw(bytes).empty(),
                 (flaw(bytes) + ": " + bytes.toPercentEncoding(" {}[]\",:").toStdString()).c_str());
}

void TestCliHostile::noArgumentActsOnATerminal()
{
    const QString hostile = QString::fromStdString(kHostile);
    const std::initializer_list<QStringList> all{
        {hostile},
        {u"plan"_s, hostile},
        {u"plan"_s, u"--"_s + hostile, u"x"_s},
        {u"trace"_s, hostile},
        {u"stacks"_s, u"--hide"_s, u"/("_s + hostile + u"/"_s, u"hostile.pickle"_s},
        {u"stacks"_s, u"--hide"_s, u"@"_s + hostile, u"hostile.pickle"_s},
        {u"stacks"_s, u"--by"_s, hostile, u"hostile.pickle"_s},
        {u"replay"_s, u"--conf"_s, hostile, u"hostile.pickle"_s},
        {u"peak"_s, u"--device"_s, hostile, u"hostile.pickle"_s},
        {u"fit"_s, u"--max"_s, hostile, u"name.vramplan"_s}};
    for (const QStringList &arguments : all) {
        QProcess process;
        process.setWorkingDirectory(m_folder.path());
        process.start(QStringLiteral(VRAMSCOPE_CLI), arguments);
        QVERIFY(process.waitForFinished(60'000));
        const QByteArray err = process.readAllStandardError();
        QVERIFY2(flaw(err).empty(),
                 (flaw(err) + ": " + err.toPercentEncoding(" {}[]\",:").toStdString()).c_str());
        QVERIFY(flaw(process.readAllStandardOutput()).empty());
    }
}

VRAMSCOPE_TEST(TestCliHostile)
#include "tst_cli_hostile.moc"
