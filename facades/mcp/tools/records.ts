import type { RawJson } from '../../../src/engine/value/raw-json.ts';
import type { Shaped } from '../tool.ts';

/** Rows as the database wrote them: they are put into the answer without being read. */
export const recordsOf = (rows: RawJson): Shaped => ({
  text: `{"records":${rows.text},"_count":${rows.count}}`,
  count: rows.count,
});
