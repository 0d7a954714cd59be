// Times whole processes: wall time (minimum and median of many runs) and peak memory, each beside an empty program.
// Commands alternate, so that a slow moment of the machine touches all of them.

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace {

struct Command {
  std::string title;
  std::vector<std::string> arguments;
  int runs = 0;
  std::vector<double> milliseconds = {};
  long peak_kib = 0;
};

bool run_once(Command& command)
{
  std::vector<char*> argv;
  for (std::string& argument : command.arguments) {
    argv.push_back(argument.data());
  }
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);

  const auto start = std::chrono::steady_clock::now();
  pid_t child = 0;
  const bool started = posix_spawn(&child, argv[0], &actions, nullptr, argv.data(), environ) == 0;
  posix_spawn_file_actions_destroy(&actions);
  if (!started) {
    return false;
  }
  int status = 0;
  rusage usage{};
  if (wait4(child, &status, 0, &usage) != child) {
    return false;
  }
  const std::chrono::duration<double, std::milli> wall = std::chrono::steady_clock::now() - start;
  command.milliseconds.push_back(wall.count());
  command.peak_kib = std::max(command.peak_kib, usage.ru_maxrss);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

} // namespace

int main(int argc, char* argv[])
{
  if (argc != 3) {
    std::fputs("usage: process_bench EMPTY_PROGRAM HWADVISOR\n", stderr);
    return 2;
  }
  const std::string empty = argv[1];
  const std::string program = argv[2];
  std::vector<Command> commands = {
      {"an empty C++ program", {empty}, 200},
      {"--version", {program, "--version"}, 200},
      {"estimate --params 7B", {program, "estimate", "--params", "7B", "--precision", "fp16"}, 200},
      {"estimate MODEL --on DEVICE",
       {program, "estimate", "llama-3.1-8b", "--on", "rtx 4090", "--precision", "q4_k_m", "--json"},
       200},
      {"catalog list (the whole catalog)", {program, "catalog", "list"}, 50},
      {"recommend, fine-tuning for a team",
       {program, "recommend", "llama-2-7b", "--task", "finetuning", "--method", "lora", "--micro-batch", "8",
        "--scenario", "team-training"},
       30},
      {"recommend, learning", {program, "recommend", "resnet-50", "--task", "training", "--scenario", "learning"}, 30},
      {"recommend, serving at 64",
       {program, "recommend", "llama-3.1-70b", "--precision", "fp8", "--scenario", "high-concurrency-serving",
        "--concurrency", "64"},
       30},
  };
  for (int round = 0; round < 200; ++round) {
    for (Command& command : commands) {
      if (round < command.runs && !run_once(command)) {
        fmt::print(stderr, "'{}' did not run, or failed\n", command.title);
        return 1;
      }
    }
  }

  const double floor_ms = *std::min_element(commands[0].milliseconds.begin(), commands[0].milliseconds.end());
  const long floor_kib = commands[0].peak_kib;
  fmt::print("{:36} {:>9} {:>9} {:>9} {:>11} {:>11}\n", "command", "min ms", "median ms", "x empty", "peak MiB",
             "above empty");
  for (Command& command : commands) {
    std::sort(command.milliseconds.begin(), command.milliseconds.end());
    const double fastest = command.milliseconds.front();
    const double median = command.milliseconds[command.milliseconds.size() / 2];
    fmt::print("{:36} {:9.2f} {:9.2f} {:9.1f} {:11.1f} {:11.1f}\n", command.title, fastest, median, fastest / floor_ms,
               static_cast<double>(command.peak_kib) / 1024.0,
               static_cast<double>(command.peak_kib - floor_kib) / 1024.0);
  }
  return 0;
}
