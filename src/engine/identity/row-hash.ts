import { keyedHash } from '../value/keys.ts';

/** The name by which a row of the authorization server is found. */
export const rowHash = (secretKey: string, kind: string, id: string): string =>
  keyedHash(secretKey, `oauth ${kind} ${id}`);
