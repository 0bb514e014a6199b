"""From a page's HTML to Markdown, in a process of its own: the page is a stranger's, and the parser is native code."""
