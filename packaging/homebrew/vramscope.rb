# SPDX-FileCopyrightText: The VRAMscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# A formula for Homebrew. It was linted (ruby 3.1 -c; rubocop 1.39 with its Lint, Naming and Security cops) and never built.
# Homebrew's own style and audit have not run over it.
# Version 0.1.0 is not released and the project has no address yet: homepage, url, sha256 and head are placeholders. To
# build a checkout, name it in head ("file:///path/to/checkout", using: :git, branch: "main"), then:
#   brew tap-new local/vramscope && cp packaging/homebrew/vramscope.rb "$(brew --repository local/vramscope)/Formula"
#   brew install --HEAD local/vramscope/vramscope
class Vramscope < Formula
  desc "Plan and inspect GPU memory of model training and serving"
  homepage "https://github.com/vramscope/vramscope"
  url "https://github.com/vramscope/vramscope/archive/refs/tags/v0.1.0.tar.gz"
  sha256 "0000000000000000000000000000000000000000000000000000000000000000"
  license "GPL-3.0-or-later"
  head "https://github.com/vramscope/vramscope.git", branch: "main"

  depends_on "cmake" => :build
  depends_on "ninja" => :build
  depends_on "nlohmann-json" => :build
  depends_on "tomlplusplus" => :build
  depends_on "libzip"
  depends_on :linux # nobody has compiled the program on macOS
  depends_on "qtbase"
  depends_on "qtsvg"
  depends_on "sqlite"
  depends_on "yaml-cpp"
  depends_on "zlib"
  depends_on "zstd"

  def install
    ENV["QT_QPA_PLATFORM"] = "offscreen" # the manual page is made of what the window's --help prints
    system "cmake", "-S", ".", "-B", "build", "-G", "Ninja",
                    "-DVRAMSCOPE_TESTS=OFF", "-DVRAMSCOPE_UNITY=ON", *std_cmake_args
    system "cmake", "--build", "build"
    system "cmake", "--install", "build"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/vramscope-cli --version")
    assert_match "Llama 3.1 8B", shell_output("#{bin}/vramscope-cli plan 'llama 3.1 8b lora on a 4090'")
    ENV["QT_QPA_PLATFORM"] = "offscreen"
    example = share/"vramscope/examples/llama-70b-8xh200.vramplan"
    system bin/"vramscope", "render", example, "--view", "plan", "--out", testpath/"plan.png"
    assert_path_exists testpath/"plan.png"
  end
end
