# A rebuild from another folder or branch is quick where ccache is installed; nothing changes where it is not.
find_program(HWADVISOR_CCACHE ccache)
mark_as_advanced(HWADVISOR_CCACHE)
if(HWADVISOR_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER "${CMAKE_COMMAND};-E;env;CCACHE_BASEDIR=${CMAKE_SOURCE_DIR};CCACHE_NOHASHDIR=1;${HWADVISOR_CCACHE}")
endif()
