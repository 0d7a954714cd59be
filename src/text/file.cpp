#include "text/file.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include <sys/stat.h>

namespace hwadvisor::text {
namespace {

using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

int leave_open(std::FILE*)
{
  return 0;
}

Error cannot(const std::string& verb, const std::string& path)
{
  return Error{ErrorKind::io, "cannot " + verb + " the file: " + std::strerror(errno), path};
}

} // namespace

Result<std::string> read_file(const std::string& path, std::size_t largest)
{
  const bool standard_input = path == "-";
  if (!standard_input) {
    struct stat info {};
    if (stat(path.c_str(), &info) != 0) {
      return cannot("read", path);
    }
    if (S_ISDIR(info.st_mode)) {
      return Error{ErrorKind::io, "this is a folder; a file was expected", path};
    }
  }
  const File file(standard_input ? stdin : std::fopen(path.c_str(), "rb"), standard_input ? &leave_open : &std::fclose);
  if (!file) {
    return cannot("read", path);
  }
  std::string content;
  char buffer[65536];
  while (const std::size_t n = std::fread(buffer, 1, sizeof buffer, file.get())) {
    content.append(buffer, n);
    if (content.size() > largest) {
      return Error{ErrorKind::malformed, "the file is larger than " + std::to_string(largest) + " bytes", path};
    }
  }
  if (std::ferror(file.get()) != 0) {
    return cannot("read", path);
  }
  return content;
}

Status write_file(const std::string& path, const std::string& content)
{
  File file(std::fopen(path.c_str(), "wb"), &std::fclose);
  if (!file) {
    return cannot("write", path);
  }
  const bool written = std::fwrite(content.data(), 1, content.size(), file.get()) == content.size();
  if (std::fclose(file.release()) != 0 || !written) {
    return cannot("write", path);
  }
  return {};
}

} // namespace hwadvisor::text
