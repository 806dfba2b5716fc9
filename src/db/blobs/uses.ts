import { type Sql, sql } from '../sql.ts';

/** A column that refers to blobs. It needs an index that leads with `workspace_id` and the column. */
interface BlobUse {
  table: string;
  column: string;
}

const registeredUses: BlobUse[] = [];

/** Registers a column that refers to blobs. Unreferenced blobs are deleted, so every such column must be registered. */
export function defineBlobUse(use: BlobUse): void {
  registeredUses.push(use);
}

/** Builds the condition that no row refers to the blob with this hash. */
export const buildUnusedCondition = (workspaceId: number, hash: Sql): Sql =>
  sql.join(
    registeredUses.map(
      ({ table, column }) => sql`not exists (select 1 from ${sql.id(table)} u
        where u.workspace_id = ${workspaceId} and u.${sql.id(column)} = ${hash})`,
    ),
    ' and ',
  );

export const getBlobUses = (): readonly BlobUse[] => registeredUses;
