/** Maximum characters of a message's text: `limits.mail.body`. */
export const MAX_TEXT = 524_288;
/** Maximum characters of the text to search: `limits.mail.searchedText`. */
export const MAX_SEARCHED_TEXT = 100_000;
