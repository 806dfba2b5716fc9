import { createChoiceParser, createViewParser, parseText } from '../../../ui/input/search-params.ts';

export const parseGroupsView = createViewParser({ q: parseText });

export type GroupsView = ReturnType<typeof parseGroupsView>;

export const GROUP_TABS = ['members', 'implied', 'rights', 'details'] as const;

export const parseGroupView = createViewParser({ tab: createChoiceParser(GROUP_TABS) });
