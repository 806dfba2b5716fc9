/**
 * Names whose values never appear in audit entries, masked responses or error messages. `conn` contains credentials for
 * another mail server, which a client may send as a string.
 */
const SECRET_NAME_PATTERN =
  /passw(or)?d|passphrase|secret|token|(api|access|private|signing|client)_?key|credential|authorization|^conn$/i;

/** Words that must match a whole part of a name, so that `pinned` is not treated as a secret. */
const SECRET_WORD_PATTERN = /(^|_)(pwd|pass|pin|otp)(_|$)/i;

/** A credential in one of the server's own links, such as an invitation's, after the part of the link before it. */
export const LINK_CREDENTIAL = /([?&;]hash=|\/calendar\/feed\/[^\s/"]{1,40}\/)[0-9a-f]{32,}/gi;

export const isSecretName = (name: string): boolean =>
  SECRET_NAME_PATTERN.test(name) || SECRET_WORD_PATTERN.test(name);
