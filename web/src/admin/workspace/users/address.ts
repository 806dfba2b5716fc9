import { createChoiceParser, createViewParser, parseText } from '../../../ui/input/search-params.ts';
import type { UsersQueryVariables } from './generated.ts';

export const USER_FILTERS = ['active', 'administrators', 'portal', 'service', 'archived', 'all'] as const;
type UserFilter = (typeof USER_FILTERS)[number];

/** Without `show`, only active users are listed. */
export const parseUsersView = createViewParser({ q: parseText, show: createChoiceParser(USER_FILTERS) });

export type UsersView = ReturnType<typeof parseUsersView>;

type UsersVariables = Omit<UsersQueryVariables, 'first' | 'offset'>;

const FILTER_VARIABLES: Record<UserFilter, UsersVariables> = {
  active: { active: true },
  administrators: { active: true, role: 'GROUP_SYSTEM' },
  portal: { active: true, isPortal: true },
  service: { isService: true },
  archived: { active: false },
  all: {},
};

export const toUsersVariables = ({ q, show = 'active' }: UsersView): UsersVariables => ({
  ...FILTER_VARIABLES[show],
  q,
});

export const USER_TABS = ['details', 'groups', 'sessions', 'access'] as const;

export const parseUserView = createViewParser({ tab: createChoiceParser(USER_TABS) });
