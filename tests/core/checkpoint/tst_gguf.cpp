// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/checkpoint_files.h"
#include "tests/support/gguf_writer.h"
#include "tests/support/process.h"
#include "tests/support/test.h"

#include <QTemporaryDir>

#include <fstream>
#include <random>

using namespace vramscope;
using namespace Qt::StringLiterals;

using test::GgufWriter;

/// GGUF files: what a header says, what is wrong with one, and that no bytes do harm.
class TestGguf : public test::Test
{
    Q_OBJECT

private slots:
    void init() override;
    void sizesAreThoseOfGgufPy();
    void filesOfGgufPyAreReadAsItMeansThem_data();
    void filesOfGgufPyAreReadAsItMeansThem();
    void rowsOfForksHaveBytesOfTheirOwn();
    void aFileGivesItsKeysTensorsAndTable();
    void theOtherByteOrderSaysTheSame();
    void everyWidthOfANumberCounts();
    void anyPartOpensTheWholeSet();
    void missingPartsAreNamed();
    void aHeaderAloneHasAllSizes();
    void whatIsWrongBesideRightSizesIsFound_data();
    void whatIsWrongBesideRightSizesIsFound();
    void whatCannotBeReadSaysWhy_data();
    void whatCannotBeReadSaysWhy();
    void otherKindsSayWhatTheyAre();
    void aFolderWithOneModelIsThatModel();
    void everyPrefixIsAnErrorOrTheFile();
    void noFlippedByteDoesHarm();

private:
    [[nodiscard]] std::filesystem::path at(const char *name) const { return m_place / name; }
    std::filesystem::path put(const std::string &bytes) const
    {
        std::ofstream(at("x.gguf"), std::ios::binary | std::ios::trunc) << bytes;
        return at("x.gguf");
    }

    std::optional<QTemporaryDir> m_folder;
    std::filesystem::path m_place;
};

namespace {

constexpr std::int32_t kF32 = 0;
constexpr std::int32_t kQ4K = 12;
constexpr std::int32_t kQ6K = 14;

/// Two layers: 256 · 100 in Q6_K, then per layer 1,024 bytes of F32 and 256 · 512 in Q4_K.
GgufWriter twoLayers()
{
    return test::smallModel("llama", 2, 256, 4, 2)
        .tensor("token_embd.weight", kQ6K, {256, 100}, 21'000)
        .tensor("blk.0.attn_norm.weight", kF32, {256}, 1'024)
        .tensor("blk.0.ffn_up.weight", kQ4K, {256, 512}, 73'728)
        .tensor("blk.1.attn_norm.weight", kF32, {256}, 1'024)
        .tensor("blk.1.ffn_up.weight", kQ4K, {256, 512}, 73'728);
}

constexpr Bytes kTwoLayers = 21'000 + 2 * (1'024 + 73'728);

std::vector<QStringList> rowsOf(const char *file)
{
    std::ifstream in(test::projectFile(QString::fromLatin1(file)).toStdString());
    std::vector<QStringList> rows;
    std::string line;
    for (bool first = true; std::getline(in, line); first = false)
        if (!first && !line.empty())
            rows.push_back(QString::fromStdString(line).split(u','));
    return rows;
}

} // namespace

void TestGguf::init()
{
    Test::init();
    m_folder.emplace();
    m_place = m_folder->path().toStdString();
}

void TestGguf::sizesAreThoseOfGgufPy()
{
    const auto rows = rowsOf("tests/data/weight_files/types.csv");
    QVERIFY(rows.size() >= 34);
    for (const QStringList &row : rows) {
        const GgmlType *type = findGgmlType(row[0].toInt());
        QVERIFY2(type, qPrintable(row[1]));
        QCOMPARE(QString::fromUtf8(type->type.name), row[1]);
        QCOMPARE(type->type.block, row[2].toLongLong());
        // gguf-py counts block_q8_1 with two floats, which have been halves since 2023
        // (ggml/src/ggml-common.h).
        QCOMPARE(type->type.bits / 8, row[1] == u"Q8_1" ? 36 : row[3].toLongLong());
        QCOMPARE(type->type.rowBytes, std::int64_t(0));
    }
    for (const std::int32_t removed : {4, 5, 31, 32, 33, 36, 37, 38, 43, -1, 4096})
        QVERIFY(!findGgmlType(removed));
}

void TestGguf::filesOfGgufPyAreReadAsItMeansThem_data()
{
    QTest::addColumn<QString>("file");
    QTest::addColumn<QStringList>("truth");
    for (const QStringList &row : rowsOf("tests/data/weight_files/totals.csv"))
        QTest::newRow(qPrintable(row[0])) << row[0] << row;
}

void TestGguf::filesOfGgufPyAreReadAsItMeansThem()
{
    QFETCH(QString, file);
    QFETCH(QStringList, truth);
    const auto read =
        readWeights(test::projectFile(u"tests/data/weight_files/"_s + file).toStdString());
    QVERIFY2(read.ok(), read.ok() ? "" : read.error().text().c_str());
    QCOMPARE(std::ssize(read->tensors), truth[1].toLongLong());
    Exact elements;
    for (const StoredTensor &tensor : read->tensors)
        elements += elementsOf(tensor.shape);
    QCOMPARE(elements.value(), truth[2].toLongLong());
    QCOMPARE(read->table->bytes(), truth[3].toLongLong());
    QStringList types;
    for (const TypeBytes &each : bytesByType(*read->table))
        types << u"%1=%2"_s.arg(QString::fromUtf8(each.type.name)).arg(each.bytes);
    types.sort();
    QCOMPARE(types.join(u' '), truth[4]);
}

void TestGguf::rowsOfForksHaveBytesOfTheirOwn()
{
    // ik_llama.cpp: IQ4_KS holds a float a row, IQ2_BN_R4 too; IQ1_S_R4 has blocks of 32.
    const std::vector<std::int64_t> shape = {3, 512};
    QCOMPARE(bytesOf(findGgmlType(144)->type, shape)->value(), std::int64_t(3 * (2 * 136 + 4)));
    QCOMPARE(bytesOf(findGgmlType(335)->type, shape)->value(), std::int64_t(3 * (8 * 16 + 4)));
    QCOMPARE(bytesOf(findGgmlType(219)->type, shape)->value(), std::int64_t(3 * (16 * 6 + 2)));
    const std::vector<std::int64_t> odd = {3, 100};
    QVERIFY(!bytesOf(findGgmlType(144)->type, odd));
    GgufWriter writer = twoLayers();
    writer.tensor("blk.1.ffn_down.weight", 144, {512, 3}, 828).write(at("ik.gguf"));
    const auto read = readCheckpoint(at("ik.gguf"));
    QVERIFY(read.ok());
    QCOMPARE(read->table->bytes(), kTwoLayers + 828);
    QCOMPARE(read->findings.size(), std::size_t(1));
    QVERIFY(!read->findings[0].isBad() &&
            read->findings[0].sentence.find("ik_llama") != std::string::npos);
}

void TestGguf::aFileGivesItsKeysTensorsAndTable()
{
    GgufWriter writer = twoLayers();
    writer.real("llama.rope.freq_base", 10000.0F)
        .flag("general.flag", true)
        .numbers("llama.attention.list", {0, 2, 4, 6, 8, 10})
        .write(at("a.gguf"));
    const auto file = readGguf(at("a.gguf"));
    QVERIFY2(file.ok(), file.ok() ? "" : file.error().text().c_str());
    QCOMPARE(file->version, std::int64_t(3));
    QCOMPARE(file->text("general.architecture"), std::string("llama"));
    QCOMPARE(*file->number("llama.embedding_length"), std::int64_t(256));
    QCOMPARE(file->countOf("tokenizer.ggml.tokens"), std::int64_t(100));
    QCOMPARE(std::get<double>(file->keys.at("llama.rope.freq_base").first[0]), 10000.0);
    QCOMPARE(std::get<bool>(file->keys.at("general.flag").first[0]), true);
    QCOMPARE(file->keys.at("llama.attention.list").first.size(), std::size_t(6));
    QCOMPARE(std::get<std::int64_t>(file->keys.at("llama.attention.list").first[5]),
             std::int64_t(10));
    QVERIFY(file->findings.empty());
    QCOMPARE(file->tensors[0].shape, (std::vector<std::int64_t>{100, 256})); // the row last
    QCOMPARE(file->dataAt % 32, Bytes(0));
    const auto read = readCheckpoint(at("a.gguf"));
    QVERIFY(read.ok());
    QCOMPARE(read->table->bytes(), kTwoLayers);
    QCOMPARE(read->table->tensors(), std::int64_t(5));
    QCOMPARE(read->table->groups.size(), std::size_t(3)); // both layers make one
    QCOMPARE(*parseCheckpoint(checkpointJson(*read->table)), *read->table);
    const LayerBytes layers = bytesByLayer(read->tensors);
    QCOMPARE(layers.layers.at(1), Bytes(1'024 + 73'728));
    QCOMPARE(layers.others, Bytes(21'000));
}

void TestGguf::theOtherByteOrderSaysTheSame()
{
    GgufWriter big(true);
    big.text("general.architecture", "llama")
        .u32("llama.block_count", 1)
        .numbers("llama.list", {1, -2})
        .tensor("blk.0.ffn_up.weight", kQ4K, {256, 2}, 288)
        .write(at("big.gguf"));
    const auto file = readGguf(at("big.gguf"));
    QVERIFY2(file.ok(), file.ok() ? "" : file.error().text().c_str());
    QVERIFY(file->bigEndian);
    QCOMPARE(file->version, std::int64_t(3));
    QCOMPARE(*file->number("llama.block_count"), std::int64_t(1));
    QCOMPARE(std::get<std::int64_t>(file->keys.at("llama.list").first[1]), std::int64_t(-2));
    QCOMPARE(file->tensors[0].bytes, Bytes(288));
    QVERIFY(!file->findings.empty() && !file->findings[0].isBad());
}

void TestGguf::everyWidthOfANumberCounts()
{
    GgufWriter writer;
    for (const auto &[key, type, bytes] :
         std::initializer_list<std::tuple<const char *, int, std::size_t>>{{"u8", 0, 1},
                                                                           {"i8", 1, 1},
                                                                           {"u16", 2, 2},
                                                                           {"i16", 3, 2},
                                                                           {"u32", 4, 4},
                                                                           {"i32", 5, 4},
                                                                           {"u64", 10, 8},
                                                                           {"i64", 11, 8}})
        writer.raw(key, type, std::string("\x07", 1) + std::string(bytes - 1, '\0'));
    writer.u64("huge", UINT64_MAX).text("no number", "7").write(at("n.gguf"));
    const auto file = readGguf(at("n.gguf"));
    QVERIFY(file.ok());
    for (const char *key : {"u8", "i8", "u16", "i16", "u32", "i32", "u64", "i64"})
        QCOMPARE(file->number(key).value_or(-1), std::int64_t(7));
    QVERIFY(!file->number("huge") && !file->number("no number") && !file->number("absent"));
}

void TestGguf::anyPartOpensTheWholeSet()
{
    const char *names[] = {"m-00001-of-00003.gguf", "m-00002-of-00003.gguf",
                           "m-00003-of-00003.gguf"};
    for (std::uint16_t i = 0; i < 3; ++i) {
        GgufWriter part = i == 0 ? test::smallModel("llama", 3, 256, 4, 2) : GgufWriter();
        part.u16("split.no", i).u16("split.count", 3).i32("split.tensors.count", 3);
        part.tensor("blk." + std::to_string(i) + ".ffn_up.weight", kQ4K, {256, 4}, 576)
            .write(at(names[i]));
    }
    const auto first = readCheckpoint(at(names[0]));
    QVERIFY2(first.ok(), first.ok() ? "" : first.error().text().c_str());
    QCOMPARE(first->table->files, std::int64_t(3));
    QCOMPARE(first->table->bytes(), Bytes(3 * 576));
    QVERIFY(first->findings.empty() && first->missing.empty());
    for (const char *name : names) {
        const auto read = readCheckpoint(at(name));
        QVERIFY(read.ok() && *read->table == *first->table);
        QCOMPARE(read->gguf->text("general.architecture"), std::string("llama"));
    }
    const auto folder = readCheckpoint(m_place);
    QVERIFY(folder.ok() && *folder->table == *first->table);
}

void TestGguf::missingPartsAreNamed()
{
    GgufWriter()
        .u16("split.no", 1)
        .u16("split.count", 3)
        .i32("split.tensors.count", 9)
        .tensor("blk.1.ffn_up.weight", kQ4K, {256, 4}, 576)
        .write(at("m-00002-of-00003.gguf"));
    const auto read = readCheckpoint(at("m-00002-of-00003.gguf"));
    QVERIFY2(read.ok(), read.ok() ? "" : read.error().text().c_str());
    QCOMPARE(read->missing,
             (std::vector<std::string>{"m-00001-of-00003.gguf", "m-00003-of-00003.gguf"}));
    QCOMPARE(read->table->bytes(), Bytes(576));
}

void TestGguf::aHeaderAloneHasAllSizes()
{
    const auto read = readCheckpoint(put(twoLayers().header()));
    QVERIFY2(read.ok(), read.ok() ? "" : read.error().text().c_str());
    QCOMPARE(read->table->bytes(), kTwoLayers);
    QVERIFY(read->table->fileBytes > kTwoLayers); // what the file has when it is whole
    QCOMPARE(read->findings.size(), std::size_t(1));
    QVERIFY(!read->findings[0].isBad());
    QVERIFY(read->findings[0].sentence.find("data are not there") != std::string::npos);
}

void TestGguf::whatIsWrongBesideRightSizesIsFound_data()
{
    QTest::addColumn<QByteArray>("file");
    QTest::addColumn<QString>("words");
    const auto row = [](const char *name, const GgufWriter &writer, const char *words) {
        QTest::newRow(name) << QByteArray::fromStdString(writer.header() +
                                                         std::string(400'000, '\0'))
                            << QString::fromLatin1(words);
    };
    row("a key twice", twoLayers().u32("llama.block_count", 3), "is there twice");
    row("a key without a name", twoLayers().u32("", 3), "has no name");
    row("a key of other bytes", twoLayers().u32("\xff\xfe", 3), "no UTF-8");
    row("alignment 3", twoLayers().u32("general.alignment", 3), "power of two");
    row("alignment 0", twoLayers().u32("general.alignment", 0), "power of two");
    row("alignment in 64 bits", twoLayers().u64("general.alignment", 32), "32 bits");
    row("a tensor twice", twoLayers().tensor("token_embd.weight", kF32, {0}, 0), "is there twice");
    row("a long name", twoLayers().tensor(std::string(64, 'n'), kF32, {0}, 0), "longer than 63");
    row("a hole", twoLayers().tensor("x", kF32, {0}, 0, 1U << 18U), "leave a hole");
    row("an overlap", twoLayers().tensor("x", kF32, {0}, 0, 0), "overlap others");
    row("an odd offset", twoLayers().tensor("x", kF32, {0}, 0, 7), "multiple of 32");
    row("far behind the end", twoLayers().tensor("x", kF32, {0}, 0, UINT64_C(1) << 62U),
        "end early");
    row("a negative count of all parts", twoLayers().i32("split.tensors.count", -1),
        "-1 tensors of all parts");
    row("one part of many", twoLayers().u16("split.no", 0).u16("split.count", 65'535),
        "part 1 of 65,535");
}

void TestGguf::whatIsWrongBesideRightSizesIsFound()
{
    QFETCH(QByteArray, file);
    QFETCH(QString, words);
    const auto read = readCheckpoint(put(file.toStdString()));
    QVERIFY2(read.ok(), read.ok() ? "" : read.error().text().c_str());
    QCOMPARE(read->table->bytes(), kTwoLayers);
    QString all;
    for (const Finding &finding : read->findings)
        all += QString::fromStdString(finding.sentence) + u'\n';
    QVERIFY2(all.contains(words), qPrintable(all));
}

void TestGguf::whatCannotBeReadSaysWhy_data()
{
    QTest::addColumn<QByteArray>("file");
    QTest::addColumn<QString>("words");
    const auto bytes = [](const char *name, const std::string &file, const char *words) {
        QTest::newRow(name) << QByteArray::fromStdString(file) << QString::fromLatin1(words);
    };
    const auto row = [&](const char *name, const GgufWriter &writer, const char *words) {
        bytes(name, writer.header() + std::string(64, '\0'), words);
    };
    const auto changed = [](auto change) {
        GgufWriter writer = twoLayers();
        change(writer);
        return writer;
    };
    bytes("nothing", "", "The file is empty");
    bytes("three letters", "GGU", "no GGUF file");
    bytes("from before", "tjgg" + std::string(60, '\0'), "before GGUF");
    bytes("a web page", "<!DOCTYPE html><html>Access denied</html>", "web page");
    bytes("a pointer", "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 5\n",
          "Git LFS");
    row("version 0", changed([](auto &w) { w.version = 0; }), "version 0");
    row("version 1", changed([](auto &w) { w.version = 1; }), "version 1");
    row("version 99", changed([](auto &w) { w.version = 99; }), "version 99");
    row("too many tensors", changed([](auto &w) { w.tensorCount = INT64_C(1) << 62U; }),
        "cannot hold");
    row("-1 tensors", changed([](auto &w) { w.tensorCount = -1; }), "cannot hold");
    row("too many keys", changed([](auto &w) { w.keyCount = INT64_C(1) << 61U; }), "cannot hold");
    row("-1 keys", changed([](auto &w) { w.keyCount = -1; }), "cannot hold");
    const GgufWriter n;
    const auto key = [&](const char *name, std::int32_t type, const std::string &value,
                         const char *words) {
        bytes(name, GgufWriter().raw("a.b", type, value).header() + std::string(64, '\0'), words);
    };
    key("a text without end", 8, n.number(UINT64_MAX), "more than 2^63 bytes");
    key("a long text", 8, n.number(UINT64_C(1) << 60U), "more than are left");
    key("an array without end", 9, n.number(std::int32_t(10)) + n.number(UINT64_MAX),
        "longer than the rest");
    key("a long array", 9, n.number(std::int32_t(10)) + n.number(UINT64_C(1) << 61U),
        "longer than the rest");
    key("many texts", 9, n.number(std::int32_t(8)) + n.number(UINT64_C(1) << 30U),
        "longer than the rest");
    std::string nested;
    for (int i = 0; i < 20'000; ++i)
        nested += n.number(std::int32_t(9)) + n.number(UINT64_C(1));
    key("arrays in arrays", 9, nested, "array of arrays");
    key("type 13", 13, n.number(UINT64_C(1)), "type 13");
    key("type -1", -1, n.number(UINT64_C(1)), "type -1");
    key("an array of type 99", 9, n.number(std::int32_t(99)) + n.number(UINT64_C(1)), "type 99");
    const auto tensor = [&](const char *name, std::int32_t type,
                            const std::vector<std::int64_t> &ne, const char *words) {
        row(name, twoLayers().tensor("x", type, ne, 0), words);
    };
    tensor("five dimensions", kF32, {2, 2, 2, 2, 2}, "5 dimensions");
    tensor("a dimension of -1", kF32, {-1, 4}, "below 0");
    tensor("a product of 2^80", kF32, {INT64_C(1) << 40U, INT64_C(1) << 40U}, "larger than can");
    tensor("bytes of 2^64", 28, {INT64_C(1) << 61U}, "larger than can");
    tensor("a row of half a block", kQ4K, {100, 4}, "blocks of 256");
    tensor("type 43", 43, {32}, "type 43");
    tensor("type 4", 4, {32}, "type 4, which is not a type of llama.cpp or ik_llama.cpp any more");
    tensor("type -1 of a tensor", -1, {32}, "type -1");
}

void TestGguf::whatCannotBeReadSaysWhy()
{
    QFETCH(QByteArray, file);
    QFETCH(QString, words);
    const std::filesystem::path path = put(file.toStdString());
    const Bytes before = test::peakMemory();
    const auto read = readCheckpoint(path);
    QVERIFY(!read.ok());
    const QString error = QString::fromStdString(read.error().text());
    QVERIFY2(error.contains(words), qPrintable(error));
    QVERIFY2(test::peakMemory() - before < 64 * kMiB,
             "it took memory that the file does not justify");
}

void TestGguf::otherKindsSayWhatTheyAre()
{
    test::smallModel("llama", 2, 256, 4, 2).write(at("vocabulary.gguf"));
    const auto vocabulary = readCheckpoint(at("vocabulary.gguf"));
    QVERIFY(vocabulary.ok() && !vocabulary->table);
    QVERIFY(vocabulary->kind.find("vocabulary only") != std::string::npos);
    GgufWriter()
        .text("general.architecture", "clip")
        .flag("clip.has_vision_encoder", true)
        .tensor("v.blk.0.attn_q.weight", 1, {4, 4}, 32)
        .write(at("mmproj-x.gguf"));
    const auto projector = readCheckpoint(at("mmproj-x.gguf"));
    QVERIFY(projector.ok());
    QVERIFY(projector->kind.find("projector") != std::string::npos);
    QCOMPARE(projector->table->bytes(), Bytes(32));
    GgufWriter().tensor("x", kF32, {8}, 32).write(at("unnamed.gguf"));
    const auto unnamed = readCheckpoint(at("unnamed.gguf"));
    QVERIFY(unnamed.ok() && unnamed->findings.size() == 1 && unnamed->findings[0].isBad());
}

void TestGguf::aFolderWithOneModelIsThatModel()
{
    twoLayers().write(at("model.gguf"));
    GgufWriter().text("general.architecture", "clip").write(at("mmproj-model.gguf"));
    const auto one = readCheckpoint(m_place);
    QVERIFY(one.ok() && one->table->bytes() == kTwoLayers);
    twoLayers().write(at("other.gguf"));
    const auto two = readCheckpoint(m_place);
    QVERIFY(!two.ok());
    QVERIFY(two.error().text().find("2 GGUF models") != std::string::npos);
    // What a file is, its bytes say.
    twoLayers().write(at("no-end"));
    const auto unnamed = readWeights(at("no-end"));
    QVERIFY(unnamed.ok() && unnamed->table->bytes() == kTwoLayers);
}

void TestGguf::everyPrefixIsAnErrorOrTheFile()
{
    const std::string whole = twoLayers().header();
    for (std::size_t length = 0; length <= whole.size(); ++length) {
        const auto read = readCheckpoint(put(whole.substr(0, length)));
        QCOMPARE(read.ok(), length == whole.size());
        if (!read.ok())
            QVERIFY(!read.error().text().empty());
    }
}

void TestGguf::noFlippedByteDoesHarm()
{
    const std::string whole = twoLayers().header() + std::string(64, '\0');
    std::mt19937 random(20'260'421);
    const Bytes before = test::peakMemory();
    int readable = 0;
    for (int round = 0; round < 10'000; ++round) {
        std::string bytes = whole;
        const unsigned flips = 1 + random() % 4;
        for (unsigned i = 0; i < flips; ++i) {
            char &byte = bytes[random() % bytes.size()];
            byte = random() % 4 == 0
                       ? static_cast<char>(0xFF)
                       : static_cast<char>(byte ^ static_cast<char>(1U << random() % 8));
        }
        const auto read = readCheckpoint(put(bytes));
        if (!read.ok())
            QVERIFY(!read.error().text().empty());
        else
            ++readable;
        if (read.ok() && read->table)
            QVERIFY(parseCheckpoint(checkpointJson(*read->table)).ok());
    }
    QVERIFY(readable > 1'000 && readable < 9'900);
    // The sanitizers keep what was freed for a while: 256 MiB of it.
    QVERIFY2(test::peakMemory() - before < 512 * kMiB, "it took memory that no file justifies");
}

VRAMSCOPE_TEST(TestGguf)
#include "tst_gguf.moc"
