import { limits } from '../limits.ts';
import { getDatamodel } from './generated/pothos.ts';

/**
 * The name to prepare a statement under, undefined to send it as it is. A statement that is met often is prepared:
 * Postgres then plans it a few times per connection, not per call. Those that differ each time stay unnamed, and so do
 * long ones, so that neither this process nor its connections fill up.
 * @throws Error when it touches a tenant's table without naming the workspace
 */
export function nameOf(text: string): string | undefined {
  return names.nameOf(text);
}

interface Names {
  nameOf(text: string): string | undefined;
}

/** @param check run for a text unless it has passed before @param now ms */
export function createNames(check: (text: string) => void, now: () => number = Date.now): Names {
  const named = new Map<string, string>();
  const met = new Map<string, number>();
  let since = now();
  let last = 0;

  function countOf(text: string): number {
    const before = met.get(text);
    if (before === undefined) check(text);
    // In the order of their last meeting, so that a passing text leaves before one that comes again.
    else met.delete(text);
    if (met.size >= limits.sql.prepared) met.delete(met.keys().next().value!);
    const count = (before ?? 0) + 1;
    met.set(text, count);
    return count;
  }

  function hasRoom(): boolean {
    if (named.size < limits.sql.prepared) return true;
    if (now() - since < limits.sql.preparedTime) return false;
    named.clear();
    since = now();
    return true;
  }

  return {
    nameOf(text) {
      const known = named.get(text);
      if (known) return known;
      if (text.length > limits.sql.preparedLength) {
        check(text);
        return undefined;
      }
      if (countOf(text) < limits.sql.preparedAfter || !hasRoom()) return undefined;
      met.delete(text);
      // Never used twice: a connection may still have another statement under an old one.
      const name = `s${++last}`;
      named.set(text, name);
      return name;
    },
  };
}

const names = createNames(tripwire);

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

const tenantTables = (): string[] =>
  Object.keys(models())
    .filter(isTenants)
    .map((name) => name.replace(/(?<!^)([A-Z])/g, '_$1').toLowerCase());

interface Shape {
  fields: { name: string }[];
}

function models(): Record<string, Shape> {
  // Pothos declares only the part of the datamodel it uses.
  return (getDatamodel() as unknown as { datamodel: { models: Record<string, Shape> } }).datamodel.models;
}
