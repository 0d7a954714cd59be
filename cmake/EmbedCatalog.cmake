# The catalog inside the library is a build product: pack_catalog, made of the library's own objects, reads and checks
# data/ and writes one binary file; an assembler directive takes that file into an object of the library.
#
# The packer runs while building, so a cross build needs an emulator (CMAKE_CROSSCOMPILING_EMULATOR).
function(hwadvisor_embed_catalog library)
  set(data "${CMAKE_SOURCE_DIR}/data")
  set(pack "${CMAKE_BINARY_DIR}/catalog.pack")
  set(source "${CMAKE_SOURCE_DIR}/src/catalog/embedded_pack.cpp")
  file(GLOB_RECURSE inputs CONFIGURE_DEPENDS "${data}/*.json")

  add_executable(pack_catalog "${CMAKE_SOURCE_DIR}/src/catalog/pack_main.cpp")
  target_include_directories(pack_catalog PRIVATE "${CMAKE_SOURCE_DIR}/src")
  target_link_libraries(pack_catalog PRIVATE hwadvisor_objects hwadvisor_warnings nlohmann_json::nlohmann_json
    hwadvisor_fmt)
  set_source_files_properties("${CMAKE_SOURCE_DIR}/src/catalog/pack_main.cpp" PROPERTIES
    COMPILE_DEFINITIONS FMT_HEADER_ONLY=1)

  add_custom_command(OUTPUT "${pack}"
    COMMAND pack_catalog "${data}" "${pack}"
    DEPENDS pack_catalog ${inputs}
    COMMENT "Packing the catalog"
    VERBATIM)
  set_source_files_properties("${source}" PROPERTIES
    COMPILE_DEFINITIONS "HWADVISOR_PACK_FILE=\"${pack}\""
    OBJECT_DEPENDS "${pack}")
  target_sources(${library} PRIVATE "${source}")
  target_include_directories(${library} PRIVATE "${CMAKE_SOURCE_DIR}/src")
endfunction()
