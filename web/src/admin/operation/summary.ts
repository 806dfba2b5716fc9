/** The records that an entry of a log is about, where it says so: the model and their ids. */
export interface LogSubject {
  model: string;
  ids: string[];
}

/** Changes of records are logged as `model.operation`. */
const RECORD_EVENT = /^([a-z_]+(?:\.[a-z_]+)+)\.(?:create|write|unlink)$/;

/** As many links as one entry shows. */
const MAX_SUBJECT_LINKS = 20;

/** Pure. */
export function parseEventSubject(event: string, summary: string | null): LogSubject | null {
  const model = RECORD_EVENT.exec(event)?.[1];
  return model ? { model, ids: parseRecordIds(summary) } : null;
}

/** The records that arguments name, as `{"ids":[1,2]}` or `{"id":1}`. Pure. */
export function parseRecordIds(summary: string | null): string[] {
  const args = tryParseJson(summary);
  if (args === null || typeof args !== 'object') return [];
  const { ids, id, record_ids: records } = args as Record<string, unknown>;
  const given = [ids, records].find(Array.isArray) ?? [id];
  return given
    .filter((each) => /^[1-9]\d*$/.test(String(each)))
    .slice(0, MAX_SUBJECT_LINKS)
    .map(String);
}

/** Arguments with one value a line, where they are JSON. Pure. */
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
