export interface LogSubject {
  model: string;
  ids: string[];
}

/** Record changes are logged as `model.operation`. */
const RECORD_EVENT = /^([a-z_]+(?:\.[a-z_]+)+)\.(?:create|write|unlink)$/;

const MAX_SUBJECT_LINKS = 20;

export function parseEventSubject(event: string, summary: string | null): LogSubject | null {
  const model = RECORD_EVENT.exec(event)?.[1];
  return model ? { model, ids: parseRecordIds(summary) } : null;
}

/** Returns the record ids in logged arguments such as `{"ids":[1,2]}` or `{"id":1}`. */
export function parseRecordIds(summary: string | null): string[] {
  const args = tryParseJson(summary);
  if (args === null || typeof args !== 'object') return [];
  const { ids, id, record_ids: records } = args as Record<string, unknown>;
  const rawIds = [ids, records].find(Array.isArray) ?? [id];
  return rawIds
    .filter((rawId) => /^[1-9]\d*$/.test(String(rawId)))
    .slice(0, MAX_SUBJECT_LINKS)
    .map(String);
}

/** Formats JSON arguments with one value per line. Returns other text unchanged. */
export function formatArguments(summary: string): string {
  const args = tryParseJson(summary);
  return args === undefined ? summary : JSON.stringify(args, null, 2);
}

function tryParseJson(text: string | null): unknown {
  try {
    return text === null ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}
