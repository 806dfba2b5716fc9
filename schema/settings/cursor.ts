import { decodeBase64, decodeCursorChunk } from '@pothos/core';
import type { Ctx } from '../../src/engine/ctx/ctx.ts';
import { errors } from '../../src/errors.ts';
import type { PageArguments } from '../graph/read/page.ts';
import type { ResourceSource } from './resources.ts';
import { getDelegate } from './visible-where.ts';
import type { PrismaWhere } from './where.ts';

/**
 * A cursor contains the key of a row and can be forged. It must point to a row that the caller may read, because
 * otherwise the start of a page would reveal the row's values.
 * @throws BAD_REQUEST
 */
export async function checkCursors(
  ctx: Ctx,
  source: ResourceSource,
  { workspace_id, AND }: PrismaWhere,
  { after, before }: PageArguments,
): Promise<void> {
  for (const [name, cursor] of Object.entries({ after, before })) {
    if (cursor === null || cursor === undefined) continue;
    const id = decodeCursorId(ctx, cursor);
    const found =
      id !== null &&
      (await getDelegate(ctx, source).findFirst({ where: { workspace_id, AND, id }, select: { id: true } }));
    if (!found) throw errors.notCursor(name);
  }
}

/** Runs before Prisma reads the cursors. @throws BAD_REQUEST unless they are cursors of the caller's workspace */
export function checkCursorForm(ctx: Ctx, { after, before }: PageArguments): void {
  for (const [name, cursor] of Object.entries({ after, before }))
    if (cursor !== null && cursor !== undefined && decodeCursorId(ctx, cursor) === null)
      throw errors.notCursor(name);
}

/** The id in a cursor of the caller's workspace. Null for anything else. */
function decodeCursorId(ctx: Ctx, cursor: string): number | null {
  try {
    const [workspace, id] = decodeCursorChunk(decodeBase64(cursor).slice('GPC:'.length)) as unknown[];
    return workspace === ctx.workspace.id && Number.isInteger(id) ? (id as number) : null;
  } catch {
    return null;
  }
}
