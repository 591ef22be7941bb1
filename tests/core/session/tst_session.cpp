// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/own_document.h"
#include "core/session/session_json.h"
#include "tests/support/test.h"

#include <QTemporaryDir>

#include <random>

using namespace vramscope;

namespace {

Bookmark fullBookmark()
{
    Bookmark bookmark;
    bookmark.name = "Peak · 71.3 GiB";
    bookmark.note = "Two lines:\n\"quoted\" and \\ and \u00e9.";
    bookmark.device = 3;
    bookmark.view = "reserved";
    bookmark.color = "category";
    bookmark.axis = "time";
    bookmark.from = 12;
    bookmark.to = 4'000'000'000'000;
    bookmark.bytesFrom = 1;
    bookmark.bytesTo = Bytes(80) << 30;
    bookmark.cursor = 12'345;
    bookmark.selected = 77;
    bookmark.filter = "size>10MiB alive";
    bookmark.selectedKind = "work";
    bookmark.markedByName = true;
    bookmark.part = "communication";
    bookmark.stretchFrom = 5;
    bookmark.stretchTo = 7;
    bookmark.other = {{"author", "\"B\""}, {"starred", "true"}};
    return bookmark;
}

Session sampleSession()
{
    Session session;
    session.recording = "rank0.pickle";
    session.recordingBytes = 123'456;
    session.bookmarks = {fullBookmark(), Bookmark{}};
    session.order = {{"bookmark:Peak", true, "Say this."}, {"answer", false, ""}};
    session.other = {{"tool", "\"7.1\""}};
    return session;
}

Bookmark named(const char *name)
{
    Bookmark bookmark;
    bookmark.name = name;
    return bookmark;
}

std::vector<std::string> namesOf(const std::vector<Bookmark> &bookmarks)
{
    std::vector<std::string> names;
    for (const Bookmark &bookmark : bookmarks)
        names.push_back(bookmark.name);
    return names;
}

} // namespace

class TestSession : public test::Test
{
    Q_OBJECT

private slots:
    void everythingSurvivesWritingAndReading();
    void theLargestSessionCanBeReadAgain();
    void whatANewerVersionAddsIsKeptWhereItIsSimple();
    void anUnusableDocumentSaysWhy_data();
    void anUnusableDocumentSaysWhy();
    void everyPrefixIsAnError();
    void damagedDocumentsAreErrorsOrRoundTrip();
    void aSessionIsKnownByItsBeginning();
    void itLiesBesideItsRecording();
    void changesOfTwoPeopleAreBroughtTogether();
};

void TestSession::everythingSurvivesWritingAndReading()
{
    const Session session = sampleSession();
    const std::string json = sessionJson(session);
    const auto read = parseSession(json);
    QVERIFY2(read.ok(), read.ok() ? "" : read.error().detail.c_str());
    QVERIFY2(*read == session, json.c_str());
    QCOMPARE(sessionJson(*read), json);
}

void TestSession::theLargestSessionCanBeReadAgain()
{
    Bookmark largest = fullBookmark();
    largest.name = std::string(kLongestName, '\x01'); // six bytes each in JSON
    largest.note = std::string(kLongestNote, '\x01');
    largest.filter = std::string(kLongestFilter, '\x01');
    Session session = sampleSession();
    session.bookmarks.assign(kMostBookmarks, largest);
    session.order.assign(kMostShown, {std::string(kLongestItem, '\x01'), false, largest.note});
    const std::string json = sessionJson(session);
    QVERIFY(json.size() < kLongestSession);
    const auto read = parseSession(json);
    QVERIFY(read.ok() && *read == session);
}

void TestSession::whatANewerVersionAddsIsKeptWhereItIsSimple()
{
    const auto read = parseSession(R"({"vramscope": "session", "version": 1, "window": {"w": 5},
        "theme": "dark", "recording": {"file": "a", "bytes": 5, "hash": "x"},
        "bookmarks": [{"name": "A", "stars": 5, "tags": ["x"], "seen": null}]})");
    QVERIFY(read.ok());
    QCOMPARE(read->other, (std::vector<OtherField>{{"theme", "\"dark\""}}));
    QCOMPARE(read->bookmarks.at(0).other,
             (std::vector<OtherField>{{"stars", "5"}, {"seen", "null"}}));
    Bookmark whole = named("A"); // what is not said is the whole of the first device
    whole.other = read->bookmarks[0].other;
    QCOMPARE(read->bookmarks[0], whole);
    QVERIFY(sessionJson(*read).find("\"stars\": 5") != std::string::npos);
}

void TestSession::anUnusableDocumentSaysWhy_data()
{
    QTest::addColumn<QByteArray>("document");
    QTest::addColumn<QString>("reason");
    const auto row = [](const char *name, const QByteArray &document, const char *reason) {
        QTest::newRow(name) << document << QString::fromUtf8(reason);
    };
    const auto session = [](const QByteArray &bookmarks) {
        return R"({"vramscope": "session", "version": 1, "recording": {"file": "a", "bytes": 1},
                "bookmarks": )" +
               bookmarks + '}';
    };
    row("empty", "",
        "The JSON ends before it is complete: complete it or copy it again. "
        "(at byte 0)");
    row("not JSON", "hello", "This is not JSON from line 1 on; correct it there. (at byte 0)");
    const char *none = "This JSON holds no bookmarks: a session begins with \"vramscope\": "
                       "\"session\".";
    row("a plan", R"({"vramscope": 1, "model": {}})", none);
    row("a list", "[1]", none);
    row("newer", R"({"vramscope": "session", "version": 2})",
        "This session is of version 2, which a newer VRAMscope wrote; this one reads version 1.");
    row("no version", R"({"vramscope": "session"})",
        "version must be 1, the version of the session.");
    row("no recording", R"({"vramscope": "session", "version": 1})",
        "recording must be an object with the recording's file and bytes.");
    row("odd size", R"({"vramscope": "session", "version": 1, "recording": {"bytes": 1.5}})",
        "recording: bytes must be a whole number.");
    row("bookmarks as text", session("\"x\""), "bookmarks must be a list.");
    row("a bookmark as text", session("[{}, \"x\"]"), "Bookmark 2: it must be an object.");
    row("a name as number", session(R"([{"name": 5}])"), "Bookmark 1: name must be a text.");
    row("a long name", session(R"([{"name": ")" + QByteArray(201, 'x') + R"("}])"),
        "Bookmark 1: name is longer than 200 bytes.");
    row("an odd cursor", session(R"([{}, {"cursor": "5"}])"),
        "Bookmark 2: cursor must be a whole number.");
    row("a number beyond 64 bits", session(R"([{"cursor": 18446744073709551615}])"),
        "Bookmark 1: cursor must be a whole number.");
    row("half a range", session(R"([{"range": [1]}])"),
        "Bookmark 1: range must be two whole numbers.");
    row("too many", session('[' + QByteArray("{},").repeated(500) + "{}]"),
        "There are more than 500 bookmarks.");
    row("order as a number", session("[], \"order\": 3"), "order must be a list.");
    row("half shown", session(R"([], "order": [{"item": "a", "shown": 1}])"),
        "Place 1 of the order: shown must be true or false.");
    row("a key twice", session(R"([{"name": "a", "name": "b"}])"),
        "The key \"name\" stands twice in one object; remove one.");
}

void TestSession::anUnusableDocumentSaysWhy()
{
    QFETCH(QByteArray, document);
    const auto session = parseSession(document.toStdString());
    QVERIFY(!session.ok());
    QTEST(QString::fromStdString(session.error().text()), "reason");
}

void TestSession::everyPrefixIsAnError()
{
    std::string json = sessionJson(sampleSession());
    json.pop_back(); // the last line break may be cut
    for (std::size_t length = 0; length < json.size(); ++length)
        QVERIFY(!parseSession(std::string_view(json).substr(0, length)).ok());
}

void TestSession::damagedDocumentsAreErrorsOrRoundTrip()
{
    const std::string json = sessionJson(sampleSession());
    std::mt19937 random(5);
    int sessions = 0;
    for (int run = 0; run < 20'000; ++run) {
        std::string changed = json;
        for (auto flips = 1 + random() % 3; flips > 0; --flips)
            changed[random() % changed.size()] = static_cast<char>(random() % 256);
        if (random() % 4 == 0)
            changed.insert(random() % changed.size(), changed, random() % changed.size(), 40);
        const auto read = parseSession(changed);
        if (!read) {
            QVERIFY(!read.error().detail.empty());
            continue;
        }
        ++sessions;
        const auto again = parseSession(sessionJson(*read));
        QVERIFY2(again.ok() && *again == *read, changed.c_str());
    }
    QVERIFY(sessions > 0);
}

void TestSession::aSessionIsKnownByItsBeginning()
{
    const auto isSession = [](std::string_view start) {
        return ownDocument(start) == OwnDocument::Session;
    };
    QVERIFY(isSession(sessionJson(sampleSession())));
    QVERIFY(isSession("\n{ \"version\": 1, \"vramscope\" :\n\"session\", "));
    QVERIFY(!isSession(R"({"vramscope": 1, "name": "session"})"));
    QVERIFY(!isSession(R"("vramscope": "session")"));
    QVERIFY(!isSession("{\"vramscope\":"));
    QVERIFY(!isSession(""));
}

void TestSession::itLiesBesideItsRecording()
{
    QCOMPARE(sessionPath("/data/a b.pickle.gz").generic_string(),
             "/data/a b.pickle.gz.vramscope.json");
    QCOMPARE(recordingPath("/data/a b.pickle.gz.vramscope.json").generic_string(),
             "/data/a b.pickle.gz");
    QCOMPARE(recordingPath("x.vramscope.json").generic_string(), "x");
    QVERIFY(recordingPath("/data/.vramscope.json").empty());
    QVERIFY(recordingPath("/data/a.json").empty());
}

void TestSession::changesOfTwoPeopleAreBroughtTogether()
{
    const Bookmark a = named("a");
    const Bookmark b = named("b");
    const Bookmark c = named("c");
    const Bookmark d = named("d");
    using Names = std::vector<std::string>;
    // Only one of them changed something, order included.
    QCOMPARE(namesOf(merged({a, b}, {b, a, c}, {a, b})), (Names{"b", "a", "c"}));
    QCOMPARE(namesOf(merged({a, b}, {a, b}, {b})), (Names{"b"}));
    // Both added and took away.
    QCOMPARE(namesOf(merged({a, b}, {b, c}, {a, d})), (Names{"d", "c"}));
    // Both changed the same one: both versions stay.
    Bookmark mine = a;
    mine.note = "mine";
    Bookmark other = a;
    other.note = "theirs";
    QCOMPARE(merged({a}, {mine}, {other}), (std::vector<Bookmark>{other, mine}));
    // The same change by both is one.
    QCOMPARE(namesOf(merged({}, {c}, {c})), (Names{"c"}));
}

VRAMSCOPE_TEST(TestSession)
#include "tst_session.moc"
