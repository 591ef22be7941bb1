// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/cancel_guard.h"

#include <utility>

namespace vramscope {

namespace {

class CancellableSource final : public ByteSource
{
public:
    CancellableSource(std::unique_ptr<ByteSource> source, CancelGuard &watch)
        : m_source(std::move(source))
        , m_watch(watch)
    {
    }

    std::optional<std::int64_t> size() const override { return m_source->size(); }
    double fraction() const override { return m_source->fraction(); }
    std::vector<std::string> anomalies() const override { return m_source->anomalies(); }
    Result<std::size_t> read(std::span<std::byte> into) override
    {
        if (!m_watch.goesOn())
            return readingCancelled();
        auto done = m_source->read(into);
        m_watch.setFraction(m_source->fraction());
        return done;
    }
    Result<void> verify() override { return m_source->verify(); }

private:
    std::unique_ptr<ByteSource> m_source;
    CancelGuard &m_watch;
};

} // namespace

bool CancelGuard::goesOn()
{
    if (!m_givenUp && m_progress && std::this_thread::get_id() == m_owner &&
        !m_progress(m_fraction))
        m_givenUp = true;
    return !m_givenUp;
}

Error readingCancelled()
{
    return {ErrorCode::Cancelled, "Reading was cancelled."};
}

std::unique_ptr<ByteSource> cancellableSource(std::unique_ptr<ByteSource> source,
                                              CancelGuard &watch)
{
    return std::make_unique<CancellableSource>(std::move(source), watch);
}

} // namespace vramscope
