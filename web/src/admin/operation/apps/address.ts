import { createChoiceParser, createViewParser } from '../../../ui/input/search-params.ts';

export const APPS_TABS = ['apps', 'news'] as const;

export const parseAppsView = createViewParser({ tab: createChoiceParser(APPS_TABS) });
