#include "modelfile/bytes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace hwadvisor::modelfile {
namespace {

constexpr std::size_t k_window = std::size_t{256} << 10;

class FileSource final : public ByteSource {
public:
  FileSource(int descriptor, std::uint64_t size) : m_descriptor(descriptor), m_size(size) {}
  FileSource(const FileSource&) = delete;
  FileSource& operator=(const FileSource&) = delete;
  ~FileSource() override { close(m_descriptor); }

  std::uint64_t size() const override { return m_size; }
  bool read(std::uint64_t offset, std::span<char> out) const override
  {
    while (!out.empty()) {
      const ssize_t n = pread(m_descriptor, out.data(), out.size(), static_cast<off_t>(offset));
      if (n < 0 && errno == EINTR) {
        continue;
      }
      if (n <= 0) {
        return false;
      }
      out = out.subspan(static_cast<std::size_t>(n));
      offset += static_cast<std::uint64_t>(n);
    }
    return true;
  }

private:
  int m_descriptor;
  std::uint64_t m_size;
};

} // namespace

bool MemorySource::read(std::uint64_t offset, std::span<char> out) const
{
  if (offset > m_bytes.size() || out.size() > m_bytes.size() - offset) {
    return false;
  }
  std::memcpy(out.data(), m_bytes.data() + offset, out.size());
  return true;
}

Result<std::unique_ptr<ByteSource>> open_file(const std::string& path)
{
  const auto cannot = [&] {
    return Error{ErrorKind::io, fmt::format("cannot read the file: {}", std::strerror(errno)), path};
  };
  // O_NONBLOCK: a pipe of that name must not make us wait.
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) {
    return cannot();
  }
  struct stat info {};
  if (fstat(descriptor, &info) != 0) {
    Error error = cannot();
    close(descriptor);
    return error;
  }
  if (!S_ISREG(info.st_mode)) {
    close(descriptor);
    return Error{ErrorKind::io, "this is not a regular file", path};
  }
  return std::unique_ptr<ByteSource>(
      std::make_unique<FileSource>(descriptor, static_cast<std::uint64_t>(info.st_size)));
}

ByteReader::ByteReader(const ByteSource& source, std::string file) : m_source(&source), m_file(std::move(file))
{
}

void ByteReader::fail(std::string message)
{
  if (!m_error) {
    m_error = Error{ErrorKind::malformed, std::move(message), m_file};
  }
}

const char* ByteReader::take(std::size_t size, std::string_view what)
{
  if (m_error) {
    return nullptr;
  }
  if (size > remaining()) {
    fail(fmt::format("the file ends at byte {}, within {}", m_source->size(), what));
    return nullptr;
  }
  const bool inside = m_position >= m_window_start && m_position - m_window_start <= m_window_size &&
                      m_window_size - (m_position - m_window_start) >= size;
  if (!inside) {
    const std::size_t wanted = std::max(size, k_window);
    m_window_size = static_cast<std::size_t>(std::min<std::uint64_t>(wanted, remaining()));
    m_window.resize(m_window_size);
    m_window_start = m_position;
    if (!m_source->read(m_position, m_window)) {
      m_window_size = 0;
      m_error = Error{ErrorKind::io, fmt::format("cannot read the file at byte {}", m_position), m_file};
      return nullptr;
    }
  }
  const char* bytes = m_window.data() + (m_position - m_window_start);
  m_position += size;
  return bytes;
}

std::uint64_t ByteReader::number(std::size_t bytes, std::string_view what)
{
  const char* at = take(bytes, what);
  std::uint64_t value = 0;
  for (std::size_t i = 0; at != nullptr && i < bytes; ++i) {
    value |= std::uint64_t{static_cast<unsigned char>(at[i])} << (8 * i);
  }
  return value;
}

std::string_view ByteReader::text(std::uint64_t size, std::string_view what)
{
  constexpr std::uint64_t longest = 65536;
  if (size > remaining()) {
    fail(fmt::format("{} claims {} bytes, more than the {} that remain", what, size, remaining()));
    return {};
  }
  if (size > longest) {
    fail(fmt::format("{} is longer than {} bytes", what, longest));
    return {};
  }
  const char* at = take(static_cast<std::size_t>(size), what);
  return at != nullptr ? std::string_view(at, static_cast<std::size_t>(size)) : std::string_view();
}

void ByteReader::skip(std::uint64_t size, std::string_view what)
{
  if (m_error) {
    return;
  }
  if (size > remaining()) {
    fail(fmt::format("{} claims {} bytes, more than the {} that remain", what, size, remaining()));
    return;
  }
  m_position += size;
}

} // namespace hwadvisor::modelfile
