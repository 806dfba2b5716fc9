import { parseChoice, parseText } from '../../../ui/input/search-params.ts';

export interface GroupsView {
  q?: string;
}

export const parseGroupsView = ({ q }: Record<string, unknown>): GroupsView => ({ q: parseText(q) });

interface GroupView {
  tab?: GroupTab;
}

export const GROUP_TABS = ['members', 'implied', 'rights', 'details'] as const;
type GroupTab = (typeof GROUP_TABS)[number];

export const parseGroupView = ({ tab }: Record<string, unknown>): GroupView => ({
  tab: parseChoice(GROUP_TABS, tab),
});
