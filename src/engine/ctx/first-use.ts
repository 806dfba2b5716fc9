import type { Db } from '../../db/db.ts';
import { sql } from '../../db/sql.ts';

// Reference rows that are added to a workspace on first use. See docs/adr/0028-first-use.md.

export interface FirstUses {
  requested: Set<string>;
  running: Promise<void> | null;
}

/**
 * Runs `run` after the required reference rows exist.
 * @param add adds the rows of all given models, or no rows if it fails
 */
export function runAfterFirstUses<T>(
  uses: FirstUses,
  add: (models: string[]) => Promise<void>,
  run: () => Promise<T>,
): Promise<T> {
  if (uses.requested.size > 0) beginFirstUses(uses, add);
  return uses.running ? uses.running.then(run) : run();
}

function beginFirstUses(uses: FirstUses, add: (models: string[]) => Promise<void>): void {
  const before = (uses.running ?? Promise.resolve()).catch(() => undefined);
  const running = before.then(() => addRequestedModels(uses, add));
  const clear = () => {
    if (uses.running === running) uses.running = null;
  };
  running.then(clear, clear);
  uses.running = running;
}

/** If adding fails, the models stay requested, so that the next statement tries again. */
async function addRequestedModels(
  { requested: keys }: FirstUses,
  add: (models: string[]) => Promise<void>,
): Promise<void> {
  const models = [...keys];
  keys.clear();
  try {
    if (models.length > 0) await add(models);
  } catch (error) {
    for (const model of models) keys.add(model);
    throw error;
  }
}

/** Locks the workspace's row, so that no other transaction adds the reference rows at the same time. */
export async function lacksReferenceRows(db: Db, workspace: number, model: string): Promise<boolean> {
  const rows = await db.rows(
    sql`select 1 from workspace where id = ${workspace} and not ${model} = any(filled) for no key update`,
  );
  return rows.length > 0;
}

export const recordReferenceRows = (db: Db, workspace: number, model: string): Promise<unknown> =>
  db.rows(sql`update workspace set filled = array_append(filled, ${model}) where id = ${workspace}`);
