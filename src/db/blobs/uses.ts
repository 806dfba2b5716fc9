import { type Sql, sql } from '../sql.ts';

/** A column by which rows of a workspace refer to contents; an index leads with `workspace_id` and it. */
export interface BlobUse {
  table: string;
  column: string;
}

const registeredUses: BlobUse[] = [];

/** Says that a table refers to contents. One that no row refers to is deleted, so each such table says it. */
export function defineBlobUse(use: BlobUse): void {
  registeredUses.push(use);
}

/** Whether no row refers to the content whose name is in `hash`. */
export const buildUnusedCondition = (workspaceId: number, hash: Sql): Sql =>
  sql.join(
    registeredUses.map(
      ({ table, column }) => sql`not exists (select 1 from ${sql.id(table)} u
        where u.workspace_id = ${workspaceId} and u.${sql.id(column)} = ${hash})`,
    ),
    ' and ',
  );

/** Every column by which rows refer to contents. */
export const getBlobUses = (): readonly BlobUse[] => registeredUses;
