/** Characters of the text of a message that are read: `limits.mail.body`. */
export const MAX_TEXT = 524_288;
/** Characters of it that searches look into: `limits.mail.searchedText`. */
export const MAX_SEARCHED_TEXT = 100_000;
