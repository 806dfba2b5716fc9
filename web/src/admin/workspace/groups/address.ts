import { parseChoice, parseText } from '../../operation/search-params.ts';

/** Search parameters of the group list. */
export interface GroupsView {
  q?: string;
}

export const parseGroupsView = ({ q }: Record<string, unknown>): GroupsView => ({ q: parseText(q) });

/** Search parameters of a group. */
interface GroupView {
  tab?: GroupTab;
}

export const GROUP_TABS = ['members', 'implied', 'rights', 'details'] as const;
type GroupTab = (typeof GROUP_TABS)[number];

export const parseGroupView = ({ tab }: Record<string, unknown>): GroupView => ({
  tab: parseChoice(GROUP_TABS, tab),
});
