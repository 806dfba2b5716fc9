import type { InitialRule } from '../../src/engine/model/model.ts';

/**
 * Rules of what belongs to a team: its members see it, and all users of the helpdesk where it is not private.
 * @param path to the team, with a dot at its end; '' for the team itself
 * @param more leaves of a domain by which a user sees a record as well
 */
export const buildTeamRules = (path: string, more: string[] = []): InitialRule[] => {
  const leaves = [
    ...(path === '' ? [] : [`('${path.slice(0, -1)}', '=', False)`]),
    `('${path}privacy_visibility', '!=', 'invited_internal')`,
    `('${path}member_ids', 'in', user.ids)`,
    `('${path}user_id', '=', user.id)`,
    ...more,
  ];
  const domain = [...leaves.slice(1).map(() => `'|'`), ...leaves].join(', ');
  return [
    { name: 'of public teams and of own ones', group: 'helpdesk.group_helpdesk_user', domain: `[${domain}]` },
    { name: 'of every team', group: 'helpdesk.group_helpdesk_manager', domain: "[(1, '=', 1)]" },
  ];
};
