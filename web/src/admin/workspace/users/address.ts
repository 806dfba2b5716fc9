import { parseChoice, parseText } from '../../operation/search-params.ts';
import type { UsersQueryVariables } from './generated.ts';

/** Which users are shown, as it stands behind `?`; those that are active unless it says otherwise. */
export interface UsersView {
  /** Part of the name or the login. */
  q?: string;
  show?: UserFilter;
}

export const USER_FILTERS = ['active', 'administrators', 'portal', 'service', 'archived', 'all'] as const;
export type UserFilter = (typeof USER_FILTERS)[number];

/** Pure. */
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

/** What the view asks of the server. Pure. */
export const toUsersVariables = ({ q, show = 'active' }: UsersView): UsersVariables => ({
  ...FILTER_VARIABLES[show],
  q,
});

/** What is open of a user, as it stands behind `?`. */
export interface UserView {
  tab?: UserTab;
}

export const USER_TABS = ['details', 'groups', 'sessions', 'access'] as const;
export type UserTab = (typeof USER_TABS)[number];

/** Pure. */
export const parseUserView = ({ tab }: Record<string, unknown>): UserView => ({
  tab: parseChoice(USER_TABS, tab),
});
