/** Names whose values no audit line, no masked answer and no error message shows. */
const SECRET_NAME = /passw(or)?d|passphrase|secret|token|api_?key|private_?key|credential|authorization/i;

export const isSecretName = (name: string): boolean => SECRET_NAME.test(name);
