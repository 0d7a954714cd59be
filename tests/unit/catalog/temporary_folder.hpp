#pragma once

// A folder that is there for one test, and files in it.

#include "text/file.hpp"

#include <filesystem>
#include <string>

#include <unistd.h>

class TemporaryFolder {
public:
  TemporaryFolder()
  {
    std::string pattern = (std::filesystem::temp_directory_path() / "hwadvisor-test-XXXXXX").string();
    m_path = mkdtemp(pattern.data());
  }
  ~TemporaryFolder()
  {
    std::error_code ignored;
    std::filesystem::remove_all(m_path, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::string& path() const { return m_path; }
  // Writes a file, with the folders above it, and gives its path.
  std::string write(const std::string& name, const std::string& content) const
  {
    const std::filesystem::path file = std::filesystem::path(m_path) / name;
    std::filesystem::create_directories(file.parent_path());
    const bool written = hwadvisor::text::write_file(file.string(), content).ok();
    return written ? file.string() : "";
  }

private:
  std::string m_path;
};
