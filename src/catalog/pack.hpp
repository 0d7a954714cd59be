#pragma once

// The packed catalog: one binary file that the build makes from data/ and the program carries inside.
//
//   magic, version · date of the newest entry · digest of the data · for each section its offset and size · sections
//
// A section of records is one vector in the form of wire.hpp. Each kind of entry also has an index of ids, origins and
// places of the entries' JSON texts; the texts come last, and nothing but Pack::entry() touches them, so that their
// pages are never loaded in ordinary use. Offsets are checked although we made them.

#include "catalog/collection.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace hwadvisor::catalog {

// `root` is cut from the front of origins, so that a pack does not depend on where it was made.
std::string write_pack(Collection& collection, std::string_view root);

struct PackedEntry {
  std::string_view text;   // JSON
  std::string_view origin; // "devices/nvidia-ada.json: /devices/3"
};

class Pack {
public:
  // Keeps referring to `bytes`. Anything but a pack of this version is ErrorKind::malformed.
  static Result<Pack> open(std::string_view bytes);

  // The records of a kind, for Reader.
  std::string_view records(EntryKind kind) const { return section(static_cast<std::size_t>(kind)); }
  std::optional<PackedEntry> entry(EntryKind kind, std::string_view id) const;
  std::string_view date() const { return m_date; }
  std::uint64_t digest() const { return m_digest; }

private:
  std::string_view section(std::size_t index) const;

  std::string_view m_bytes;
  std::string_view m_date;
  std::string_view m_table;
  std::uint64_t m_digest = 0;
};

// FNV-1a, 64 bits: tells data sets apart, nothing more.
std::uint64_t digest_of(std::string_view text, std::uint64_t start = 0xCBF29CE484222325U);

} // namespace hwadvisor::catalog
