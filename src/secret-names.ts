/**
 * Names whose values never appear in audit entries, masked responses and error messages. `conn` contains the
 * credentials for another mail server, which a client may send as a string.
 */
const SECRET_NAME_PATTERN =
  /passw(or)?d|passphrase|secret|token|api_?key|private_?key|credential|authorization|^conn$/i;

export const isSecretName = (name: string): boolean => SECRET_NAME_PATTERN.test(name);
