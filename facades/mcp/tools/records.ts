import type { RawJson } from '../../../src/engine/value/raw-json.ts';
import type { ToolResult } from '../tool.ts';

/** Builds a result from the database's JSON text, without parsing it. */
export const toRecordsResult = (rows: RawJson): ToolResult => ({
  text: `{"records":${rows.text},"_count":${rows.count}}`,
  count: rows.count,
});
