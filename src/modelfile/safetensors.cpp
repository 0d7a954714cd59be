#include "modelfile/safetensors.hpp"

#include "text/quote.hpp"
#include "json/json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace hwadvisor::modelfile {
namespace {

using json::Json;

constexpr std::uint64_t k_largest_header = 100'000'000; // as the reference
constexpr std::size_t k_most_values = 8'000'000;

std::vector<SafeType> make_types()
{
  struct Row {
    std::string_view name;
    std::int32_t bits;
    std::string_view format = {};
  };
  constexpr std::array rows = {
      Row{"F64", 64, "fp64"},
      Row{"F32", 32, "fp32"},
      Row{"F16", 16, "fp16"},
      Row{"BF16", 16, "bf16"},
      Row{"F8_E4M3", 8, "fp8"},
      Row{"F8_E5M2", 8, "fp8"},
      Row{"F8_E8M0", 8},
      Row{"F8_E4M3FNUZ", 8, "fp8"},
      Row{"F8_E5M2FNUZ", 8, "fp8"},
      Row{"F6_E2M3", 6},
      Row{"F6_E3M2", 6},
      Row{"F4", 4, "fp4"},
      Row{"C64", 64},
      Row{"I64", 64},
      Row{"I32", 32},
      Row{"I16", 16},
      Row{"I8", 8, "int8"},
      Row{"U64", 64},
      Row{"U32", 32},
      Row{"U16", 16},
      Row{"U8", 8},
      Row{"BOOL", 8},
  };
  std::vector<SafeType> types;
  for (const Row& row : rows) {
    types.push_back({row.name, row.bits, row.format.empty() ? nullptr : &format(row.format)});
  }
  return types;
}

const SafeType* find_type(std::string_view name)
{
  static const std::vector<SafeType> types = make_types();
  const auto found = std::find_if(types.begin(), types.end(), [&](const SafeType& type) { return type.name == name; });
  return found == types.end() ? nullptr : &*found;
}

// A whole number of at most 63 bits; -1: it is none.
std::int64_t whole(const Json& value)
{
  if (!value.is_number_integer()) {
    return -1;
  }
  if (value.is_number_unsigned() && value.get<std::uint64_t>() > static_cast<std::uint64_t>(INT64_MAX)) {
    return -1;
  }
  return std::max<std::int64_t>(value.get<std::int64_t>(), -1);
}

struct Placed {
  std::int64_t begin = 0;
  std::int64_t end = 0;
  std::size_t tensor = 0;
};

// Reads one entry of the header; the error is the message alone.
std::optional<std::string> read_entry(const Json& value, SafeTensor& tensor, Placed& place)
{
  if (!value.is_object()) {
    return "an object with dtype, shape and data_offsets was expected";
  }
  const auto type = value.find("dtype");
  const auto shape = value.find("shape");
  const auto offsets = value.find("data_offsets");
  if (type == value.end() || !type->is_string() || shape == value.end() || !shape->is_array() ||
      offsets == value.end() || !offsets->is_array() || offsets->size() != 2) {
    return "dtype, shape and two data_offsets were expected";
  }
  const auto& word = type->get_ref<const std::string&>();
  tensor.type = find_type(word);
  if (tensor.type == nullptr) {
    return fmt::format("the dtype {} is not known", text::quoted(word));
  }
  tensor.elements = 1;
  bool overflow = false;
  for (const Json& size : *shape) {
    tensor.shape.push_back(whole(size));
    if (tensor.shape.back() < 0) {
      return fmt::format("{} is not a size", text::quoted(json::dump(size)));
    }
    overflow = __builtin_mul_overflow(tensor.elements, tensor.shape.back(), &tensor.elements) || overflow;
  }
  std::int64_t bits = 0;
  if (overflow || __builtin_mul_overflow(tensor.elements, std::int64_t{tensor.type->bits}, &bits)) {
    return "its shape has more bits than 64 bits can count";
  }
  place.begin = whole((*offsets)[0]);
  place.end = whole((*offsets)[1]);
  if (place.begin < 0 || place.end < place.begin) {
    return "data_offsets are a begin and an end";
  }
  tensor.bytes = place.end - place.begin;
  if (bits % 8 != 0 || bits / 8 != tensor.bytes) {
    return fmt::format("{} elements of {} do not take the {} bytes of its data_offsets", tensor.elements,
                       tensor.type->name, tensor.bytes);
  }
  return std::nullopt;
}

Error malformed(const std::string& file, std::string message)
{
  return Error{ErrorKind::malformed, std::move(message), file};
}

Result<Json> read_header(const ByteSource& source, const std::string& file)
{
  ByteReader in(source, file);
  const std::uint64_t length = in.number(8, "the length of the header");
  if (in.failed()) {
    return in.error();
  }
  if (length > k_largest_header) {
    return malformed(file, fmt::format("not a safetensors file: a header of {} bytes; at most {} are read", length,
                                       k_largest_header));
  }
  if (length > in.remaining()) {
    return malformed(file,
                     fmt::format("the header claims {} bytes, more than the {} that remain", length, in.remaining()));
  }
  std::string text(static_cast<std::size_t>(length), '\0');
  if (!source.read(8, text)) {
    return Error{ErrorKind::io, "cannot read the header", file};
  }
  if (!text.starts_with('{')) {
    return malformed(file, "not a safetensors file: the header does not begin with \"{\"");
  }
  json::ParseLimits limits;
  limits.bytes = k_largest_header;
  limits.values = k_most_values;
  limits.depth = 8;
  return json::parse(text, file, limits);
}

// The data is one run of tensors, from the end of the header to the end of the file.
Status check_places(const std::vector<SafeTensor>& tensors, std::vector<Placed> places, std::int64_t room,
                    const std::string& file)
{
  std::sort(places.begin(), places.end(),
            [](const Placed& a, const Placed& b) { return a.begin != b.begin ? a.begin < b.begin : a.end < b.end; });
  std::int64_t at = 0;
  for (const Placed& place : places) {
    if (place.begin != at) {
      return malformed(file,
                       fmt::format("the tensor {} begins at {}; {} was expected, as tensors lie one after another",
                                   text::quoted(tensors[place.tensor].name), place.begin, at));
    }
    at = place.end;
  }
  if (at > room) {
    return malformed(file, fmt::format("the file ends after {} bytes of data; its tensors take {}", room, at));
  }
  if (at < room) {
    return malformed(file, fmt::format("{} bytes at the end of the file belong to no tensor", room - at));
  }
  return {};
}

} // namespace

Result<SafeTensors> read_safetensors(const ByteSource& source, const std::string& file)
{
  HWADVISOR_TRY(header, read_header(source, file));
  ByteReader in(source, file);
  const std::uint64_t length = in.number(8, "the length of the header");
  SafeTensors out;
  std::vector<Placed> places;
  for (const auto& [name, value] : header.items()) {
    if (name == "__metadata__") {
      const bool texts = value.is_object() &&
                         std::all_of(value.begin(), value.end(), [](const Json& member) { return member.is_string(); });
      if (!texts) {
        return malformed(file, "__metadata__ is an object of texts");
      }
      continue;
    }
    SafeTensor tensor;
    tensor.name = name;
    Placed place;
    place.tensor = out.tensors.size();
    if (auto fault = read_entry(value, tensor, place)) {
      return malformed(file, fmt::format("the tensor {}: {}", text::quoted(name), *fault));
    }
    out.tensors.push_back(std::move(tensor));
    places.push_back(place);
  }
  const auto room = static_cast<std::int64_t>(source.size() - 8 - length);
  HWADVISOR_TRY_STATUS(check_places(out.tensors, std::move(places), room, file));
  out.file_bytes = static_cast<std::int64_t>(source.size());
  return out;
}

Result<SafeTensors> read_safetensors_file(const std::string& path)
{
  HWADVISOR_TRY(source, open_file(path));
  return read_safetensors(*source, path);
}

} // namespace hwadvisor::modelfile
