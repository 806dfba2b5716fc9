import { getDatamodel } from './generated/pothos.ts';

let tenantTable: RegExp | undefined;

/** @throws Error for a statement that names a tenant's table and no `workspace_id` */
export function tripwire(text: string): void {
  tenantTable ??= new RegExp(`\\b(?:${tenantTables().join('|')})\\b`, 'i');
  if (!text.includes('workspace_id') && tenantTable.test(text)) {
    throw new Error(`statement without workspace_id: ${text.slice(0, 200)}`);
  }
}

/** Whether the rows of a Prisma model belong to workspaces: then each names its own. */
export const isTenants = (model: string): boolean =>
  models()[model]?.fields.some((field) => field.name === 'workspace_id') ?? true;

const tenantTables = (): string[] => Object.keys(models()).filter(isTenants).map(tableOfModel);

/** The table of a Prisma model, whose name it is in snake case. */
export const tableOfModel = (name: string): string => name.replace(/(?<!^)([A-Z])/g, '_$1').toLowerCase();

interface Shape {
  /** `relationFromFields`: of a relation, the columns that lead to the other row. */
  fields: { name: string; kind: string; relationFromFields?: string[] }[];
}

/** The models of the Prisma schema that the client was generated from. */
export function models(): Record<string, Shape> {
  // Pothos declares only the part of the datamodel it uses.
  return (getDatamodel() as unknown as { datamodel: { models: Record<string, Shape> } }).datamodel.models;
}
