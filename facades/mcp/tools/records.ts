import type { RawJson } from '../../../src/engine/value/raw-json.ts';
import type { ToolResult } from '../tool.ts';

/** Rows as the database wrote them: they are put into the answer without being read. */
export const toRecordsResult = (rows: RawJson): ToolResult => ({
  text: `{"records":${rows.text},"_count":${rows.count}}`,
  count: rows.count,
});
