import { getDatamodel } from './generated/pothos.ts';

let tenantTablePattern: RegExp | undefined;
let countedTables: ReadonlySet<string> | undefined;
let sharedModels: ReadonlySet<string> | undefined;

/**
 * @throws Error if a statement names a tenant table without `workspace_id`, or inserts rows without ids into a table
 * with ids per workspace (see id-allocator.ts)
 */
export function assertTenantScoped(text: string): void {
  tenantTablePattern ??= new RegExp(`\\b(?:${listTenantTables().join('|')})\\b`, 'i');
  if (!text.includes('workspace_id') && tenantTablePattern.test(text)) {
    throw new Error(`statement without workspace_id: ${text.slice(0, 200)}`);
  }
  for (const [, table, columns] of text.matchAll(INSERT_PATTERN))
    if (isCountedTable(table!) && !/\bid\b/.test(columns!))
      throw new Error(`insert without ids (see src/db/id-allocator.ts): ${text.slice(0, 200)}`);
}

const INSERT_PATTERN = /\binsert\s+into\s+"?(\w+)"?\s+(?:as\s+\w+\s+)?\(([^)]*)\)/gi;

function isCountedTable(table: string): boolean {
  countedTables ??= new Set(
    Object.entries(getPrismaModels())
      // Rows that may lack a workspace have ids from a sequence.
      .filter(
        ([, { fields }]) =>
          fields.some(({ name, isRequired }) => name === 'workspace_id' && isRequired) &&
          fields.some(({ name }) => name === 'id'),
      )
      .map(([model]) => toTableName(model)),
  );
  return countedTables.has(table);
}

export function isTenantModel(model: string): boolean {
  sharedModels ??= new Set(
    Object.entries(getPrismaModels())
      .filter(([, { fields }]) => !fields.some((field) => field.name === 'workspace_id'))
      .map(([name]) => name),
  );
  return !sharedModels.has(model);
}

const listTenantTables = (): string[] =>
  Object.keys(getPrismaModels()).filter(isTenantModel).map(toTableName);

export const toTableName = (name: string): string => name.replace(/(?<!^)([A-Z])/g, '_$1').toLowerCase();

export interface PrismaField {
  name: string;
  type: string;
  kind: string;
  isRequired: boolean;
  isList: boolean;
  hasDefaultValue: boolean;
  relationName?: string;
  relationFromFields?: string[];
  documentation?: string;
}

export interface PrismaModel {
  fields: PrismaField[];
  documentation?: string;
}

/** Parses the schema on every call. */
export function getPrismaModels(): Record<string, PrismaModel> {
  // Pothos declares only the part of the datamodel that it uses.
  return (getDatamodel() as unknown as { datamodel: { models: Record<string, PrismaModel> } }).datamodel
    .models;
}
