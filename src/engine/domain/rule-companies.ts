import { getRole } from '../model/roles.ts';
import { and, type DomainNode, or, TRUE } from './node.ts';

/**
 * The rule without the parts that say "of no company, or of one of these" where these are all there are: every row
 * passes them, and Postgres would ask each. `companies` are all of the workspace.
 */
export function removeIdleCompanies(node: DomainNode, companies: ReadonlySet<number>): DomainNode {
  if (node.kind === 'and') return and(node.items.map((item) => removeIdleCompanies(item, companies)));
  const parts = node.kind === 'or' ? node.items : [node];
  // Nearly every rule lets through what is of the own companies, or of none.
  const company = getRole('company');
  const asked = new Map<string, Set<unknown>>();
  for (const part of parts) {
    if (part.kind !== 'column' || part.operator !== 'in' || part.field.relation !== company) continue;
    const values = asked.get(part.field.name) ?? new Set();
    for (const value of part.value as unknown[]) values.add(value);
    asked.set(part.field.name, values);
  }
  const isIdle = [...asked.values()].some(
    (values) => values.has(null) && [...companies].every((id) => values.has(id)),
  );
  if (isIdle) return TRUE;
  return node.kind === 'or' ? or(node.items.map((item) => removeIdleCompanies(item, companies))) : node;
}
