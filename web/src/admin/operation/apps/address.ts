import { parseChoice } from '../search-params.ts';

export const APPS_TABS = ['apps', 'news'] as const;
export type AppsTab = (typeof APPS_TABS)[number];

/** What is shown of the apps, as it stands behind `?`. */
export interface AppsView {
  tab?: AppsTab;
}

/** Pure. */
export const parseAppsView = ({ tab }: Record<string, unknown>): AppsView => ({
  tab: parseChoice(APPS_TABS, tab),
});
