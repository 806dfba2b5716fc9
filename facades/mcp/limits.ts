/** Arrays and objects open inside each other in a message; a domain of the record API may be 60 deep. */
export const MESSAGE_DEPTH = 100;

/** How long a client may keep what a list or discovery answered, in milliseconds. */
export const LIST_TTL = 3_600_000;
