// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/test.h"
#include "tests/ui/trace/sample_trace.h"
#include "ui/models/data_table_model.h"
#include "ui/timeline/view_state.h"
#include "ui/trace/events_view.h"

#include <QTableView>

namespace vramscope {

class EventsViewTest : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void theListOpensWhereTheCursorStands_data();
    void theListOpensWhereTheCursorStands();
};

void EventsViewTest::theListOpensWhereTheCursorStands_data()
{
    QTest::addColumn<bool>("atOnce");
    QTest::newRow("by its job") << false;
    QTest::newRow("at once") << true;
}

void EventsViewTest::theListOpensWhereTheCursorStands()
{
    QFETCH(bool, atOnce);
    const auto document = analyse(test::SampleTrace({.steps = 12}).finish());
    TimelineState state;
    state.reset(EventAxis(document->devices[0]->curve().count()), {0, 1e12});
    const EventIndex event = state.axis().count() * 2 / 3;
    state.setCursor(event);
    EventsView view(document, &state);
    view.setDevice(0);
    view.resize(700, 300);
    view.show();
    if (atOnce)
        view.workNow();
    QTRY_COMPARE(view.model()->rowCount(), state.axis().count());
    const QTableView &table = *view.table();
    QCOMPARE(view.eventAt(table.currentIndex().row()), event);
    QVERIFY(table.viewport()->rect().intersects(table.visualRect(table.currentIndex())));
}

} // namespace vramscope

VRAMSCOPE_TEST(vramscope::EventsViewTest)
#include "tst_events_view.moc"
