package dev.nodekeeper.console;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Nothing of a cluster is markup")
final class HtmlTest {

  @Test
  void escaped() {
    assertThat(Html.escaped("<script>alert('\"&')</script>"))
        .isEqualTo("&lt;script&gt;alert(&#39;&quot;&amp;&#39;)&lt;/script&gt;");
    assertThat(new Html().raw("<a").attribute("href", "\" onclick=x").raw(">").toString())
        .isEqualTo("<a href=\"&quot; onclick=x\">");
    assertThat(new Html().cell("</td>").link("/?q=<", "<").toString())
        .isEqualTo("<td>&lt;/td&gt;</td><a href=\"/?q=&lt;\">&lt;</a>");
  }

  @Test
  @DisplayName("what would turn a line round or break it is shown, not obeyed")
  void shown() {
    assertThat(Html.escaped("a\u202eb\nc\u0000")).isEqualTo("a\\u202eb\\u000ac\\u0000");
  }
}
