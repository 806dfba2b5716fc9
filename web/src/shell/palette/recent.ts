import { change, client } from '../../graphql/client.ts';
import { Refused } from '../../graphql/refusal.ts';
import { PaletteRecentDocument, PaletteRecentSaveDocument } from './generated.ts';
import type { FoundRecord } from './palette-search.ts';

/** The name under which the server keeps them for a person. */
const NAME = 'palette.recent';
const MOST = 6;

/** Records that somebody went to, the latest first, from what the server keeps for them. Pure. */
export function recentIn(values: unknown): FoundRecord[] {
  const kept = (values as Record<string, unknown> | undefined)?.[NAME];
  return Array.isArray(kept) ? kept.filter(isRecord) : [];
}

/** With a record in front, each once. Pure. */
export const withRecent = (recent: readonly FoundRecord[], record: FoundRecord): FoundRecord[] =>
  [
    record,
    ...recent.filter(({ model, recordId }) => model !== record.model || recordId !== record.recordId),
  ].slice(0, MOST);

/** Remembers a record; that it cannot be is no reason not to go there. */
export async function rememberRecord(recent: readonly FoundRecord[], record: FoundRecord): Promise<void> {
  try {
    await change(PaletteRecentSaveDocument, { values: { [NAME]: withRecent(recent, record) } });
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return;
  }
  // The palette shows what the cache has when it is opened again.
  await client.query(PaletteRecentDocument, {}, { requestPolicy: 'network-only' }).toPromise();
}

const PARTS = ['model', 'modelLabel', 'recordId', 'name'] as const;

const isRecord = (each: unknown): each is FoundRecord =>
  typeof each === 'object' &&
  each !== null &&
  PARTS.every((part) => typeof (each as Record<string, unknown>)[part] === 'string');
