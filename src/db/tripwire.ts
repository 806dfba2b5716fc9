import { getDatamodel } from './generated/pothos.ts';
import { COUNTED_TOGETHER } from './numbers.ts';

let tenantTable: RegExp | undefined;
let counted: ReadonlySet<string> | undefined;
let shared: ReadonlySet<string> | undefined;

/**
 * @throws Error for a statement that names a tenant's table and no `workspace_id`, or adds rows to a table whose rows
 * each workspace counts (see numbers.ts) and leaves their ids to the database
 */
export function tripwire(text: string): void {
  tenantTable ??= new RegExp(`\\b(?:${tenantTables().join('|')})\\b`, 'i');
  if (!text.includes('workspace_id') && tenantTable.test(text)) {
    throw new Error(`statement without workspace_id: ${text.slice(0, 200)}`);
  }
  for (const [, table, columns] of text.matchAll(INSERT))
    if (isCounted(table!) && !/\bid\b/.test(columns!))
      throw new Error(`new rows without ids (see src/db/numbers.ts): ${text.slice(0, 200)}`);
}

const INSERT = /\binsert\s+into\s+"?(\w+)"?\s+(?:as\s+\w+\s+)?\(([^)]*)\)/gi;

function isCounted(table: string): boolean {
  counted ??= new Set(
    Object.entries(models())
      .filter(([model, { fields }]) => isTenants(model) && fields.some(({ name }) => name === 'id'))
      .map(([model]) => tableOfModel(model))
      .filter((name) => !COUNTED_TOGETHER.has(name)),
  );
  return counted.has(table);
}

/** Whether the rows of a Prisma model belong to workspaces: then each names its own. */
export function isTenants(model: string): boolean {
  shared ??= new Set(
    Object.entries(models())
      .filter(([, { fields }]) => !fields.some((field) => field.name === 'workspace_id'))
      .map(([name]) => name),
  );
  return !shared.has(model);
}

const tenantTables = (): string[] => Object.keys(models()).filter(isTenants).map(tableOfModel);

/** The table of a Prisma model, whose name it is in snake case. */
export const tableOfModel = (name: string): string => name.replace(/(?<!^)([A-Z])/g, '_$1').toLowerCase();

interface Shape {
  /** `relationFromFields`: of a relation, the columns that lead to the other row. */
  fields: { name: string; kind: string; type: string; isRequired: boolean; relationFromFields?: string[] }[];
}

/** The models of the Prisma schema that the client was generated from, parsed with every call. */
export function models(): Record<string, Shape> {
  // Pothos declares only the part of the datamodel it uses.
  return (getDatamodel() as unknown as { datamodel: { models: Record<string, Shape> } }).datamodel.models;
}
