import { limits } from '../../../src/limits.ts';

/**
 * SQL of some emails, locked: one that another process changes meanwhile is asked again whether it is still meant.
 * @param which condition on `m`
 */
export const pieceOf = (which: string): string =>
  `(select m.workspace_id, m.id from svc_email m where m.workspace_id > 0 and ${which} limit ${limits.pieceRows} for no key update)`;
