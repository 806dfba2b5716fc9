import { parseChoice, parseText } from '../../operation/search-params.ts';

/** Which groups are shown, as it stands behind `?`. */
export interface GroupsView {
  /** Part of the name. */
  q?: string;
}

/** Pure. */
export const parseGroupsView = ({ q }: Record<string, unknown>): GroupsView => ({ q: parseText(q) });

/** What is open of a group, as it stands behind `?`. */
export interface GroupView {
  tab?: GroupTab;
}

export const GROUP_TABS = ['members', 'implied', 'rights', 'details'] as const;
export type GroupTab = (typeof GROUP_TABS)[number];

/** Pure. */
export const parseGroupView = ({ tab }: Record<string, unknown>): GroupView => ({
  tab: parseChoice(GROUP_TABS, tab),
});
