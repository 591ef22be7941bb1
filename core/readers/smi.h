// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/bytes.h"
#include "core/base/result.h"
#include "core/readers/log_time.h"
#include "core/trace/series_builder.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vramscope::smi {

/// The meaning of a column in a log of nvidia-smi.
enum class Kind : std::uint8_t {
    Ignored,
    Time,
    Index, ///< a number of the device
    Uuid,  ///< "GPU-…"
    Bus,   ///< "00000000:01:00.0"
    Name,  ///< of the device
    Used,  ///< memory of the device, or with a Process column of the process
    Free,
    Total,
    Reserved,
    Process, ///< its number
    ProcessName,
    Number, ///< any other number, if it is one
};

struct Column
{
    Kind kind = Kind::Ignored;
    std::string name; ///< "memory.used"
    std::string unit; ///< as in the header: "MiB", "%", "ms"
};

/// Longer lines keep their first words or cells: no log has as many columns.
inline constexpr std::size_t kMostCells = 256;

/// The cells of a line, trimmed; a cell in double quotes may hold commas.
[[nodiscard]] std::vector<std::string> splitCells(std::string_view line);
/// The words of a line.
[[nodiscard]] std::vector<std::string_view> wordsOf(std::string_view line);

/// The column of a header cell: "memory.used [MiB]", "used_gpu_memory [MiB]", "gpu_utilization".
[[nodiscard]] Column columnOf(std::string_view cell);

/// The column, if its name is one that logs of GPUs use.
[[nodiscard]] std::optional<Column> knownColumn(std::string_view cell);

/// The column of a value in the reports of -q and -q -x, by its section and key there:
/// "fb_memory_usage/used". Nothing if the value is not used.
[[nodiscard]] std::optional<Column> reportedColumn(std::string_view path);

/// True if the cells name columns instead of holding values.
[[nodiscard]] bool isHeader(const std::vector<std::string> &cells);

/// A cell split into its number and its unit ("841", "MiB").
struct Quantity
{
    std::string_view number;
    std::string_view unit;

    [[nodiscard]] double value() const;
    /// The size in bytes, exact if that is whole, else rounded. A cell without a unit has the unit
    /// of its column, else `plain` bytes. Nothing if the unit is not one of size, or the size is
    /// negative or has more than 64 bits.
    [[nodiscard]] std::optional<Bytes> bytes(std::string_view ofColumn = {}, Bytes plain = 0) const;
};
/// Nothing for "[N/A]", "-" and the like, and for an id that begins with digits:
/// "00000000:3B:00.0", "0x20B0".
[[nodiscard]] std::optional<Quantity> quantityOf(std::string_view cell);

/// Whether a cell means that there is no value to report: "[N/A]", "[Not Supported]", "-".
[[nodiscard]] bool isNotReported(std::string_view cell);

/// Nanoseconds in "s", "sec", "ms" and the like; 0 for other units.
[[nodiscard]] std::int64_t nanosecondsOfUnit(std::string_view unit);

/// Bytes in a unit as nvidia-smi means it: both "MiB" and "MB" are 2^20. 0 for other units.
[[nodiscard]] Bytes bytesOfUnit(std::string_view unit);

/// The device number in a cell; nothing for other text or a number above any machine's.
[[nodiscard]] std::optional<int> ordinalOf(std::string_view cell);

/// The columns of a log without a header, inferred from the values of its first lines; all Ignored
/// if no memory can be found.
[[nodiscard]] std::vector<Column> inferColumns(const std::vector<std::vector<std::string>> &lines);

/// How the rows of a log follow each other in time: several devices are queried one after the
/// other, then comes a pause.
struct Rounds
{
    std::size_t size = 0; ///< rows of each round; 0: rows do not come in rounds of one size
    std::int64_t gap = 0; ///< nanoseconds: the longest time between rows of one round
    bool unequal = false; ///< most rounds, but not all, have the same size
};

/// Found from the times of the first rows, in file order.
[[nodiscard]] Rounds roundsOf(std::span<const std::int64_t> times);

/// The role of a column of sizes; nothing for other columns.
[[nodiscard]] std::optional<CurveRole> roleOf(Kind kind);

/// One sample of one device, or of one process on it.
struct Sample
{
    std::int64_t time = 0;
    std::string device; ///< distinguishes it from other devices; empty if there is only one
    int ordinal = -1;
    std::string name;
    std::string identity;
    std::string process; ///< number and name; empty in samples of a device
    struct Size
    {
        std::string name;
        CurveRole role;
        Bytes bytes;
    };
    std::vector<Size> sizes;
    struct Value
    {
        std::string name;
        std::string unit;
        double number;
    };
    std::vector<Value> values;
    std::vector<std::string> notReported; ///< columns without a value: "[N/A]"

    /// Takes a cell of a column of sizes or numbers. The unit of the cell overrides that of the
    /// column, which overrides `plain` bytes. Returns false and takes nothing if the cell has no
    /// such value.
    bool take(const Column &column, std::string_view cell, Bytes plain = 0);
};

/// The times of consecutive reports: the printed ones, or one second apart without them.
class ReportClock
{
public:
    /// The next report begins.
    void begin(const std::optional<LogTime> &stated);
    [[nodiscard]] std::int64_t time() const { return m_time; }
    /// Reports so far.
    [[nodiscard]] std::int64_t count() const { return m_count; }
    /// That of the first report.
    [[nodiscard]] Clock clock() const { return m_first.value_or(Clock::Relative); }
    /// Whether the first report has a time.
    [[nodiscard]] bool isStated() const { return m_first.has_value(); }
    /// Whether the time of this report is on another clock than the first.
    [[nodiscard]] bool isOdd() const { return m_isOdd; }

private:
    std::optional<Clock> m_first;
    std::int64_t m_time = 0;
    std::int64_t m_count = 0;
    bool m_isOdd = false;
};

/// Collects samples into the columns of their devices.
class Devices
{
public:
    void add(const Sample &sample);
    [[nodiscard]] bool empty() const { return m_devices.empty(); }
    /// Adds the devices to the builder, samples by time.
    void finish(SeriesBuilder &builder);

private:
    void addProcess(SeriesDevice &device, const Sample &sample);
    void tellNotReported(SeriesBuilder &builder) const;
    void openSample(SeriesDevice &device, std::int64_t time);
    Bytes *cell(SeriesDevice &device, const std::string &name, CurveRole role);
    template<class T>
    T *extend(std::vector<T> &values, std::size_t count, T blank);
    bool mayFill(std::size_t gap);
    template<class Curve>
    void finishCurves(std::vector<Curve> &curves, std::size_t count);

    std::map<std::string, std::size_t> m_keys;
    std::vector<SeriesDevice> m_devices;                   // in order of appearance
    std::map<std::size_t, std::set<std::string>> m_listed; // processes of its open sample
    std::size_t m_rows = 0;
    std::size_t m_filled = 0; // places of curves without a value in any row of the file
    std::map<std::string, std::int64_t> m_notReported; // columns, and in how many rows
    std::set<std::string> m_reported;                  // those of them that have a value elsewhere
    bool m_leftOut = false; // a value or a curve, for too many such places
};

/// Whether a line begins the output of `nvidia-smi -q`, as text or with -x as XML.
[[nodiscard]] bool beginsQuery(std::string_view line);

/// Whether a line gives the memory of a device as nvidia-smi's screen does: a cell between bars
/// with "71234MiB / 81559MiB".
[[nodiscard]] bool isScreenRow(std::string_view line);

/// A layout in which nvidia-smi prints the memory of devices, read line by line.
class Layout
{
public:
    /// Keeps a reference to the builder.
    explicit Layout(SeriesBuilder &builder)
        : m_builder(builder)
    {
    }
    Layout(const Layout &) = delete;
    Layout &operator=(const Layout &) = delete;
    virtual ~Layout() = default;

    virtual void takeLine(std::string_view line) = 0;
    /// Ends the text and passes the devices to the builder. An Error says what the text lacks.
    [[nodiscard]] Result<void> finish();

protected:
    virtual void end() {} ///< takes the open sample, if any
    [[nodiscard]] virtual Clock clock() const { return m_reports.clock(); }
    [[nodiscard]] virtual Error noMemory() const = 0;

    SeriesBuilder &m_builder;
    Devices m_devices;
    ReportClock m_reports;
    bool m_foundMemory = false;
};

/// The output of `nvidia-smi -q`: sections of "key : value" by indentation, or the same as XML;
/// once, or repeatedly with -l. Memory is that of the whole device, not of its MIG instances;
/// power, temperature, utilization and processes are read too.
class Query : public Layout
{
public:
    using Layout::Layout;
    void takeLine(std::string_view line) override;

private:
    struct Section
    {
        std::string key;
        std::size_t indent = 0; // of a text
    };

    void end() override { closeDevice(); }
    [[nodiscard]] Error noMemory() const override;
    void takeText(std::string_view line);
    void takeXml(std::string_view line);
    void openSection(std::string key, std::size_t indent = 0);
    void closeSection();
    void openDevice(std::string_view bus);
    void closeDevice();
    void takeValue(const std::string &key, std::string_view value);
    void takeDeviceValue(const Column &column, std::string_view value);
    void takeProcessValue(const Column &column, std::string_view value);
    void takeTime(std::string_view value);
    [[nodiscard]] std::string pathOf(const std::string &key) const;

    std::vector<Section> m_path; // from the outermost section that is read
    std::string m_text;          // between the tags of XML
    bool m_isXml = false;
    bool m_hasDevice = false;
    Sample m_sample;
    std::vector<Sample> m_processes;
};

/// The screen of `nvidia-smi` without options: once, or repeatedly as `watch`, `-l` or a loop of a
/// script prints it, between any other lines. Read are the memory of each whole device with its
/// utilization, temperature and power, and the processes below; the table of MIG instances is
/// skipped, as the memory of their device contains it. The layouts of drivers 3xx to 5xx: two or
/// three lines per device, processes with or without instances.
class Screen : public Layout
{
public:
    using Layout::Layout;
    void takeLine(std::string_view line) override;

private:
    enum class Table { Devices, Instances, Processes };

    [[nodiscard]] Error noMemory() const override;
    void beginScreen();
    void takeTime(std::string_view line);
    void takeCells(const std::vector<std::string_view> &cells);
    void takeName(std::string_view cell, std::string_view busCell);
    void takeFigures(std::string_view state, std::string_view memory, std::string_view use);
    void takeProcess(std::string_view cell);

    Table m_table = Table::Devices;
    std::optional<LogTime> m_stated; ///< the time printed before the next screen
    int m_lastOrdinal = -1;          ///< of the devices of the screen
    std::optional<Sample> m_open;    ///< a device with its memory in the next line
};

} // namespace vramscope::smi
