#include "report/document.hpp"

#include "catch.hpp"

using namespace hwadvisor::report;

TEST_CASE("CSV quotes what RFC 4180 wants quoted", "[report]")
{
  Grid grid;
  grid.columns = {{"name"}, {"bytes", true}};
  grid.rows = {{"plain", "1"}, {"a, b", "2"}, {"24\" rack", "3"}, {"two\nlines", "4"}, {"", "5"}};
  CHECK(render_csv(grid) == "name,bytes\r\nplain,1\r\n\"a, b\",2\r\n\"24\"\" rack\",3\r\n\"two\nlines\",4\r\n,5\r\n");
}

TEST_CASE("HTML shows markup as text", "[report]")
{
  Document document;
  document.add(Heading{"<b>R&D</b> \"7B\"", Tone::plain, true});
  document.add(Facts{{{"a<b", "c>d & e"}}});
  Grid grid;
  grid.columns = {{"<th>"}, {"n", true}};
  grid.rows = {{"<script>", "1"}};
  document.add(grid);
  const std::string html = render_html(document);
  CHECK(html.find("<title>&lt;b&gt;R&amp;D&lt;/b&gt; &quot;7B&quot;</title>") != std::string::npos);
  CHECK(html.find("<dt>a&lt;b</dt><dd>c&gt;d &amp; e</dd>") != std::string::npos);
  CHECK(html.find("<tr><td>&lt;script&gt;</td><td class=\"right\">1</td></tr>") != std::string::npos);
  CHECK(html.find("<script>") == std::string::npos);
}

TEST_CASE("Markdown keeps the marks of names", "[report]")
{
  Document document;
  Grid grid;
  grid.columns = {{"name"}, {"GiB", true}};
  grid.rows = {{"kv_cache | *x*", "1"}};
  document.add(grid);
  CHECK(render_markdown(document) == "| name | GiB |\n|---|---:|\n| kv\\_cache \\| \\*x\\* | 1 |\n");
}
