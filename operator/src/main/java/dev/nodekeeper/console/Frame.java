package dev.nodekeeper.console;

/** What is around every page. */
final class Frame {
  private Frame() {}

  static Html open(String title, String search) {
    Html html = new Html();
    html.raw("<!doctype html><html lang=en><head><meta charset=utf-8>")
        .raw("<meta name=viewport content=\"width=device-width, initial-scale=1\">")
        .element("title", title + " - Nodekeeper")
        .raw("<link rel=stylesheet href=/console.css><link rel=icon href=/icon.svg>")
        .raw("<script src=/console.js defer></script></head><body>")
        .raw("<a class=skip href=#main>Skip to content</a>")
        .raw("<header><a class=home href=/>Nodekeeper</a>")
        .raw("<form action=/ method=get role=search><label for=q>Find</label>")
        .raw("<input id=q name=q type=search autocomplete=off maxlength=253")
        .attribute("value", search)
        .attribute("placeholder", "part of a name, or label=value")
        .raw("></form></header><main id=main>");
    return html;
  }

  static String close(Html html) {
    return html.raw("</main><footer>Read-only. Keys: <kbd>/</kbd> find, <kbd>j</kbd> <kbd>k</kbd> ")
        .raw("move, <kbd>Enter</kbd> open, <kbd>n</kbd> <kbd>p</kbd> page, <kbd>h</kbd> fleet")
        .raw("</footer></body></html>")
        .toString();
  }
}
