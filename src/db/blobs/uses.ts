import { type Sql, sql } from '../sql.ts';

/** A column that contains blob hashes. It needs an index on `workspace_id` and the column. */
interface BlobUse {
  table: string;
  column: string;
}

const registeredUses: BlobUse[] = [];

/** Registers a column that refers to blobs. A blob that no registered column refers to is deleted. */
export function defineBlobUse(use: BlobUse): void {
  registeredUses.push(use);
}

export const buildUnusedCondition = (workspaceId: number, hash: Sql): Sql =>
  sql.join(
    registeredUses.map(
      ({ table, column }) => sql`not exists (select 1 from ${sql.id(table)} u
        where u.workspace_id = ${workspaceId} and u.${sql.id(column)} = ${hash})`,
    ),
    ' and ',
  );

export const getBlobUses = (): readonly BlobUse[] => registeredUses;
