import pg from 'pg';
import { expect } from 'vitest';
import { INVALIDATION_CHANNEL } from '../../src/db/notifications/cache-invalidation.ts';
import type { App } from '../harness/app.ts';

/** A row change, recorded by a trigger, whose transaction must invalidate the workspace. */
interface ObservedChange {
  pid: number;
  transaction: string;
  change: string;
  workspace: string | undefined;
}

/**
 * Receives the invalidations that another process would receive, and the row changes recorded by the harness's
 * triggers.
 */
export interface Witness {
  changed: Set<string>;
  /** Waits for the invalidations of all committed changes, and returns the changes without one. */
  unannounced(): Promise<string[]>;
  close(): Promise<void>;
}

export async function openWitness({ databaseUrl, runtime }: App): Promise<Witness> {
  const client = new pg.Client({ connectionString: databaseUrl });
  const changed = new Set<string>();
  const missing: string[] = [];
  let open: ObservedChange[] = [];
  let marks = 0;
  client.on('notification', ({ channel, payload = '', processId }) => {
    if (channel === 'mark') marks = Number(payload);
    if (channel === INVALIDATION_CHANNEL)
      open = open.filter(
        ({ pid, workspace }) => pid !== processId || (payload !== '' && workspace && payload !== workspace),
      );
    if (channel !== 'atrium_trigger') return;
    const [transaction, table, kind, workspace] = payload.split(' ');
    const change = `${table} ${kind}`;
    missing.push(...open.filter((item) => item.transaction !== transaction).map((item) => item.change));
    open = open.filter((item) => item.transaction === transaction);
    open.push({ pid: processId, transaction: transaction!, change, workspace });
    changed.add(change);
  });
  await client.connect();
  for (const channel of ['mark', 'atrium_trigger', INVALIDATION_CHANNEL])
    await client.query(`listen ${channel}`);
  return {
    changed,
    async unannounced() {
      const mark = marks + 1;
      await runtime.db.notify('mark', String(mark));
      await expect.poll(() => marks).toBe(mark);
      return [...missing, ...open.map((item) => item.change)];
    },
    close: () => client.end(),
  };
}
