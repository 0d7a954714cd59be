# The JSON Schemas of data/schema inside the library, as a build product: one raw string each.
# Included by src/report/CMakeLists.txt; run as a script (cmake -P) it writes the file.
if(CMAKE_SCRIPT_MODE_FILE)
  set(out "// Generated from data/schema by cmake/EmbedSchemas.cmake; do not edit.\n")
  file(GLOB schemas "${SCHEMA_DIR}/*.schema.json")
  list(SORT schemas)
  foreach(path IN LISTS schemas)
    get_filename_component(name "${path}" NAME)
    string(REPLACE ".schema.json" "" name "${name}")
    file(READ "${path}" text)
    string(APPEND out "{\"${name}\", R\"schema(${text})schema\"},\n")
  endforeach()
  file(WRITE "${OUTPUT}" "${out}")
  return()
endif()

function(hwadvisor_embed_schemas target source)
  set(dir "${CMAKE_SOURCE_DIR}/data/schema")
  set(output "${CMAKE_BINARY_DIR}/generated/schemas.inc")
  file(GLOB schemas CONFIGURE_DEPENDS "${dir}/*.schema.json")
  add_custom_command(OUTPUT "${output}"
    COMMAND "${CMAKE_COMMAND}" -DSCHEMA_DIR=${dir} -DOUTPUT=${output} -P "${CMAKE_SOURCE_DIR}/cmake/EmbedSchemas.cmake"
    DEPENDS ${schemas} "${CMAKE_SOURCE_DIR}/cmake/EmbedSchemas.cmake"
    COMMENT "Embedding the JSON Schemas"
    VERBATIM)
  # A target of its own: the command belongs to this folder, the objects to the top one.
  add_custom_target(hwadvisor_schemas DEPENDS "${output}")
  add_dependencies(${target} hwadvisor_schemas)
  set_property(SOURCE "${source}" TARGET_DIRECTORY ${target} APPEND PROPERTY OBJECT_DEPENDS "${output}")
  target_include_directories(${target} PRIVATE "${CMAKE_BINARY_DIR}/generated")
endfunction()
