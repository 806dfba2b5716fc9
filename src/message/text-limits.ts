/** Maximum characters of a message's text. Equals `limits.mail.body`. */
export const MAX_TEXT = 524_288;
/** Maximum characters of searchable text. Equals `limits.mail.searchedText`. */
export const MAX_SEARCHED_TEXT = 100_000;
