#include "modelfile/gguf.hpp"

#include "text/quote.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <unordered_set>

namespace hwadvisor::modelfile {
namespace {

using json::Json;

constexpr std::uint64_t k_most_pairs = 100'000;
constexpr std::uint64_t k_most_tensors = 1'000'000;
constexpr std::uint64_t k_least_pair = 8 + 4 + 1;           // bytes: empty key, type, one byte
constexpr std::uint64_t k_least_tensor = 8 + 4 + 8 + 4 + 8; // empty name, one dimension
constexpr std::uint64_t k_longest_text = 1024;              // of a value that is kept
constexpr std::uint64_t k_longest_list = 4096;              // layers a model may have
constexpr std::uint64_t k_longest_name = 1024;

enum class ValueType : std::uint32_t { u8, i8, u16, i16, u32, i32, f32, boolean, text, list, u64, i64, f64 };

std::size_t size_of(ValueType type) // 0: no fixed size, or no type at all
{
  switch (type) {
  case ValueType::u8:
  case ValueType::i8:
  case ValueType::boolean:
    return 1;
  case ValueType::u16:
  case ValueType::i16:
    return 2;
  case ValueType::u32:
  case ValueType::i32:
  case ValueType::f32:
    return 4;
  case ValueType::u64:
  case ValueType::i64:
  case ValueType::f64:
    return 8;
  default:
    return 0;
  }
}

Json scalar(ValueType type, std::uint64_t bits)
{
  switch (type) {
  case ValueType::i8:
    return static_cast<std::int8_t>(bits);
  case ValueType::i16:
    return static_cast<std::int16_t>(bits);
  case ValueType::i32:
    return static_cast<std::int32_t>(bits);
  case ValueType::i64:
    return static_cast<std::int64_t>(bits);
  case ValueType::f32:
    return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
  case ValueType::f64:
    return std::bit_cast<double>(bits);
  case ValueType::boolean:
    return bits != 0;
  default:
    return bits;
  }
}

std::string named(std::string_view what, std::string_view name)
{
  return fmt::format("{} {}", what, text::quoted(name));
}

class Parser {
public:
  Parser(const ByteSource& source, const std::string& file) : m_in(source, file), m_size(source.size()) {}

  Result<GgufFile> run()
  {
    read_head();
    for (std::uint64_t i = 0; i < m_pairs && !m_in.failed(); ++i) {
      read_pair();
    }
    for (std::uint64_t i = 0; i < m_tensors && !m_in.failed(); ++i) {
      read_tensor();
    }
    check_places();
    if (m_in.failed()) {
      return m_in.error();
    }
    m_out.file_bytes = static_cast<std::int64_t>(m_size);
    return std::move(m_out);
  }

private:
  void read_head()
  {
    if (m_in.remaining() < 4 || m_in.text(4, "the magic") != "GGUF") {
      m_in.fail("not a GGUF file: it does not begin with \"GGUF\"");
      return;
    }
    m_out.version = m_in.word("the version");
    if ((m_out.version & 0xffff) == 0 && m_out.version != 0) {
      m_in.fail("this GGUF file is big-endian; only little-endian files are read");
    } else if (m_out.version == 1) {
      m_in.fail("this GGUF file is of version 1, which no engine reads any more; convert the model again");
    } else if (m_out.version != 2 && m_out.version != 3) {
      m_in.fail(fmt::format("GGUF version {} is not known; versions 2 and 3 are read", m_out.version));
    }
    m_tensors = m_in.number(8, "the number of tensors");
    m_pairs = m_in.number(8, "the number of metadata pairs");
    check_count(m_pairs, k_least_pair, k_most_pairs, "metadata pairs");
    check_count(m_tensors, k_least_tensor, k_most_tensors, "tensors");
  }

  void check_count(std::uint64_t count, std::uint64_t least_bytes, std::uint64_t most, std::string_view what)
  {
    if (count > m_in.remaining() / least_bytes) {
      m_in.fail(fmt::format("{} {} cannot fit into the {} bytes that remain", count, what, m_in.remaining()));
    } else if (count > most) {
      m_in.fail(fmt::format("{} {}; at most {} are read", count, what, most));
    }
  }

  void read_pair()
  {
    const std::uint64_t length = m_in.number(8, "the length of a metadata key");
    const std::string key(m_in.text(length, "a metadata key"));
    const auto type = static_cast<ValueType>(m_in.word("the type of a metadata value"));
    if (m_in.failed()) {
      return;
    }
    if (key.empty()) {
      m_in.fail("a metadata key is empty");
    } else if (!m_keys.insert(key).second) {
      m_in.fail(named("the metadata key", key) + " occurs twice");
    } else if (type == ValueType::list) {
      read_list(key);
    } else if (type == ValueType::text) {
      const std::uint64_t size = m_in.number(8, named("the text of", key));
      if (size > k_longest_text) {
        m_in.skip(size, named("the text of", key));
      } else {
        keep(key, Json(std::string(m_in.text(size, named("the text of", key)))));
      }
    } else if (const std::size_t size = size_of(type); size > 0) {
      keep(key, scalar(type, m_in.number(size, named("the value of", key))));
    } else {
      m_in.fail(fmt::format("{} is of the type {}, which is not known", named("the metadata key", key),
                            static_cast<std::uint32_t>(type)));
    }
  }

  void keep(const std::string& key, Json value)
  {
    if (!m_in.failed()) {
      m_out.metadata.values.emplace(key, std::move(value));
    }
  }

  void read_list(const std::string& key)
  {
    const std::string what = named("the list", key);
    const auto type = static_cast<ValueType>(m_in.word(what));
    const std::uint64_t count = m_in.number(8, what);
    if (m_in.failed()) {
      return;
    }
    if (type == ValueType::list) {
      m_in.fail(what + " holds lists; no engine reads lists of lists");
      return;
    }
    const std::size_t size = type == ValueType::text ? 8 : size_of(type);
    if (size == 0) {
      m_in.fail(
          fmt::format("{} holds values of the type {}, which is not known", what, static_cast<std::uint32_t>(type)));
      return;
    }
    if (count > m_in.remaining() / size) {
      m_in.fail(fmt::format("{} claims {} values, which cannot fit into the {} bytes that remain", what, count,
                            m_in.remaining()));
      return;
    }
    m_out.metadata.list_sizes.emplace(key, count);
    if (type == ValueType::text) {
      for (std::uint64_t i = 0; i < count && !m_in.failed(); ++i) {
        m_in.skip(m_in.number(8, what), what);
      }
    } else if (count > k_longest_list) {
      m_in.skip(count * size, what);
    } else {
      Json list = Json::array();
      for (std::uint64_t i = 0; i < count; ++i) {
        list.push_back(scalar(type, m_in.number(size, what)));
      }
      keep(key, std::move(list));
    }
  }

  void read_tensor()
  {
    GgufTensor tensor;
    const std::uint64_t length = m_in.number(8, "the length of a tensor's name");
    if (length > k_longest_name && !m_in.failed()) {
      m_in.fail(fmt::format("the name of tensor {} claims {} bytes; at most {} are read", m_out.tensors.size(), length,
                            k_longest_name));
    }
    tensor.name = m_in.text(length, "a tensor's name");
    const std::string what = named("the tensor", tensor.name);
    const std::uint32_t dimensions = m_in.word(what);
    if (dimensions > 4) {
      m_in.fail(fmt::format("{} has {} dimensions; ggml has at most 4", what, dimensions));
    }
    std::int64_t elements = 1;
    bool overflow = false;
    for (std::size_t i = 0; i < dimensions && !m_in.failed(); ++i) {
      const std::uint64_t size = m_in.number(8, what);
      tensor.sizes[i] = static_cast<std::int64_t>(size);
      overflow = overflow || tensor.sizes[i] < 0 || __builtin_mul_overflow(elements, tensor.sizes[i], &elements);
    }
    const std::uint32_t type = m_in.word(what);
    tensor.offset = m_in.number(8, what);
    if (m_in.failed()) {
      return;
    }
    tensor.type = find_ggml_type(type);
    if (!m_names.insert(tensor.name).second) {
      m_in.fail(what + " occurs twice");
    } else if (tensor.type == nullptr) {
      m_in.fail(fmt::format("{} is of the type {}, which is not known", what, type));
    } else if (overflow) {
      m_in.fail(what + " has more elements than 64 bits can count");
    } else if (tensor.sizes[0] % tensor.type->block_elements != 0) {
      m_in.fail(fmt::format("{} has rows of {} elements, which do not divide into the blocks of {} of {}", what,
                            tensor.sizes[0], tensor.type->block_elements, tensor.type->name));
    } else if (__builtin_mul_overflow(elements / tensor.type->block_elements, std::int64_t{tensor.type->block_bytes},
                                      &tensor.bytes)) {
      m_in.fail(what + " has more bytes than 64 bits can count");
    } else {
      m_out.tensors.push_back(std::move(tensor));
    }
  }

  // Where the data lies: aligned, inside the file, no two tensors over each other.
  void check_places()
  {
    if (m_in.failed()) {
      return;
    }
    std::uint64_t alignment = 32;
    if (const Json* value = m_out.metadata.find("general.alignment")) {
      alignment = value->is_number_unsigned() ? value->get<std::uint64_t>() : 0;
      if (!std::has_single_bit(alignment) || alignment > (std::uint64_t{1} << 31)) {
        m_in.fail(
            fmt::format("general.alignment is {}; a power of two was expected", json::dump(*value).substr(0, 40)));
        return;
      }
    }
    const std::uint64_t start = (m_in.position() + alignment - 1) / alignment * alignment;
    const std::uint64_t room = m_size > start ? m_size - start : 0;
    std::vector<const GgufTensor*> by_place;
    for (const GgufTensor& tensor : m_out.tensors) {
      by_place.push_back(&tensor);
    }
    std::stable_sort(by_place.begin(), by_place.end(),
                     [](const GgufTensor* a, const GgufTensor* b) { return a->offset < b->offset; });
    const GgufTensor* before = nullptr;
    for (const GgufTensor* tensor : by_place) {
      const auto bytes = static_cast<std::uint64_t>(tensor->bytes);
      const std::string what = named("the tensor", tensor->name);
      if (tensor->offset % alignment != 0) {
        m_in.fail(fmt::format("{} begins at {}, which is not a multiple of the alignment, {}", what, tensor->offset,
                              alignment));
      } else if (bytes > room || tensor->offset > room - bytes) {
        m_in.fail(fmt::format("{} lies outside the file: bytes {} to {} of {} of data", what, tensor->offset,
                              saturating_add(static_cast<std::int64_t>(tensor->offset & INT64_MAX), tensor->bytes),
                              room));
      } else if (before != nullptr && tensor->offset < before->offset + static_cast<std::uint64_t>(before->bytes)) {
        m_in.fail(fmt::format("{} and {} overlap", named("the tensors", before->name), text::quoted(tensor->name)));
      }
      if (m_in.failed()) {
        return;
      }
      before = tensor;
    }
  }

  ByteReader m_in;
  std::uint64_t m_size;
  std::uint64_t m_tensors = 0;
  std::uint64_t m_pairs = 0;
  std::unordered_set<std::string> m_keys;
  std::unordered_set<std::string> m_names;
  GgufFile m_out;
};

} // namespace

const Json* GgufMetadata::find(std::string_view key) const
{
  const auto found = values.find(key);
  return found == values.end() ? nullptr : &found->second;
}

std::optional<std::int64_t> GgufMetadata::integer(std::string_view key) const
{
  const Json* value = find(key);
  if (value == nullptr || !value->is_number_integer()) {
    return std::nullopt;
  }
  const auto number = value->get<std::int64_t>();
  return number >= 0 ? std::optional(number) : std::nullopt;
}

std::string GgufMetadata::text(std::string_view key) const
{
  const Json* value = find(key);
  return value != nullptr && value->is_string() ? value->get<std::string>() : std::string();
}

Result<GgufFile> read_gguf(const ByteSource& source, const std::string& file)
{
  return Parser(source, file).run();
}

} // namespace hwadvisor::modelfile
