import { parseChoice, parseText } from '../../../ui/input/search-params.ts';
import type { UsersQueryVariables } from './generated.ts';

/** Without `show`, only active users are listed. */
export interface UsersView {
  q?: string;
  show?: UserFilter;
}

export const USER_FILTERS = ['active', 'administrators', 'portal', 'service', 'archived', 'all'] as const;
type UserFilter = (typeof USER_FILTERS)[number];

export const parseUsersView = ({ q, show }: Record<string, unknown>): UsersView => ({
  q: parseText(q),
  show: parseChoice(USER_FILTERS, show),
});

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

interface UserView {
  tab?: UserTab;
}

export const USER_TABS = ['details', 'groups', 'sessions', 'access'] as const;
type UserTab = (typeof USER_TABS)[number];

export const parseUserView = ({ tab }: Record<string, unknown>): UserView => ({
  tab: parseChoice(USER_TABS, tab),
});
