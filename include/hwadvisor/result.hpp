#pragma once

// Failure is a value in this library: nothing prints, aborts or exits, and nothing throws across this interface
// (allocation failure aside). A function that can fail returns Result<T>.

#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace hwadvisor {

// Each kind has one exit code, and only exit_code() knows the mapping.
enum class ErrorKind {
  io,        // unreadable or missing file, or an internal failure
  usage,     // a flag or a request key is wrong
  unmet,     // a requirement is not met: does not fit, over budget, nothing qualifies
  malformed, // an input file or a catalog is malformed
  unknown,   // a named model or hardware is not known, or its name is ambiguous
};

struct Error {
  ErrorKind kind = ErrorKind::io;
  std::string message;                      // one line: what is wrong and what would be accepted
  std::string where = {};                   // file, JSON pointer, or flag; empty when there is none
  std::vector<std::string> candidates = {}; // near matches or the variants to choose from
};

constexpr int exit_code(ErrorKind kind)
{
  switch (kind) {
  case ErrorKind::io:
    return 1;
  case ErrorKind::usage:
    return 2;
  case ErrorKind::unmet:
    return 3;
  case ErrorKind::malformed:
    return 4;
  case ErrorKind::unknown:
    return 5;
  }
  return 1;
}

constexpr const char* kind_name(ErrorKind kind)
{
  switch (kind) {
  case ErrorKind::io:
    return "io";
  case ErrorKind::usage:
    return "usage";
  case ErrorKind::unmet:
    return "unmet";
  case ErrorKind::malformed:
    return "malformed";
  case ErrorKind::unknown:
    return "unknown";
  }
  return "io";
}

template <class T> class [[nodiscard]] Result {
public:
  Result(T value) : m_state(std::move(value)) {}
  Result(Error error) : m_state(std::move(error)) {}

  bool ok() const { return std::holds_alternative<T>(m_state); }
  explicit operator bool() const { return ok(); }

  T& value() & { return std::get<T>(m_state); }
  const T& value() const& { return std::get<T>(m_state); }
  T&& value() && { return std::get<T>(std::move(m_state)); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  const Error& error() const& { return std::get<Error>(m_state); }
  Error&& error() && { return std::get<Error>(std::move(m_state)); }

private:
  std::variant<T, Error> m_state;
};

// The result of an action that yields nothing but may fail.
class [[nodiscard]] Status {
public:
  Status() = default;
  Status(Error error) : m_error(std::move(error)) {}

  bool ok() const { return !m_error.has_value(); }
  explicit operator bool() const { return ok(); }
  const Error& error() const { return *m_error; }

private:
  std::optional<Error> m_error;
};

} // namespace hwadvisor

// Evaluates `expression` (a Result), returns its error to the caller, or names its value `variable`.
#define HWADVISOR_TRY(variable, expression)                                                                            \
  auto variable##_result = (expression);                                                                               \
  if (!variable##_result.ok()) {                                                                                       \
    return std::move(variable##_result).error();                                                                       \
  }                                                                                                                    \
  auto& variable = *variable##_result
// The same for a Status.
#define HWADVISOR_TRY_STATUS(expression)                                                                               \
  do {                                                                                                                 \
    auto status_of_try = (expression);                                                                                 \
    if (!status_of_try.ok()) {                                                                                         \
      return status_of_try.error();                                                                                    \
    }                                                                                                                  \
  } while (false)
