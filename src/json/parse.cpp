#include "json/json.hpp"

#include "text/file.hpp"

#include <fmt/format.h>

#include <unordered_set>
#include <vector>

namespace hwadvisor::json {
namespace {

Error malformed(std::string_view file, std::string message, std::string_view pointer = {})
{
  std::string where(file);
  if (!pointer.empty()) {
    where += where.empty() ? "" : ": ";
    where += pointer;
  }
  return Error{ErrorKind::malformed, std::move(message), std::move(where)};
}

// Builds the document while watching depth, size and duplicate keys; stops at the first fault.
class Builder : public nlohmann::json_sax<Json> {
public:
  Builder(std::string_view file, const ParseLimits& limits) : m_file(file), m_limits(limits) {}

  bool null() override { return add(Json(nullptr)); }
  bool boolean(bool value) override { return add(Json(value)); }
  bool number_integer(number_integer_t value) override { return add(Json(value)); }
  bool number_unsigned(number_unsigned_t value) override { return add(Json(value)); }
  bool number_float(number_float_t value, const string_t& text) override
  {
    if (text.find_first_of(".eE") == std::string::npos) {
      return fail("the integer " + text.substr(0, 40) + " does not fit 64 bits");
    }
    return add(Json(value));
  }
  bool string(string_t& value) override { return add(Json(std::move(value))); }
  bool binary(binary_t&) override { return fail("binary values are not JSON"); }

  bool start_object(std::size_t) override { return open(Json::object()); }
  bool start_array(std::size_t) override { return open(Json::array()); }
  bool key(string_t& name) override
  {
    Frame& frame = m_stack.back();
    frame.key = name;
    if (!frame.keys.insert(name).second) {
      return fail("the key occurs twice in one object");
    }
    return true;
  }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }

  bool parse_error(std::size_t position, const std::string& last_token, const nlohmann::detail::exception& e) override
  {
    if (dynamic_cast<const nlohmann::detail::out_of_range*>(&e) != nullptr) {
      return fail(fmt::format("the number {} is beyond the range of numbers", last_token.substr(0, 40)));
    }
    // nlohmann's text ends in "…: syntax error …"; its start repeats an id and the position that we give ourselves.
    std::string_view text = e.what();
    if (const auto cut = text.find("syntax error"); cut != std::string_view::npos) {
      text.remove_prefix(cut);
    } else if (const auto colon = text.rfind(": "); colon != std::string_view::npos) {
      text.remove_prefix(colon + 2);
    }
    return fail(fmt::format("not valid JSON at byte {}: {}", position, text.substr(0, 160)));
  }

  bool failed() const { return m_error.has_value(); }
  Error take_error() { return std::move(*m_error); }
  Json take_root() { return std::move(m_root); }

private:
  struct Frame {
    Json* container;
    std::string key = {};
    std::unordered_set<std::string> keys = {};
  };

  bool fail(std::string message)
  {
    if (!m_error) {
      m_error = malformed(m_file, std::move(message), pointer());
    }
    return false;
  }

  std::string pointer() const
  {
    std::string out;
    for (const Frame& frame : m_stack) {
      if (frame.container->is_object()) {
        out += "/" + pointer_token(frame.key);
      } else {
        // An outer array already holds the element that is being read; the innermost is about to receive it.
        const bool innermost = &frame == &m_stack.back();
        out += fmt::format("/{}", frame.container->size() - (innermost ? 0 : 1));
      }
    }
    return out;
  }

  Json* place(Json&& value)
  {
    if (++m_values > m_limits.values) {
      fail(fmt::format("more than {} values", m_limits.values));
      return nullptr;
    }
    if (m_stack.empty()) {
      m_root = std::move(value);
      return &m_root;
    }
    Frame& frame = m_stack.back();
    if (frame.container->is_object()) {
      // The key is known to be new: append without searching.
      auto& object = frame.container->get_ref<Json::object_t&>();
      object.Container::emplace_back(frame.key, std::move(value));
      return &object.back().second;
    }
    frame.container->push_back(std::move(value));
    return &frame.container->back();
  }

  bool add(Json&& value) { return place(std::move(value)) != nullptr; }

  bool open(Json&& container)
  {
    if (static_cast<int>(m_stack.size()) >= m_limits.depth) {
      return fail(fmt::format("nested deeper than {} levels", m_limits.depth));
    }
    // References into a parent stay valid while it is open: a parent grows only after its child has closed.
    Json* placed = place(std::move(container));
    if (placed == nullptr) {
      return false;
    }
    m_stack.push_back(Frame{placed});
    return true;
  }

  bool close()
  {
    m_stack.pop_back();
    return true;
  }

  std::string_view m_file;
  ParseLimits m_limits;
  std::vector<Frame> m_stack;
  std::size_t m_values = 0;
  Json m_root;
  std::optional<Error> m_error;
};

// Python's json writes bare NaN, Infinity and -Infinity; outside strings they become null.
std::string without_non_finite(std::string_view text)
{
  std::string out;
  out.reserve(text.size());
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      out += c;
      if (c == '\\' && i + 1 < text.size()) {
        out += text[++i];
      } else if (c == '"') {
        in_string = false;
      }
      continue;
    }
    const std::string_view rest = text.substr(i);
    for (const std::string_view word :
         {std::string_view("NaN"), std::string_view("-Infinity"), std::string_view("Infinity")}) {
      if (rest.starts_with(word)) {
        out += "null";
        i += word.size() - 1;
        goto next;
      }
    }
    in_string = c == '"';
    out += c;
  next:;
  }
  return out;
}

} // namespace

Result<Json> parse(std::string_view text, std::string_view file, const ParseLimits& limits)
{
  if (text.size() > limits.bytes) {
    return malformed(file, fmt::format("larger than {} bytes", limits.bytes));
  }
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) {
    return malformed(file, "empty: a JSON value was expected");
  }
  std::string cleaned;
  if (limits.allow_non_finite) {
    cleaned = without_non_finite(text);
    text = cleaned;
  }
  Builder builder(file, limits);
  const bool complete = Json::sax_parse(text.begin(), text.end(), &builder);
  if (builder.failed()) {
    return builder.take_error();
  }
  if (!complete) {
    return malformed(file, "not valid JSON");
  }
  return builder.take_root();
}

Result<Json> parse_file(const std::string& path, const ParseLimits& limits)
{
  HWADVISOR_TRY(text, text::read_file(path, limits.bytes));
  return parse(text, path == "-" ? "standard input" : path, limits);
}

std::string pointer_token(std::string_view key)
{
  std::string out;
  for (const char c : key) {
    if (c == '~') {
      out += "~0";
    } else if (c == '/') {
      out += "~1";
    } else {
      out += c;
    }
  }
  return out;
}

std::string dump(const Json& value, int indent)
{
  return value.dump(indent, ' ', false, Json::error_handler_t::replace);
}

} // namespace hwadvisor::json
