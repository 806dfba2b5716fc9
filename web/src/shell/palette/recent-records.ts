import { saveUiStateQuietly } from '../ui-state.ts';
import type { FoundRecord } from './palette-search.ts';

export const RECENT_RECORDS_NAME = 'palette.recent';
const MAX_RECENT_RECORDS = 6;

export const parseRecentRecords = (stored: unknown): FoundRecord[] =>
  Array.isArray(stored) ? stored.filter(isRecord) : [];

/** Moves a record to the front, or adds it there. */
export const addRecentRecord = (recent: readonly FoundRecord[], record: FoundRecord): FoundRecord[] =>
  [
    record,
    ...recent.filter(({ model, recordId }) => model !== record.model || recordId !== record.recordId),
  ].slice(0, MAX_RECENT_RECORDS);

/** Stores a recent record. Ignores errors, which must not prevent navigation. */
export const rememberRecord = (recent: readonly FoundRecord[], record: FoundRecord): Promise<void> =>
  saveUiStateQuietly(RECENT_RECORDS_NAME, addRecentRecord(recent, record));

const RECORD_KEYS = ['model', 'modelLabel', 'recordId', 'name'] as const;

const isRecord = (item: unknown): item is FoundRecord =>
  typeof item === 'object' &&
  item !== null &&
  RECORD_KEYS.every((part) => typeof (item as Record<string, unknown>)[part] === 'string');
