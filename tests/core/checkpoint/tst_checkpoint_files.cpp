// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/checkpoint_files.h"
#include "tests/support/process.h"
#include "tests/support/stored_checkpoint.h"
#include "tests/support/test.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>

#include <fstream>

using namespace vramscope;
using namespace Qt::StringLiterals;

/// Folders, indices and files: what is read of them, and what each one that is broken says.
class TestCheckpointFiles : public test::Test
{
    Q_OBJECT

private slots:
    void init() override;
    void sumsAreThoseOfSafetensors_data();
    void sumsAreThoseOfSafetensors();
    void anIndexReadsTheFilesBesideIt();
    void anIndexAloneHasNoTable();
    void oneFileIsReadAlone();
    void aMissingShardIsNamed();
    void aCutShardIsNamedAndKeepsItsSizes();
    void aTotalThatTheHeadersContradictIsSaid();
    void aTensorThatNoShardHasIsNamed();
    void aTensorOfTwoShardsIsNamed();
    void aFolderWithoutFilesSaysSo();

private:
    [[nodiscard]] std::filesystem::path sharded() const
    {
        test::writeCheckpoint("llama-sharded", m_place);
        return m_place;
    }
    [[nodiscard]] std::string errorOf(const std::filesystem::path &path) const
    {
        const auto read = readCheckpoint(path);
        return read ? std::string("it was read") : read.error().text();
    }

    std::optional<QTemporaryDir> m_folder;
    std::filesystem::path m_place;
};

namespace {

constexpr const char *kIndex = "model.safetensors.index.json";
constexpr const char *kSecond = "model-00002-of-00006.safetensors";

bool contains(const std::string &text, std::string_view words)
{
    return text.find(words) != std::string::npos;
}

} // namespace

void TestCheckpointFiles::init()
{
    Test::init();
    m_folder.emplace();
    m_place = m_folder->path().toStdString();
}

void TestCheckpointFiles::sumsAreThoseOfSafetensors_data()
{
    QTest::addColumn<QString>("name");
    for (const char *name :
         {"llama-sharded", "llama-tied", "llama-tied-twice", "llama-rotary", "llama-fp32",
          "gpt2-masks", "qwen3-moe", "deepseek-fp8", "llama-gptq", "llama-awq", "llama-nf4"})
        QTest::newRow(name) << QString::fromLatin1(name);
}

void TestCheckpointFiles::sumsAreThoseOfSafetensors()
{
    QFETCH(QString, name);
    test::writeCheckpoint(name.toStdString(), m_place);
    const auto read = readCheckpoint(m_place);
    QVERIFY2(read.ok(), read.ok() ? "" : read.error().text().c_str());
    const QJsonObject truth =
        QJsonDocument::fromJson(
            QByteArray::fromStdString(test::checkpointText(name.toStdString(), "truth.json")))
            .object();
    QCOMPARE(read->table->bytes(), truth[u"bytes"_s].toInteger());
    QCOMPARE(read->table->tensors(), truth[u"tensors"_s].toInteger());
    const QJsonObject types = truth[u"types"_s].toObject();
    QCOMPARE(std::ssize(bytesByType(*read->table)), types.size());
    for (const TypeBytes &each : bytesByType(*read->table))
        QCOMPARE(each.bytes,
                 types[QString::fromStdString(std::string(each.type.name))].toInteger());
    QVERIFY(read->config && read->config->filename() == "config.json");
}

void TestCheckpointFiles::anIndexReadsTheFilesBesideIt()
{
    const auto byFolder = readCheckpoint(sharded());
    const auto byIndex = readCheckpoint(m_place / kIndex);
    QVERIFY(byFolder.ok() && byIndex.ok());
    QVERIFY(*byFolder->table == *byIndex->table);
    QCOMPARE(byIndex->table->files, std::int64_t(6));
    QVERIFY(byIndex->config);
    if (!test::kPosix)
        QSKIP("No links: the C++ library makes none on Windows.");
    // As the Hub's cache keeps them.
    const std::filesystem::path links = m_place / "links";
    std::filesystem::create_directory(links);
    for (const auto &entry : std::filesystem::directory_iterator(m_place))
        if (entry.is_regular_file())
            std::filesystem::create_symlink(entry.path(), links / entry.path().filename());
    const auto byLinks = readCheckpoint(links / "");
    QVERIFY2(byLinks.ok(), byLinks.ok() ? "" : byLinks.error().text().c_str());
    QVERIFY(*byLinks->table == *byFolder->table);
}

void TestCheckpointFiles::anIndexAloneHasNoTable()
{
    const std::filesystem::path index = sharded() / kIndex;
    const std::filesystem::path alone = m_place / "alone";
    std::filesystem::create_directory(alone);
    std::filesystem::copy_file(index, alone / kIndex);
    const auto read = readCheckpoint(alone / kIndex);
    QVERIFY2(read.ok(), read.ok() ? "" : read.error().text().c_str());
    QVERIFY(!read->table);
    QCOMPARE(read->index->tensors, std::size_t(21));
    QCOMPARE(read->index->totalBytes, Bytes(3'254'784));
}

void TestCheckpointFiles::oneFileIsReadAlone()
{
    const auto read = readCheckpoint(sharded() / kSecond);
    QVERIFY(read.ok() && read->table);
    QCOMPARE(read->table->files, std::int64_t(1));
    QVERIFY(!read->config);
}

void TestCheckpointFiles::aMissingShardIsNamed()
{
    std::filesystem::remove(sharded() / kSecond);
    const std::string error = errorOf(m_place);
    QVERIFY2(contains(error, std::string(kSecond) + " is missing, which the index names for "),
             error.c_str());
}

void TestCheckpointFiles::aCutShardIsNamedAndKeepsItsSizes()
{
    const std::filesystem::path shard = sharded() / kSecond;
    const auto whole = readCheckpoint(m_place);
    std::filesystem::resize_file(shard, std::filesystem::file_size(shard) - 1);
    const auto cut = readCheckpoint(m_place);
    QVERIFY(whole.ok() && whole->findings.empty());
    QVERIFY2(cut.ok(), cut.ok() ? "" : cut.error().text().c_str());
    QVERIFY(*cut->table == *whole->table);
    QCOMPARE(cut->findings.size(), std::size_t(1));
    QVERIFY(cut->findings[0].isBad());
    QVERIFY2(contains(cut->findings[0].sentence, std::string(kSecond) + ": The data end early"),
             cut->findings[0].sentence.c_str());
}

void TestCheckpointFiles::aTotalThatTheHeadersContradictIsSaid()
{
    const std::filesystem::path index = sharded() / kIndex;
    std::ifstream in(index);
    std::string text((std::istreambuf_iterator<char>(in)), {});
    const std::string stated = "3254784";
    QVERIFY(text.find(stated) != std::string::npos);
    const auto said = [&](std::string_view total, std::string_view words) {
        std::string other = text;
        other.replace(other.find(stated), stated.size(), total);
        std::ofstream(index, std::ios::trunc) << other;
        const auto read = readCheckpoint(m_place);
        return read.ok() && read->findings.size() == 1 && !read->findings[0].isBad() &&
               contains(read->findings[0].sentence, words);
    };
    QVERIFY(said("1", "states 1 byte ("));
    QVERIFY(said("\"many\"", "something else than a whole number"));
    QVERIFY(said("1.5e3", "something else than a whole number"));
}

void TestCheckpointFiles::aTensorThatNoShardHasIsNamed()
{
    test::writeSafetensors(sharded() / kSecond,
                           R"({"a":{"dtype":"U8","shape":[4],"data_offsets":[0,4]}})", 4);
    const std::string error = errorOf(m_place);
    QVERIFY2(contains(error, std::string(kSecond) + " does not hold \"model.layers."),
             error.c_str());
}

void TestCheckpointFiles::aTensorOfTwoShardsIsNamed()
{
    std::filesystem::remove(sharded() / kIndex);
    std::filesystem::copy_file(m_place / kSecond, m_place / "other.safetensors");
    const std::string error = errorOf(m_place);
    QVERIFY2(contains(error, "other.safetensors: it holds \"model.layers."), error.c_str());
    QVERIFY2(contains(error, "which another file holds too"), error.c_str());
}

void TestCheckpointFiles::aFolderWithoutFilesSaysSo()
{
    std::ofstream(m_place / "readme.txt") << "x";
    QVERIFY(contains(errorOf(m_place), "holds no .safetensors or .gguf file"));
    QVERIFY(contains(errorOf(m_place / "none.safetensors"), "no such file"));
}

VRAMSCOPE_TEST(TestCheckpointFiles)
#include "tst_checkpoint_files.moc"
