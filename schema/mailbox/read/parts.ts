import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import type { PartLocation } from '../../../src/message/parse/part-content.ts';
import type { TransferEncoding } from '../../../src/message/parse/transfer.ts';

export interface PartRow {
  content_id: number;
  number: number;
  path: string;
  type: string;
  filename: string;
  charset: string | null;
  cid: string | null;
  role: string;
  encoding: string;
  body_from: number;
  body_to: number;
  size: number;
}

/** Returns the parts' locations by number. A container must precede its parts. */
export function locateParts(parts: readonly PartRow[]): Map<number, PartLocation> {
  const containers = new Map<string, PartLocation>();
  return new Map(
    parts.map(({ number, path, role, encoding, body_from: bodyFrom, body_to: bodyTo }) => {
      const container = findContainer(containers, path);
      const location = { bodyFrom, bodyTo, encoding: encoding as TransferEncoding, container };
      if (role === 'container') containers.set(path, location);
      return [number, location];
    }),
  );
}

/** Finds the innermost container, whose path is a prefix of `path`. */
function findContainer(
  containers: ReadonlyMap<string, PartLocation>,
  path: string,
): PartLocation | undefined {
  if (containers.size === 0) return undefined;
  for (let end = path.lastIndexOf('.'); end > 0; end = path.lastIndexOf('.', end - 1)) {
    const container = containers.get(path.slice(0, end));
    if (container) return container;
  }
  return undefined;
}

export async function loadPartRows(ctx: Ctx, ids: readonly number[]): Promise<Map<number, PartRow[]>> {
  const rows = await ctx.db.rows<PartRow>(
    sql`select content_id, number, path, type, filename, charset, cid, role, encoding, body_from, body_to, size
     from svc_mail_part where workspace_id = ${ctx.workspace.id} and content_id = any(${ids}::int8[])
     order by content_id, number`,
  );
  return Map.groupBy(rows, ({ content_id }) => content_id);
}

/** Loads up to `maxParts` parts, in the order of `ids`. */
export const loadFirstPartRows = (ctx: Ctx, ids: readonly number[], maxParts: number): Promise<PartRow[]> =>
  ctx.db.rows<PartRow>(
    sql`select p.content_id, p.number, p.path, p.type, p.filename, p.charset, p.cid, p.role, p.encoding, p.body_from,
       p.body_to, p.size
     from unnest(${ids}::int8[]) with ordinality a(id, place)
     join svc_mail_part p on p.workspace_id = ${ctx.workspace.id} and p.content_id = a.id
     order by a.place, p.number limit ${maxParts}`,
  );
