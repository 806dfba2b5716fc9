import { callJson2 } from './call-json2.ts';
import type { Stage } from './stage.ts';

/** One caller per connection. Equal requests from one caller would share a read, which rarely happens in practice. */
const CALLERS = 16;

export interface Caller {
  uid: number;
  key: string;
}

interface CallerOptions {
  count?: number;
  role?: 'group_user' | 'group_system';
}

/** Creates users who can read and write all leads and contacts, each with an API key. */
export async function createCallers(
  stage: Stage,
  { count = CALLERS, role = 'group_user' }: CallerOptions = {},
): Promise<Caller[]> {
  const { app, userKey } = stage;
  const post = (path: string, body: object) => callJson2(app.port, userKey, path, body);
  const groups = await post('res.groups/search', { domain: [['full_name', 'like', 'Sales']] });
  const callers: Caller[] = [];
  for (let i = 0; i < count; i++) {
    const [uid] = await post('res.users/create', {
      vals_list: [{ name: `Caller ${i}`, login: `caller${i}`, group_ids: [[6, 0, groups]], role }],
    });
    callers.push({ uid, key: await createKey(stage, uid) });
  }
  return callers;
}

/** Creates an API key, by default of the administrator. */
export async function createKey({ app, userKey }: Stage, uid: number | null = null): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${app.port}/graphql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${userKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query: `mutation { keyCreate(name: "bench", userId: ${uid}) { key } }` }),
  });
  const { data } = (await response.json()) as { data: { keyCreate: { key: string } } };
  return data.keyCreate.key;
}

/**
 * Names that no record has, used to vary conditions. Their number is odd, so that each name occurs with every caller.
 */
export const ABSENT_NAMES = Array.from({ length: 15 }, (_, i) => `Nobody ${i}`);
