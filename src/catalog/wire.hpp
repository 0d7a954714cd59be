#pragma once

// The binary form of a record. One visit_fields() template a struct (fields.hpp) lists its fields once; Writer and
// Reader walk that list. Whole numbers take 7 bits a byte (zigzag), texts are prefixed with their length, doubles are
// 8 bytes as they stand in memory. The reader never leaves its span: after a fault every value is empty.

#include "hwadvisor/units.hpp"

#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace hwadvisor::catalog {

class Writer {
public:
  template <class T> using Field = const T;

  template <class... T> void operator()(const T&... values) { (put(values), ...); }
  const std::string& bytes() const { return m_bytes; }

  void put(const std::string& text)
  {
    put_varint(text.size());
    m_bytes += text;
  }
  void put(double value)
  {
    char raw[sizeof value];
    std::memcpy(raw, &value, sizeof value);
    m_bytes.append(raw, sizeof raw);
  }
  template <class T>
  requires(std::is_integral_v<T> || std::is_enum_v<T>) void put(T value)
  {
    const auto wide = static_cast<std::int64_t>(value);
    put_varint((static_cast<std::uint64_t>(wide) << 1) ^ static_cast<std::uint64_t>(wide >> 63));
  }
  template <class Tag, class Rep> void put(const Quantity<Tag, Rep>& quantity) { put(quantity.value()); }
  template <class T> void put(const Interval<T>& interval) { (*this)(interval.low, interval.likely, interval.high); }
  template <class A, class B> void put(const std::pair<A, B>& pair) { (*this)(pair.first, pair.second); }
  template <class T> void put(const std::optional<T>& value)
  {
    put(value.has_value());
    if (value) {
      put(*value);
    }
  }
  template <class T> void put(const std::vector<T>& values)
  {
    put_varint(values.size());
    for (const T& value : values) {
      put(value);
    }
  }
  template <class T>
  requires requires(Writer& self, const T& record) { visit_fields(self, record); }
  void put(const T& record) { visit_fields(*this, record); }

private:
  void put_varint(std::uint64_t value)
  {
    while (value >= 0x80) {
      m_bytes += static_cast<char>(value | 0x80);
      value >>= 7;
    }
    m_bytes += static_cast<char>(value);
  }

  std::string m_bytes;
};

class Reader {
public:
  template <class T> using Field = T;

  explicit Reader(std::string_view bytes) : m_rest(bytes) {}

  template <class... T> void operator()(T&... values) { (get(values), ...); }
  bool failed() const { return m_failed; }
  bool at_end() const { return m_rest.empty() && !m_failed; }

  void get(std::string& text) { text.assign(take(get_varint())); }
  void get(std::string_view& text) { text = take(get_varint()); } // lives as long as the bytes
  void get(double& value)
  {
    const std::string_view raw = take(sizeof value);
    if (raw.size() == sizeof value) {
      std::memcpy(&value, raw.data(), sizeof value);
    }
  }
  template <class T>
  requires(std::is_integral_v<T> || std::is_enum_v<T>) void get(T& value)
  {
    const std::uint64_t coded = get_varint();
    value = static_cast<T>(static_cast<std::int64_t>(coded >> 1) ^ -static_cast<std::int64_t>(coded & 1));
  }
  template <class Tag, class Rep> void get(Quantity<Tag, Rep>& quantity)
  {
    Rep value{};
    get(value);
    quantity = Quantity<Tag, Rep>(value);
  }
  template <class T> void get(Interval<T>& interval) { (*this)(interval.low, interval.likely, interval.high); }
  template <class A, class B> void get(std::pair<A, B>& pair) { (*this)(pair.first, pair.second); }
  template <class T> void get(std::optional<T>& value)
  {
    bool present = false;
    get(present);
    if (present) {
      get(value.emplace());
    } else {
      value.reset();
    }
  }
  template <class T> void get(std::vector<T>& values)
  {
    const std::uint64_t count = get_varint();
    values.clear();
    if (count > m_rest.size()) { // every element takes a byte at least
      fail();
      return;
    }
    values.reserve(static_cast<std::size_t>(count));
    for (std::uint64_t i = 0; i < count && !m_failed; ++i) {
      get(values.emplace_back());
    }
  }
  template <class T>
  requires requires(Reader& self, T& record) { visit_fields(self, record); }
  void get(T& record) { visit_fields(*this, record); }

private:
  void fail()
  {
    m_failed = true;
    m_rest = {};
  }
  std::string_view take(std::uint64_t size)
  {
    if (size > m_rest.size()) {
      fail();
      return {};
    }
    const std::string_view taken = m_rest.substr(0, static_cast<std::size_t>(size));
    m_rest.remove_prefix(static_cast<std::size_t>(size));
    return taken;
  }
  std::uint64_t get_varint()
  {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64 && !m_rest.empty(); shift += 7) {
      const auto byte = static_cast<unsigned char>(m_rest.front());
      m_rest.remove_prefix(1);
      value |= static_cast<std::uint64_t>(byte & 0x7F) << shift;
      if (byte < 0x80) {
        return value;
      }
    }
    fail();
    return 0;
  }

  std::string_view m_rest;
  bool m_failed = false;
};

} // namespace hwadvisor::catalog
