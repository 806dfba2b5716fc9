import { parseChoice } from '../../../ui/input/search-params.ts';

export const APPS_TABS = ['apps', 'news'] as const;
type AppsTab = (typeof APPS_TABS)[number];

interface AppsView {
  tab?: AppsTab;
}

export const parseAppsView = ({ tab }: Record<string, unknown>): AppsView => ({
  tab: parseChoice(APPS_TABS, tab),
});
