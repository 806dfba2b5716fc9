import { computeKeyedHash } from '../value/keys.ts';

/** The name by which a row of the authorization server is found. */
export const computeRowHash = (secretKey: string, kind: string, id: string): string =>
  computeKeyedHash(secretKey, `oauth ${kind} ${id}`);
