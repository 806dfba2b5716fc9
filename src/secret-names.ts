/**
 * Names whose values never appear in audit entries, masked responses or error messages. `conn` contains credentials for
 * another mail server, which a client may send as a string.
 */
const SECRET_NAME_PATTERN =
  /passw(or)?d|passphrase|secret|token|(api|access|private|signing|client)_?key|credential|authorization|^conn$/i;

/** Words that must match a whole part of a name, so that `pinned` is not treated as a secret. */
const SECRET_WORD_PATTERN = /(^|_)(pwd|pass|pin|otp)(_|$)/i;

export const isSecretName = (name: string): boolean =>
  SECRET_NAME_PATTERN.test(name) || SECRET_WORD_PATTERN.test(name);
