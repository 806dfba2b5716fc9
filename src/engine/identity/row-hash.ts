import { computeKeyedHash } from '../value/keys.ts';

export const computeRowHash = (secretKey: string, kind: string, id: string): string =>
  computeKeyedHash(secretKey, `oauth ${kind} ${id}`);
