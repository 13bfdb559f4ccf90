#pragma once
// The page with its data as one document, which needs no server: -x oformat=html, and what the live
// page saves.
//
// The data are view lines (view/lines.h), gzipped, in base64: nothing that was traced is markup. A
// policy in the document allows its own script and style, which it names by their hashes, and
// nothing else.

#include <zlib.h>

#include <memory>
#include <string>
#include <string_view>

namespace dt::exports {

class Html {
 public:
  Html();
  ~Html();
  Html(const Html&) = delete;
  Html& operator=(const Html&) = delete;

  void add(std::string_view lines);
  // Once.
  std::string document();

 private:
  void deflate_all(int flush);

  std::unique_ptr<z_stream> stream_;
  std::string gzipped_;
};

// The script and the style of the page, and the document that loads both from beside it.
std::string_view page_script();
std::string_view page_style();
std::string live_page();
// An image of SVG.
std::string_view page_icon();

std::string base64(std::string_view bytes);

}  // namespace dt::exports
