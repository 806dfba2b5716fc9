import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';

/** A label added to (1) or removed from (-1) a message in a folder. Moving a labeled message causes one of each. */
interface LabelCountChange {
  labelId: number;
  folderId: number;
  day: number;
  by: 1 | -1;
}

/** Updates labels' message counts, in total and per folder and day. The mailbox must be locked. */
export async function updateLabelCounts(ctx: Ctx, steps: readonly LabelCountChange[]): Promise<void> {
  const totals = new Map<number, number>();
  const days = new Map<string, Omit<LabelCountChange, 'by'> & { n: number }>();
  for (const { by, ...at } of steps) {
    totals.set(at.labelId, (totals.get(at.labelId) ?? 0) + by);
    const key = `${at.labelId} ${at.folderId} ${at.day}`;
    days.set(key, { ...at, n: (days.get(key)?.n ?? 0) + by });
  }
  await addToLabels(
    ctx,
    [...totals].filter(([, n]) => n !== 0),
  );
  await addToDays(
    ctx,
    [...days.values()].filter(({ n }) => n !== 0),
  );
}

async function addToLabels(ctx: Ctx, totals: [id: number, n: number][]): Promise<void> {
  if (totals.length === 0) return;
  const workspace = ctx.workspace.id;
  await ctx.db.rows(
    sql`update svc_mail_label l set total = l.total + d.n
     from unnest(${totals.map(([id]) => id)}::int[], ${totals.map(([, n]) => n)}::int[]) d(id, n)
     where l.workspace_id = ${workspace} and l.id = d.id`,
  );
}

async function addToDays(ctx: Ctx, days: (Omit<LabelCountChange, 'by'> & { n: number })[]): Promise<void> {
  if (days.length === 0) return;
  await ctx.db.rows(
    sql`insert into svc_mail_label_bucket (workspace_id, label_id, folder_id, day, n)
     select b.workspace_id, b.id, d.folder_id, d.day, d.n
     from unnest(${days.map(({ labelId }) => labelId)}::int[], ${days.map(({ folderId }) => folderId)}::int[],
       ${days.map(({ day }) => day)}::int[], ${days.map(({ n }) => n)}::int[]) d(label_id, folder_id, day, n)
     join svc_mail_label b on b.workspace_id = ${ctx.workspace.id} and b.id = d.label_id
     on conflict (workspace_id, label_id, folder_id, day) do update set n = svc_mail_label_bucket.n + excluded.n`,
  );
}
