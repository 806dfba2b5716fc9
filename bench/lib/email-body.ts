const paragraph =
  'The quick brown fox jumps over the lazy dog while the committee, as usual, writes a long report about it. ';

/** Bodies of a typical transactional email: about 1.5 KB of text and 3 KB of HTML. */
export const emailBody = {
  text: paragraph.repeat(14),
  html: `<html><body>${`<p style="margin:0 0 12px">${paragraph}</p>`.repeat(22)}</body></html>`,
};
