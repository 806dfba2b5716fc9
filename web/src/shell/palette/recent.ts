import { keepQuietly } from '../kept.ts';
import type { FoundRecord } from './palette-search.ts';

/** The name under which the server keeps them for a person. */
export const RECENT = 'palette.recent';
const MOST = 6;

/** Records that somebody went to, the latest first, from what the server keeps for them. Pure. */
export const recentIn = (kept: unknown): FoundRecord[] => (Array.isArray(kept) ? kept.filter(isRecord) : []);

/** With a record in front, each once. Pure. */
export const withRecent = (recent: readonly FoundRecord[], record: FoundRecord): FoundRecord[] =>
  [
    record,
    ...recent.filter(({ model, recordId }) => model !== record.model || recordId !== record.recordId),
  ].slice(0, MOST);

/** Remembers a record; that it cannot be is no reason not to go there. */
export const rememberRecord = (recent: readonly FoundRecord[], record: FoundRecord): Promise<void> =>
  keepQuietly(RECENT, withRecent(recent, record));

const PARTS = ['model', 'modelLabel', 'recordId', 'name'] as const;

const isRecord = (each: unknown): each is FoundRecord =>
  typeof each === 'object' &&
  each !== null &&
  PARTS.every((part) => typeof (each as Record<string, unknown>)[part] === 'string');
