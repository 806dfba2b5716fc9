/**
 * Names whose values no audit line, no masked answer and no error message shows. `conn` is how to sign in to another
 * mail server: a client may have it as text.
 */
const SECRET_NAME_PATTERN =
  /passw(or)?d|passphrase|secret|token|api_?key|private_?key|credential|authorization|^conn$/i;

export const isSecretName = (name: string): boolean => SECRET_NAME_PATTERN.test(name);
