import { getRole } from '../model/roles.ts';
import { and, type DomainNode, or, TRUE } from './node.ts';

/**
 * Removes conditions of the form "no company, or one of these" that list every company. Every row meets these
 * conditions, but PostgreSQL would still test each row.
 * @param companies all companies of the workspace
 */
export function removeIneffectiveCompanies(node: DomainNode, companies: ReadonlySet<number>): DomainNode {
  if (node.kind === 'and') return and(node.items.map((item) => removeIneffectiveCompanies(item, companies)));
  const parts = node.kind === 'or' ? node.items : [node];
  // Almost every rule matches records without a company or with one of the caller's companies.
  const company = getRole('company');
  const companiesByField = new Map<string, Set<unknown>>();
  for (const part of parts) {
    if (part.kind !== 'column' || part.operator !== 'in' || part.field.relation !== company) continue;
    const values = companiesByField.get(part.field.name) ?? new Set();
    for (const value of part.value as unknown[]) values.add(value);
    companiesByField.set(part.field.name, values);
  }
  const isIdle = [...companiesByField.values()].some(
    (values) => values.has(null) && [...companies].every((id) => values.has(id)),
  );
  if (isIdle) return TRUE;
  return node.kind === 'or'
    ? or(node.items.map((item) => removeIneffectiveCompanies(item, companies)))
    : node;
}
