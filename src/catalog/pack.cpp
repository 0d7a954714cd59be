#include "catalog/pack.hpp"

#include "catalog/fields.hpp"

#include <algorithm>
#include <cstring>

namespace hwadvisor::catalog {
namespace {

constexpr std::string_view k_magic = "hwpack01";
constexpr std::size_t k_kinds = 9;
constexpr std::size_t k_sections = 2 * k_kinds + 1; // records, indexes, texts
constexpr std::size_t k_date_size = 10;
constexpr std::size_t k_place_size = 2 * sizeof(std::uint32_t);
constexpr std::size_t k_header_size = k_magic.size() + k_date_size + sizeof(std::uint64_t) + k_sections * k_place_size;

template <class T> void append(std::string& out, T number)
{
  char raw[sizeof number];
  std::memcpy(raw, &number, sizeof number);
  out.append(raw, sizeof raw);
}

template <class T> T number_at(std::string_view bytes, std::size_t offset)
{
  T number{};
  if (offset <= bytes.size() && bytes.size() - offset >= sizeof number) {
    std::memcpy(&number, bytes.data() + offset, sizeof number);
  }
  return number;
}

} // namespace

std::uint64_t digest_of(std::string_view text, std::uint64_t start)
{
  std::uint64_t hash = start;
  for (const char c : text) {
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3U;
  }
  return hash;
}

std::string write_pack(Collection& collection, std::string_view root)
{
  std::vector<std::string> records;
  std::vector<std::string> indexes;
  std::string texts;
  std::string date;
  std::uint64_t digest = digest_of("");
  collection.each([&](const auto& entries) {
    using Record = std::decay_t<decltype(entries.front().value)>;
    std::vector<Record> values;
    Writer index;
    index.put(static_cast<std::int64_t>(entries.size()));
    for (const auto& entry : entries) {
      values.push_back(entry.value);
      std::string origin = entry.origin;
      if (origin.starts_with(root)) {
        origin.erase(0, root.size());
      }
      index(id_of_entry(entry.value), origin, static_cast<std::int64_t>(texts.size()),
            static_cast<std::int64_t>(entry.text.size()));
      texts += entry.text;
      date = std::max(date, entry.date);
      digest = digest_of(entry.text, digest);
    }
    Writer list;
    list.put(values);
    records.push_back(list.bytes());
    indexes.push_back(index.bytes());
  });

  std::vector<std::string> sections = std::move(records);
  sections.insert(sections.end(), indexes.begin(), indexes.end());
  sections.push_back(texts);
  date.resize(k_date_size, ' ');
  std::string pack(k_magic);
  pack += date;
  append(pack, digest);
  std::size_t offset = k_header_size;
  for (const std::string& section : sections) {
    append(pack, static_cast<std::uint32_t>(offset));
    append(pack, static_cast<std::uint32_t>(section.size()));
    offset += section.size();
  }
  for (const std::string& section : sections) {
    pack += section;
  }
  return pack;
}

Result<Pack> Pack::open(std::string_view bytes)
{
  if (!bytes.starts_with(k_magic) || bytes.size() < k_header_size) {
    return Error{ErrorKind::malformed, "the packed catalog is damaged or of another version", "built-in catalog"};
  }
  Pack pack;
  pack.m_bytes = bytes;
  pack.m_date = bytes.substr(k_magic.size(), k_date_size);
  pack.m_date = pack.m_date.substr(0, pack.m_date.find(' '));
  pack.m_digest = number_at<std::uint64_t>(bytes, k_magic.size() + k_date_size);
  pack.m_table = bytes.substr(k_header_size - k_sections * k_place_size, k_sections * k_place_size);
  return pack;
}

std::string_view Pack::section(std::size_t index) const
{
  const std::size_t offset = number_at<std::uint32_t>(m_table, index * k_place_size);
  const std::size_t size = number_at<std::uint32_t>(m_table, index * k_place_size + sizeof(std::uint32_t));
  if (index >= k_sections || offset > m_bytes.size() || size > m_bytes.size() - offset) {
    return {};
  }
  return m_bytes.substr(offset, size);
}

std::optional<PackedEntry> Pack::entry(EntryKind kind, std::string_view id) const
{
  Reader index(section(k_kinds + static_cast<std::size_t>(kind)));
  std::int64_t count = 0;
  index(count);
  for (std::int64_t i = 0; i < count && !index.failed(); ++i) {
    std::string_view entry_id;
    std::string_view origin;
    std::int64_t offset = 0;
    std::int64_t size = 0;
    index(entry_id, origin, offset, size);
    const std::string_view texts = section(k_sections - 1);
    if (entry_id == id && offset >= 0 && size >= 0 && static_cast<std::size_t>(offset) <= texts.size()) {
      return PackedEntry{texts.substr(static_cast<std::size_t>(offset), static_cast<std::size_t>(size)), origin};
    }
  }
  return std::nullopt;
}

} // namespace hwadvisor::catalog
