#pragma once

// Bytes of a file that is not read whole: model files are gigabytes, their headers kilobytes. Parsers take a
// ByteSource, so that tests and fuzzers give them memory.

#include "hwadvisor/result.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hwadvisor::modelfile {

class ByteSource {
public:
  virtual ~ByteSource() = default;
  virtual std::uint64_t size() const = 0;
  // Fills `out` with the bytes from `offset` on, all within size(). False: an I/O error, or the file has shrunk.
  virtual bool read(std::uint64_t offset, std::span<char> out) const = 0;
};

class MemorySource final : public ByteSource {
public:
  explicit MemorySource(std::string_view bytes) : m_bytes(bytes) {}
  std::uint64_t size() const override { return m_bytes.size(); }
  bool read(std::uint64_t offset, std::span<char> out) const override;

private:
  std::string_view m_bytes;
};

// A regular file; sparse ones cost nothing. ErrorKind::io: missing, unreadable, or not a regular file.
Result<std::unique_ptr<ByteSource>> open_file(const std::string& path);

// Reads little-endian values one after another through a window of a few hundred kilobytes. The first fault is kept and
// every later call yields zeros, so that a parser checks once a record.
class ByteReader {
public:
  ByteReader(const ByteSource& source, std::string file);

  std::uint8_t byte(std::string_view what) { return static_cast<std::uint8_t>(number(1, what)); }
  std::uint32_t word(std::string_view what) { return static_cast<std::uint32_t>(number(4, what)); }
  std::uint64_t number(std::size_t bytes, std::string_view what); // 1, 2, 4 or 8 bytes
  // Valid until the next call; at most 64 KiB.
  std::string_view text(std::uint64_t size, std::string_view what);
  void skip(std::uint64_t size, std::string_view what);

  std::uint64_t position() const { return m_position; }
  std::uint64_t remaining() const { return m_source->size() - m_position; }
  bool failed() const { return m_error.has_value(); }
  void fail(std::string message); // keeps the first
  const Error& error() const { return *m_error; }

private:
  const char* take(std::size_t size, std::string_view what); // nullptr: failed

  const ByteSource* m_source;
  std::string m_file;
  std::uint64_t m_position = 0;
  std::vector<char> m_window;
  std::uint64_t m_window_start = 0;
  std::size_t m_window_size = 0;
  std::optional<Error> m_error;
};

} // namespace hwadvisor::modelfile
