// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/private_words.h"

#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <span>
#include <vector>

namespace vramscope {

namespace {

using namespace std::literals;

// Endings of program files, whose names are not a person's.
constexpr std::array kProgramEndings{
    ".py"sv, ".pyc"sv, ".pyx"sv, ".pyi"sv, ".c"sv, ".cc"sv, ".cpp"sv, ".cu"sv,  ".cuh"sv,
    ".h"sv,  ".hpp"sv, ".inc"sv, ".so"sv,  ".o"sv, ".s"sv,  ".js"sv,  ".whl"sv, ".dll"sv,
};
constexpr std::array kDataEndings{
    ".json"sv, ".pt"sv,   ".pickle"sv, ".pkl"sv, ".txt"sv,         ".log"sv,
    ".csv"sv,  ".html"sv, ".gz"sv,     ".zst"sv, ".toml"sv,        ".yaml"sv,
    ".yml"sv,  ".sh"sv,   ".ipynb"sv,  ".tsv"sv, ".xml"sv,         ".pth"sv,
    ".bin"sv,  ".svg"sv,  ".pdf"sv,    ".zip"sv, ".safetensors"sv, ".vramplan"sv,
};

// The system's own trees, the same on every machine.
constexpr std::array kSystemRoots{
    "usr"sv,
    "opt"sv,
    "lib"sv,
    "lib32"sv,
    "lib64"sv,
    "bin"sv,
    "sbin"sv,
    "etc"sv,
    "proc"sv,
    "dev"sv,
    "sys"sv,
    "boot"sv,
    "nix"sv,
    "pkg"sv,
    "system"sv,
    "snap"sv,
    "library"sv,
    "hostedtoolcache"sv,
    "windows"sv,
    "applications"sv,
    "programdata"sv,
    "program files"sv,
    "program files (x86)"sv,
};

// Where released binaries were built: roots of C and C++ sources only.
constexpr std::array kBuildRoots{"pytorch"sv, "croot"sv, "build"sv, "csu"sv,  "nptl"sv,
                                 "misc"sv,    "c10"sv,   "aten"sv,  "torch"sv};
constexpr std::array kSourceEndings{".c"sv, ".cc"sv,  ".cpp"sv, ".cu"sv, ".cuh"sv,
                                    ".h"sv, ".hpp"sv, ".s"sv,   ".inc"sv};

// Folders, apart from a number after them, that contain folders of people or groups.
constexpr std::array kShelves{
    "data"sv,     "raid"sv,     "mnt"sv,        "nfs"sv,         "gpfs"sv,      "lustre"sv,
    "fsx"sv,      "efs"sv,      "ssd"sv,        "hdd"sv,         "nvme"sv,      "disk"sv,
    "vol"sv,      "volume"sv,   "volumes"sv,    "storage"sv,     "share"sv,     "shared"sv,
    "scratch"sv,  "pscratch"sv, "work"sv,       "workspace"sv,   "project"sv,   "projects"sv,
    "proj"sv,     "ckpt"sv,     "checkpoint"sv, "checkpoints"sv, "srv"sv,       "tmp"sv,
    "temp"sv,     "var"sv,      "user"sv,       "users"sv,       "jusers"sv,    "media"sv,
    "export"sv,   "net"sv,      "rds"sv,        "ibex"sv,        "nas"sv,       "group"sv,
    "groups"sv,   "team"sv,     "teams"sv,      "lab"sv,         "labs"sv,      "staff"sv,
    "students"sv, "faculty"sv,  "people"sv,     "members"sv,     "bitbucket"sv, "shm"sv,
};

// Below these roots the first folder is a person's; below others a group's may come first.
constexpr std::array kFlatRoots{"data"sv,     "raid"sv, "nfs"sv, "fsx"sv,        "ssd"sv,
                                "hdd"sv,      "nvme"sv, "tmp"sv, "workspace"sv,  "scratch"sv,
                                "pscratch"sv, "work"sv, "srv"sv, "checkpoint"sv, "media"sv,
                                "app"sv,      "code"sv, "src"sv, "content"sv,    "repo"sv};

// What tools create in a home folder, so that the folder above is a person's.
constexpr std::array kInHome{".conda"sv,     ".local"sv,    ".cache"sv,     ".vscode-server"sv,
                             ".pyenv"sv,     ".cargo"sv,    ".ipython"sv,   ".virtualenvs"sv,
                             "miniconda3"sv, "anaconda3"sv, "miniforge3"sv, "mambaforge"sv,
                             "miniconda"sv,  "anaconda"sv,  "micromamba"sv};

bool isFileName(std::string_view part)
{
    return namedFile(part) != NamedFile::None;
}

bool isDrive(std::string_view part)
{
    return part.size() == 2 && part[1] == ':' && isWordByte(part[0]);
}

/// Whether a drive precedes the folder.
bool isDriven(const Parts &parts, std::size_t folder)
{
    return std::any_of(parts.begin(), parts.begin() + static_cast<std::ptrdiff_t>(folder), isDrive);
}

/// Where the significant folders begin: after a drive, "..", "." and Windows' prefix "?".
std::size_t firstFolder(const Parts &parts)
{
    std::size_t at = 0;
    while (at < parts.size() &&
           (parts[at] == ".." || parts[at] == "." || parts[at] == "?" || isDrive(parts[at])))
        ++at;
    return at;
}

/// "home" and its variants at sites: "homes", "home2", "homestud"; not "homebrew".
bool holdsHomes(std::string_view folder)
{
    constexpr std::array kRests{""sv, "s"sv, "dir"sv, "dirs"sv, "fs"sv, "stud"sv};
    if (!folder.starts_with("home"))
        return false;
    const std::string_view rest = folder.substr(4);
    return std::ranges::find(kRests, rest) != kRests.end() ||
           rest.find_first_not_of("-_0123456789") == rest.npos;
}

std::string_view withoutNumber(std::string_view folder)
{
    return folder.substr(0, folder.find_last_not_of("-_0123456789") + 1);
}

/// Whether people have their folders below `folder`: a mount, a group's, or one of many similar
/// ones.
bool isShelf(std::string_view folder)
{
    const std::string name = lowered(folder);
    const std::string_view stem = withoutNumber(name);
    return name.size() == 1 || stem.empty() || isOneOf(stem, kShelves) || holdsHomes(name) ||
           stem.ends_with("group") || stem.ends_with("lab") || stem.starts_with("nvme");
}

/// The folder that contains tools' own folders, if it is a person's.
std::optional<std::size_t> ownerOfTools(const Parts &parts, std::size_t from)
{
    constexpr std::array kNoPerson{"software"sv, "tools"sv, "soft"sv, "sw"sv,
                                   "programs"sv, "opt"sv,   "env"sv,  "envs"sv};
    for (std::size_t at = from; at + 1 < parts.size() && at < from + 4; ++at) {
        if (isOneOf(parts[at + 1], kInHome) && !isShelf(parts[at]) && !isSharedName(parts[at]) &&
            !isOneOf(lowered(parts[at]), kNoPerson))
            return at;
    }
    return std::nullopt;
}

/// Whether a folder below the first one in /home may be a person's, and the first a group's:
/// /home/physics/alice and /home/alice/nanogpt look the same, so only words of programs are
/// excluded.
bool mayBePerson(std::string_view folder)
{
    constexpr std::array kOfProjects{
        "git"sv,      "env"sv,       "bin"sv,       "run"sv,         "out"sv,
        "repo"sv,     "envs"sv,      "venv"sv,      "runs"sv,        "logs"sv,
        "repos"sv,    "build"sv,     "tools"sv,     "github"sv,      "output"sv,
        "traces"sv,   "scripts"sv,   "results"sv,   "research"sv,    "training"sv,
        "datasets"sv, "notebooks"sv, "snapshots"sv, "experiments"sv, "checkpoints"sv};
    constexpr std::size_t kShortest = 3; // as for the names that are removed elsewhere
    const std::string name = lowered(folder);
    return name.size() >= kShortest && !name.starts_with('.') && !withoutNumber(name).empty() &&
           !isSharedName(name) && !isOneOf(name, kInHome) && !isOneOf(name, kOfProjects);
}

/// Below homes: /home/NAME, /home/users/NAME, /homes/n/NAME, /home/pool1/2/NAME, and
/// /home/GROUP/NAME, where the group also counts as a person.
std::optional<PrivateFront> findHome(const Parts &parts)
{
    constexpr std::size_t kDeepest = 4;            // /gpfs/site/group/users/NAME
    constexpr std::string_view kRedacted = "user"; // and the account of many images
    const std::size_t first = firstFolder(parts);
    const auto isName = [&](std::size_t at) {
        return at < parts.size() && !(at + 1 == parts.size() && isFileName(parts[at]));
    };
    const auto isNumber = [&](std::size_t at) {
        return isName(at) && withoutNumber(parts[at]).empty();
    };
    const auto endsInNumber = [](std::string_view part) { return withoutNumber(part) != part; };
    for (std::size_t at = first; at < parts.size() && at <= first + kDeepest; ++at) {
        const std::string folder = lowered(parts[at]);
        const bool homes = holdsHomes(folder) || folder.ends_with("users") ||
                           (folder == "user" && at <= first + 1);
        const bool letters = folder == "sd" || folder == "u" || folder == "scratch";
        if (!isName(at + 1) || !(homes || (letters && parts[at + 1].size() == 1 && isName(at + 2))))
            continue;
        std::size_t person = at + 1;
        bool sure = true;
        while (isName(person + 1) && parts[person] != kRedacted &&
               (isShelf(parts[person]) || (isNumber(person + 1) && endsInNumber(parts[person])))) {
            sure = sure && (!isSharedName(parts[person]) || parts[person].ends_with("users"));
            ++person;
        }
        if (const auto owner = ownerOfTools(parts, person))
            return PrivateFront{*owner + 1, owner};
        // macOS and Windows have no groups there, nor do images, and a shelf is followed by a
        // person.
        const bool direct = person == at + 1 && parts[at] != "Users" && !isDriven(parts, at) &&
                            !isSharedName(parts[person]);
        if (direct && isName(person + 1) && mayBePerson(parts[person + 1]))
            return PrivateFront{person + 2, person, false};
        return PrivateFront{person + 1, sure ? std::optional(person) : std::nullopt};
    }
    return std::nullopt;
}

bool isRooted(std::string_view path)
{
    return !path.empty() && (isSeparator(path.front()) || (path.size() > 1 && path[1] == ':'));
}

/// Whether the path is the same on every machine.
bool isOfSystem(const Parts &parts, std::size_t first)
{
    const std::string root = lowered(parts[first]);
    if (root == "dev")
        return first + 1 == parts.size() || parts[first + 1] != "shm";
    const std::string file = lowered(parts.back());
    const bool source = std::ranges::any_of(
        kSourceEndings, [&](std::string_view ending) { return file.ends_with(ending); });
    return isOneOf(root, kSystemRoots) || (source && isOneOf(root, kBuildRoots));
}

/// A tool's folder in /tmp, which only describes the program.
bool isToolsTemporary(std::string_view folder)
{
    return folder.starts_with("ipykernel_") || folder.starts_with("ray_") ||
           std::ranges::any_of(kAfterPerson,
                               [&](std::string_view start) { return folder.starts_with(start); });
}

/// Elsewhere below the root, a drive or a share: the mount and the first folder below it.
std::optional<PrivateFront> findMount(std::string_view path, const Parts &parts)
{
    const std::size_t first = firstFolder(parts);
    if (!isRooted(path) || first >= parts.size() || isOfSystem(parts, first))
        return std::nullopt;
    const bool drive = first > 0 && isDrive(parts[first - 1]);
    const bool share = !drive && path.starts_with("\\\\");
    const bool ends = isFileName(parts.back());
    const std::size_t last = parts.size() - (ends ? 1 : 0);
    if (!drive && parts.size() == first + (ends && isShelf(parts[first]) ? 2 : 1))
        return std::nullopt; // names nobody
    const bool temporary = parts[first] == "tmp" && parts.size() > first + 1;
    if (temporary && isToolsTemporary(parts[first + 1]))
        return std::nullopt;
    if (const auto owner = ownerOfTools(parts, first + (drive ? 0 : 1)))
        return PrivateFront{*owner + 1, owner};
    const std::string root = lowered(parts[first]);
    const bool flat = drive || isOneOf(withoutNumber(root), kFlatRoots);
    std::size_t end = first + (drive ? 0 : 1);
    if (!flat && end < last && !isShelf(parts[end]))
        ++end; // a group's, or the mount in /mnt
    if (share)
        end = std::min(last, std::max(end, first + 2));
    while (end + 1 < last && isShelf(parts[end]))
        ++end;
    return PrivateFront{std::min(end + 1, last), std::nullopt, false};
}

} // namespace

bool isSeparator(char c)
{
    return c == '/' || c == '\\';
}

NamedFile namedFile(std::string_view part)
{
    const std::string name = lowered(part);
    const auto ends = [&](std::string_view ending) { return name.ends_with(ending); };
    // "libc.so.6" continues after its ending.
    if (name.starts_with('<') || std::ranges::any_of(kProgramEndings, ends) ||
        name.find(".so.") != name.npos)
        return NamedFile::Program;
    return std::ranges::any_of(kDataEndings, ends) ? NamedFile::Data : NamedFile::None;
}

Parts partsOf(std::string_view path)
{
    Parts parts;
    std::size_t start = 0;
    for (std::size_t at = 0; at <= path.size(); ++at) {
        if (at < path.size() && !isSeparator(path[at]))
            continue;
        if (at > start)
            parts.push_back(path.substr(start, at - start));
        start = at + 1;
    }
    return parts;
}

std::optional<PrivateFront> findPrivate(std::string_view path, const Parts &parts)
{
    if (path.starts_with('~') && path.size() > 1 && !isSeparator(path[1]))
        return PrivateFront{1, 0};
    if (!looksLikePath(path) || path.starts_with('~'))
        return std::nullopt;
    if (const auto home = findHome(parts))
        return home;
    if (isSeparator(path.front()) && !parts.empty() && parts[0] == "root")
        return PrivateFront{1, std::nullopt};
    return findMount(path, parts);
}

} // namespace vramscope
