// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/safetensors.h"
#include "tests/support/process.h"
#include "tests/support/stored_checkpoint.h"
#include "tests/support/test.h"

#include <QTemporaryDir>

#include <fstream>
#include <random>

using namespace vramscope;
using namespace Qt::StringLiterals;

class TestSafetensors : public test::Test
{
    Q_OBJECT

private slots:
    void everyTypeOfTheFormatIsKnown();
    void subByteTypesFillWholeBytes();
    void aHeaderGivesItsTensors();
    void whatAHeaderMustNotSayIsRefused_data();
    void whatAHeaderMustNotSayIsRefused();
    void everyPrefixOfAFileIsAnErrorOrItsTensors();
    void aLengthThatLooksLikeAnotherFileIsOne();
    void noFlippedByteDoesHarm();
    void aFileThatIsNoneSaysWhatItIs_data();
    void aFileThatIsNoneSaysWhatItIs();
    void onlyTheHeaderOfAHugeFileIsRead();
    void anIndexGivesTheFilesOfItsTensors();
    void anIndexThatLeavesItsFolderIsRefused();
};

void TestSafetensors::everyTypeOfTheFormatIsKnown()
{
    // enum Dtype of huggingface/safetensors 0.8.
    for (const char *name :
         {"BOOL",        "F4",          "F6_E2M3", "F6_E3M2", "U8",  "I8",  "F8_E5M2", "F8_E4M3",
          "F8_E5M2FNUZ", "F8_E4M3FNUZ", "F8_E8M0", "I16",     "U16", "F16", "BF16",    "I32",
          "U32",         "F32",         "C64",     "F64",     "I64", "U64"})
        QVERIFY2(findTensorType(name), name);
    QCOMPARE(tensorTypes().size(), std::size_t(22));
    QCOMPARE(findTensorType("BF16")->bits, std::int64_t(16));
    QVERIFY(!findTensorType("bf16"));
}

void TestSafetensors::subByteTypesFillWholeBytes()
{
    const std::vector<std::int64_t> shape = {3, 4};
    QCOMPARE(bytesOf(*findTensorType("F4"), shape)->value(), std::int64_t(6));
    QCOMPARE(bytesOf(*findTensorType("F6_E2M3"), shape)->value(), std::int64_t(9));
    const std::vector<std::int64_t> odd = {3};
    QVERIFY(!bytesOf(*findTensorType("F4"), odd));
}

void TestSafetensors::aHeaderGivesItsTensors()
{
    const auto tensors = parseSafetensorsHeader(
        R"({"__metadata__": {"format": "pt", "dtype": "of none"},
            "b": {"dtype": "F32", "shape": [2, 3], "data_offsets": [2, 26]},
            "scalar": {"dtype": "F16", "shape": [], "data_offsets": [0, 2]},
            "none": {"note": {"is": ["passed", 0]}, "of": -1.5, "dtype": "I64", "shape": [0, 7], "data_offsets": [26, 26]}})",
        26);
    QVERIFY2(tensors.ok(), tensors.ok() ? "" : tensors.error().detail.c_str());
    QCOMPARE(tensors->size(), std::size_t(3));
    QCOMPARE((*tensors)[0].name, std::string("scalar"));
    QCOMPARE((*tensors)[1].bytes, Bytes(24));
    QCOMPARE((*tensors)[1].shape, (std::vector<std::int64_t>{2, 3}));
    QCOMPARE((*tensors)[2].bytes, Bytes(0));
}

void TestSafetensors::whatAHeaderMustNotSayIsRefused_data()
{
    QTest::addColumn<QString>("header");
    QTest::addColumn<QString>("words");
    const auto tensor = [](const char *fields) {
        return QString(u"{\"a\": {%1}}"_s).arg(QLatin1StringView(fields));
    };
    QTest::newRow("no JSON") << u"{"_s << u"not JSON"_s;
    QTest::newRow("a list") << u"[]"_s << u"no list of tensors"_s;
    QTest::newRow("a number") << u"{\"a\": 1}"_s << u"something else"_s;
    QTest::newRow("an unknown type")
        << tensor(R"("dtype": "F3", "shape": [1], "data_offsets": [0, 4])") << u"of type \"F3\""_s;
    QTest::newRow("no shape") << tensor(R"("dtype": "F32", "data_offsets": [0, 4])")
                              << u"no shape"_s;
    QTest::newRow("three offsets")
        << tensor(R"("dtype": "F32", "shape": [1], "data_offsets": [0, 2, 4])") << u"no shape"_s;
    QTest::newRow("too short") << tensor(R"("dtype": "F32", "shape": [2], "data_offsets": [0, 4])")
                               << u"contradict"_s;
    QTest::newRow("backwards") << tensor(R"("dtype": "F32", "shape": [1], "data_offsets": [4, 0])")
                               << u"contradict"_s;
    QTest::newRow("beyond 64 bits")
        << tensor(
               R"("dtype": "F32", "shape": [9000000000, 9000000000, 9000000000], "data_offsets": [0, 4])")
        << u"contradict"_s;
    QTest::newRow("negative") << tensor(R"("dtype": "F32", "shape": [-1], "data_offsets": [0, 4])")
                              << u"something else"_s;
    QTest::newRow("a gap") << tensor(R"("dtype": "F16", "shape": [1], "data_offsets": [2, 4])")
                           << u"begins at byte 2"_s;
    QTest::newRow("beyond the file")
        << tensor(R"("dtype": "F32", "shape": [2], "data_offsets": [0, 8])")
        << u"ends within \"a\""_s;
    QTest::newRow("less than the file")
        << tensor(R"("dtype": "F16", "shape": [1], "data_offsets": [0, 2])")
        << u"4 follow the header"_s;
    QTest::newRow("overlap") << uR"({"a": {"dtype": "F16", "shape": [1], "data_offsets": [0, 2]},
        "b": {"dtype": "F16", "shape": [1], "data_offsets": [1, 3]}})"_s
                             << u"begins at byte 1"_s;
    QTest::newRow("twice") << uR"({"a": {"dtype": "F16", "shape": [1], "data_offsets": [0, 2]},
        "a": {"dtype": "F16", "shape": [1], "data_offsets": [2, 4]}})"_s
                           << u"names \"a\" twice"_s;
}

void TestSafetensors::whatAHeaderMustNotSayIsRefused()
{
    QFETCH(QString, header);
    QFETCH(QString, words);
    const auto tensors = parseSafetensorsHeader(header.toStdString(), 4);
    QVERIFY(!tensors.ok());
    const QString text = QString::fromStdString(tensors.error().text());
    QVERIFY2(text.contains(words), qPrintable(text));
}

void TestSafetensors::everyPrefixOfAFileIsAnErrorOrItsTensors()
{
    const QTemporaryDir folder;
    const std::filesystem::path file = folder.filePath(u"model.safetensors"_s).toStdString();
    const std::string header = R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})";
    test::writeSafetensors(file, header, 8);
    const auto whole = std::filesystem::file_size(file);
    for (auto size = whole; size-- > 0;) {
        std::filesystem::resize_file(file, size);
        const auto cut = readSafetensors(file);
        const bool hasHeader = size >= whole - 8; // whose data are cut: all sizes are known
        QCOMPARE(cut.ok(), hasHeader);
        QVERIFY(hasHeader ? cut->findings.size() == 1 && cut->bytes == static_cast<Bytes>(whole)
                          : cut.error().detail.ends_with('.'));
    }
    test::writeSafetensors(file, header, 8);
    QCOMPARE(readSafetensors(file)->bytes, static_cast<Bytes>(whole));
    QCOMPARE(readSafetensors(file)->tensors.front().bytes, Bytes(8));
}

void TestSafetensors::aLengthThatLooksLikeAnotherFileIsOne()
{
    const QTemporaryDir folder;
    const std::filesystem::path file = folder.filePath(u"x.safetensors"_s).toStdString();
    const std::string header = R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})";
    // "\x80\x02", "\x80\x04": pickles; "<h": a page; "\x1F\x8B": gzip.
    for (const std::size_t length : {640U, 1152U, 0x683CU, 0x8B1FU}) {
        test::writeSafetensors(file, header + std::string(length - header.size(), ' '), 8);
        const auto read = readSafetensors(file);
        QVERIFY2(read.ok(), read.ok() ? "" : read.error().text().c_str());
        QCOMPARE(read->tensors.size(), std::size_t(1));
    }
}

void TestSafetensors::noFlippedByteDoesHarm()
{
    QTemporaryDir folder;
    const std::filesystem::path file = folder.filePath(u"x.safetensors"_s).toStdString();
    test::writeSafetensors(
        file,
        R"({"__metadata__":{"format":"pt"},"a":{"dtype":"F32","shape":[2,3],"data_offsets":[0,24]},)"
        R"("b":{"dtype":"U8","shape":[8],"data_offsets":[24,32],"note":{"any":[1,"x"]}}})",
        32);
    std::ifstream in(file, std::ios::binary);
    const std::string whole((std::istreambuf_iterator<char>(in)), {});
    QVERIFY(readSafetensors(file).ok());
    std::mt19937 random(20'260'421);
    int readable = 0;
    for (int round = 0; round < 10'000; ++round) {
        std::string bytes = whole;
        const unsigned flips = 1 + random() % 3;
        for (unsigned i = 0; i < flips; ++i) {
            char &byte = bytes[random() % bytes.size()];
            byte = static_cast<char>(byte ^ static_cast<char>(1U << random() % 8));
        }
        std::ofstream(file, std::ios::binary | std::ios::trunc) << bytes;
        const auto read = readSafetensors(file);
        if (!read.ok())
            QVERIFY(!read.error().text().empty());
        else
            ++readable;
    }
    QVERIFY(readable > 500 && readable < 9'900);
}

void TestSafetensors::aFileThatIsNoneSaysWhatItIs_data()
{
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<QString>("words");
    QTest::newRow("empty") << QByteArray() << u"empty"_s;
    QTest::newRow("git lfs")
        << QByteArray(
               "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 4976698672\n")
        << u"Git LFS"_s;
    QTest::newRow("gguf") << QByteArray("GGUF\3\0\0\0\0\0\0\0\0\0\0\0", 16) << u"model's weights"_s;
    QTest::newRow("noise") << QByteArray(100, 'x') << u"no safetensors file"_s;
    QTest::newRow("a header beyond the format's")
        << QByteArray("\xff\xff\xff\x7f\0\0\0\0{\"a\"", 12) << u"at most 100 MB"_s;
    QTest::newRow("a header beyond the file")
        << QByteArray("\xff\xff\0\0\0\0\0\0{\"a\"", 12) << u"ends within its header"_s;
}

void TestSafetensors::aFileThatIsNoneSaysWhatItIs()
{
    QFETCH(QByteArray, content);
    QFETCH(QString, words);
    const QTemporaryDir folder;
    const std::string file = folder.filePath(u"model.safetensors"_s).toStdString();
    std::ofstream(file, std::ios::binary).write(content.data(), content.size());
    const auto read = readSafetensors(file);
    QVERIFY(!read.ok());
    const QString text = QString::fromStdString(read.error().detail);
    QVERIFY2(text.contains(words), qPrintable(text));
}

void TestSafetensors::onlyTheHeaderOfAHugeFileIsRead()
{
    if (!test::kPosix)
        QSKIP("Files have no holes unless one asks for them on Windows.");
    const QTemporaryDir folder;
    const std::string file = folder.filePath(u"model.safetensors"_s).toStdString();
    constexpr Bytes kBytes = Bytes(1) << 40; // of a sparse file
    test::writeSafetensors(
        file, R"({"a":{"dtype":"U8","shape":[1099511627776],"data_offsets":[0,1099511627776]}})",
        kBytes);
    const auto read = readSafetensors(file);
    QVERIFY2(read.ok(), read.ok() ? "" : read.error().detail.c_str());
    QCOMPARE(read->tensors.front().bytes, kBytes);
}

void TestSafetensors::anIndexGivesTheFilesOfItsTensors()
{
    const auto index = parseSafetensorsIndex(
        R"({"other": 1, "more": {"of": ["it"]}, "metadata": {"total_size": 12, "x": "y"},
            "weight_map": {"a": "1.safetensors", "b": "2.safetensors", "c": "1.safetensors"}})");
    QVERIFY2(index.ok(), index.ok() ? "" : index.error().detail.c_str());
    QCOMPARE(index->tensors, std::size_t(3));
    QCOMPARE(index->totalBytes, Bytes(12));
    QCOMPARE(index->files.at("1.safetensors").size(), std::size_t(2));
    for (const char *none : {"{}", R"({"weight_map": {}})", R"({"weight_map": {"a": 1}})",
                             R"({"weight_map": {"a": {"b": "c"}}})", "[1]", "{",
                             R"({"weight_map": {"a": "1", "a": "1"}})"})
        QVERIFY2(!parseSafetensorsIndex(none).ok(), none);
}

void TestSafetensors::anIndexThatLeavesItsFolderIsRefused()
{
    for (const char *name : {"../secret", "/etc/passwd", "..", "a/b.safetensors", ""}) {
        const auto index =
            parseSafetensorsIndex(std::string(R"({"weight_map": {"a": ")") + name + R"("}})");
        QVERIFY2(!index.ok() && index.error().detail.find("same folder") != std::string::npos,
                 name);
    }
}

VRAMSCOPE_TEST(TestSafetensors)
#include "tst_safetensors.moc"
