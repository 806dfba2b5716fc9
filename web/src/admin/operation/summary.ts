/** The records that an entry of a log is about, where it says so: the model and their ids. */
export interface SubjectOfEntry {
  model: string;
  ids: string[];
}

/** Changes of records are logged as `model.operation`. */
const OF_RECORDS = /^([a-z_]+(?:\.[a-z_]+)+)\.(?:create|write|unlink)$/;

/** As many links as one entry shows. */
const MOST = 20;

/** Pure. */
export function subjectOfEvent(event: string, summary: string | null): SubjectOfEntry | null {
  const model = OF_RECORDS.exec(event)?.[1];
  return model ? { model, ids: idsOf(summary) } : null;
}

/** The records that arguments name, as `{"ids":[1,2]}` or `{"id":1}`. Pure. */
export function idsOf(summary: string | null): string[] {
  const args = parsed(summary);
  if (args === null || typeof args !== 'object') return [];
  const { ids, id, record_ids: records } = args as Record<string, unknown>;
  const given = [ids, records].find(Array.isArray) ?? [id];
  return given
    .filter((each) => /^[1-9]\d*$/.test(String(each)))
    .slice(0, MOST)
    .map(String);
}

/** Arguments with one value a line, where they are JSON. Pure. */
export function readable(summary: string): string {
  const args = parsed(summary);
  return args === undefined ? summary : JSON.stringify(args, null, 2);
}

function parsed(text: string | null): unknown {
  try {
    return text === null ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}
