import { saveUiStateQuietly } from '../ui-state.ts';
import type { FoundRecord } from './palette-search.ts';

/** The name under which the server keeps them for a person. */
export const RECENT_NAME = 'palette.recent';
const MAX_RECENT = 6;

/** Records that somebody went to, the latest first, from what the server keeps for them. Pure. */
export const parseRecent = (kept: unknown): FoundRecord[] =>
  Array.isArray(kept) ? kept.filter(isRecord) : [];

/** With a record in front, each once. Pure. */
export const addRecent = (recent: readonly FoundRecord[], record: FoundRecord): FoundRecord[] =>
  [
    record,
    ...recent.filter(({ model, recordId }) => model !== record.model || recordId !== record.recordId),
  ].slice(0, MAX_RECENT);

/** Remembers a record; that it cannot be is no reason not to go there. */
export const rememberRecord = (recent: readonly FoundRecord[], record: FoundRecord): Promise<void> =>
  saveUiStateQuietly(RECENT_NAME, addRecent(recent, record));

const RECORD_KEYS = ['model', 'modelLabel', 'recordId', 'name'] as const;

const isRecord = (each: unknown): each is FoundRecord =>
  typeof each === 'object' &&
  each !== null &&
  RECORD_KEYS.every((part) => typeof (each as Record<string, unknown>)[part] === 'string');
