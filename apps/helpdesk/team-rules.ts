import type { InitialRule } from '../../src/engine/model/model.ts';

/**
 * Builds record rules for a team's records. Team members can see them, and so can other helpdesk users unless the team
 * is private.
 * @param path path to the team, with a trailing dot, or '' for the team itself
 * @param extra further domain leaves that grant access
 */
export const buildTeamRules = (path: string, extra: string[] = []): InitialRule[] => {
  const leaves = [
    ...(path === '' ? [] : [`('${path.slice(0, -1)}', '=', False)`]),
    `('${path}privacy_visibility', '!=', 'invited_internal')`,
    `('${path}member_ids', 'in', user.ids)`,
    `('${path}user_id', '=', user.id)`,
    ...extra,
  ];
  const domain = [...leaves.slice(1).map(() => `'|'`), ...leaves].join(', ');
  return [
    { name: 'of public teams and of own ones', group: 'helpdesk.group_helpdesk_user', domain: `[${domain}]` },
    { name: 'of every team', group: 'helpdesk.group_helpdesk_manager', domain: "[(1, '=', 1)]" },
  ];
};
