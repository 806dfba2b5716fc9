import type { Principal } from '../../src/engine/model/principal.ts';
import { getRole } from '../../src/engine/model/roles.ts';

/** Roles that restrict tools, with the external id of the group that grants each. */
const ROLE_GROUPS = {
  administrator: () => getRole('administrators'),
  'mail administrator': () => getRole('administrators'),
  designer: () => 'website.group_website_designer',
};

export const ROLE_DESCRIPTIONS: Record<ToolRole, string> = {
  administrator: 'the Administrator role',
  'mail administrator': 'a mail administrator',
  designer: 'the rights of a website designer',
};

export type ToolRole = keyof typeof ROLE_GROUPS;

export const hasRole = ({ groups }: Principal, role: ToolRole): boolean =>
  groups.has(ROLE_GROUPS[role]()) || groups.has(getRole('administrators'));

/** Returns true if the caller's key has the scope; `write` includes reading. */
export const hasScope = ({ scopes }: Principal, scope: 'read' | 'write'): boolean =>
  scopes === null || scopes.includes(scope) || scopes.includes('write');

export const isAllowedFor = (
  principal: Principal,
  { scope, role }: { scope: 'read' | 'write'; role?: ToolRole | undefined },
): boolean => hasScope(principal, scope) && (!role || hasRole(principal, role));
