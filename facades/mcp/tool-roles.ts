import type { Principal } from '../../src/engine/model/principal.ts';
import { getRole } from '../../src/engine/model/roles.ts';

/** Who may use a tool that is not for everyone, and how an external id of a group says so. */
const GROUP_OF = {
  administrator: () => getRole('administrators'),
  'mail administrator': () => getRole('administrators'),
  designer: () => 'website.group_website_designer',
};

/** What a refusal calls it. */
export const NEEDED_ROLE: Record<ToolRole, string> = {
  administrator: 'the Administrator role',
  'mail administrator': 'a mail administrator',
  designer: 'the rights of a website designer',
};

export type ToolRole = keyof typeof GROUP_OF;

/** Whether the caller has the role; an administrator has each of them. */
export const hasRole = ({ groups }: Principal, role: ToolRole): boolean =>
  groups.has(GROUP_OF[role]()) || groups.has(getRole('administrators'));

/** Whether the caller's key reaches so far; `write` includes reading. */
export const hasScope = ({ scopes }: Principal, scope: 'read' | 'write'): boolean =>
  scopes === null || scopes.includes(scope) || scopes.includes('write');
