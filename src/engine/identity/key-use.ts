import type { Database } from '../../db/pool.ts';
import type { Caller } from '../ctx/runtime.ts';

const MINUTE = 60_000;
const GATHER = 1_000;
const MOST = 10_000;

/**
 * Notes that keys are used: once a minute for each, together for all, and no request waits for it. What cannot be
 * written is left out; the next minute tells again.
 */
export function createKeyUse(db: Database): (caller: Caller) => void {
  const noted = new Map<number, number>();
  let waiting: Caller[] = [];
  const write = async () => {
    const callers = waiting;
    waiting = [];
    await db
      .rows(WRITE, [
        callers.map(({ workspace }) => workspace.id),
        callers.map(({ principal }) => principal.keyId),
      ])
      .catch(() => undefined);
  };
  return (caller) => {
    const { keyId } = caller.principal;
    const now = Date.now();
    if (keyId === null || now - (noted.get(keyId) ?? 0) < MINUTE) return;
    if (noted.size >= MOST) noted.clear();
    noted.set(keyId, now);
    if (waiting.push(caller) === 1) setTimeout(write, GATHER).unref();
  };
}

const WRITE = `
  insert into svc_api_key_use (workspace_id, key_id, used_at)
  select k.workspace_id, k.id, now() from svc_api_key k
  where (k.workspace_id, k.id) in (select * from unnest($1::int[], $2::int[])) order by k.workspace_id, k.id
  on conflict (workspace_id, key_id) do update set used_at = excluded.used_at
    where svc_api_key_use.used_at < now() - interval '30 seconds'`;
