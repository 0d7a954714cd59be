#pragma once

// The one place that knows which Catch2 is installed.
#if HWADVISOR_CATCH_VERSION >= 3
#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
using Catch::Approx;
#else
#include <catch2/catch.hpp>
#endif
