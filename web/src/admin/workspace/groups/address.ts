import { givenName, givenText } from '../../operation/given.ts';

/** Which groups are shown, as it stands behind `?`. */
export interface GroupsView {
  /** Part of the name. */
  q?: string;
}

/** Pure. */
export const groupsView = ({ q }: Record<string, unknown>): GroupsView => ({ q: givenText(q) });

/** What is open of a group, as it stands behind `?`. */
export interface GroupView {
  tab?: GroupTab;
}

export const GROUP_TABS = ['members', 'implied', 'rights', 'details'] as const;
export type GroupTab = (typeof GROUP_TABS)[number];

/** Pure. */
export const groupView = ({ tab }: Record<string, unknown>): GroupView => ({
  tab: givenName(GROUP_TABS, tab),
});
