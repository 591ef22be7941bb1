// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/pickle_json.h"
#include "core/readers/snapshot_records.h"

// What the records of a snapshot share: pools, texts, and fields of only some versions.

namespace vramscope::pickle {

/// Counts what is written out of shared values. False if it is more than the file can hold.
bool SnapshotRecords::share(std::int64_t bytes)
{
    m_shared += bytes;
    return m_shared <= m_shareable;
}

PoolId SnapshotRecords::pool(const Value &value, std::int64_t offset)
{
    if (value.isObject()) {
        const Object object = m_heap.object(value);
        if (object.kind() == ObjectKind::Pair) {
            if (object.index() == 0)
                return PoolId::Default;
            return m_builder.internPool({pairFirst(object), pairSecond(object)});
        }
        if (object.kind() == ObjectKind::List || object.kind() == ObjectKind::Tuple) {
            const Heap::Items &items = m_heap.items(object);
            if (items.size() == 2 && items[0].kind == ValueKind::Int &&
                items[1].kind == ValueKind::Int)
                return m_builder.internPool({items[0].integer(), items[1].integer()});
        }
    }
    problem("A pool that is no pair of numbers.", offset);
    return PoolId::Default;
}

ContextId SnapshotRecords::context(const Fields &fields, KeySet known, std::int64_t offset)
{
    constexpr KeySet kOwn =
        keys("compile_context"_word, "user_metadata"_word, "category"_word, "forward_frames"_word);
    const bool hasExtras = fields.hasOthers(known | kOwn);
    if (!hasExtras && (fields.present() & kOwn) == 0)
        return ContextId::None;
    EventContext context;
    if (fields.has("compile_context"_word))
        context.compileContext = anyText(fields["compile_context"_word], offset);
    if (fields.has("user_metadata"_word))
        context.userMetadata = anyText(fields["user_metadata"_word], offset);
    if (fields.has("category"_word))
        context.category = anyText(fields["category"_word], offset);
    context.forwardFrames = stack(fields, "forward_frames"_word, offset);
    if (hasExtras)
        context.extras = extras(fields, known | kOwn, offset);
    return this->context(context);
}

ContextId SnapshotRecords::context(const std::array<StringId, 3> &texts)
{
    if (!m_textsContext || texts != m_texts) {
        EventContext context;
        context.compileContext = texts[0];
        context.userMetadata = texts[1];
        context.category = texts[2];
        m_texts = texts;
        m_textsContext = this->context(context);
    }
    return *m_textsContext;
}

ContextId SnapshotRecords::context(const EventContext &stated)
{
    EventContext context = stated;
    if (wordOf(context.compileContext) == "N/A"_word)
        context.compileContext = StringId::Empty;
    if (context != m_contextValue) {
        m_contextValue = context;
        m_context = m_builder.internContext(context);
    }
    return m_context;
}

/// The keys other than `known` as a JSON object; empty without such keys.
StringId SnapshotRecords::extras(const Fields &fields, KeySet known, std::int64_t offset)
{
    if (!fields.hasOthers(known))
        return StringId::Empty;
    const std::vector<Value> others = fields.others(known);
    if (others.empty())
        return StringId::Empty;
    // Beyond the limit the text is not even made: that is costly, too.
    const std::string json =
        m_shared > m_shareable ? std::string() : jsonText(m_heap, others, m_builder);
    if (!share(static_cast<std::int64_t>(json.size()))) {
        problem("Unknown values shared by more records than the file can hold.", offset);
        return StringId::Empty;
    }
    return m_builder.internText(json);
}

/// A name: anything else is an anomaly.
StringId SnapshotRecords::text(const Value &value, std::int64_t offset)
{
    if (value.isText())
        return value.text();
    if (value.kind != ValueKind::None)
        problem("A text that is no text.", offset);
    return StringId::Empty;
}

/// A text that may also be a value of any kind, as JSON.
StringId SnapshotRecords::anyText(const Value &value, std::int64_t offset)
{
    if (value.isText())
        return value.text();
    if (value.kind == ValueKind::None)
        return StringId::Empty;
    if (value.kind == ValueKind::Opaque || m_shared > m_shareable) {
        problem("A text that is no text.", offset);
        return StringId::Empty;
    }
    const std::string json = jsonText(m_heap, value, m_builder);
    share(static_cast<std::int64_t>(json.size()));
    return m_builder.internText(json);
}

} // namespace vramscope::pickle
