import { computeKeyedHash } from '../value/keys.ts';

/** Computes the hash that identifies a row of the authorization server. */
export const computeRowHash = (secretKey: string, kind: string, id: string): string =>
  computeKeyedHash(secretKey, `oauth ${kind} ${id}`);
