import { givenName, givenText } from '../../operation/given.ts';
import type { UsersQueryVariables } from './generated.ts';

/** Which users are shown, as it stands behind `?`; those that are active unless it says otherwise. */
export interface UsersView {
  /** Part of the name or the login. */
  q?: string;
  show?: UsersShown;
}

export const USERS_SHOWN = ['active', 'administrators', 'portal', 'service', 'archived', 'all'] as const;
export type UsersShown = (typeof USERS_SHOWN)[number];

/** Pure. */
export const usersView = ({ q, show }: Record<string, unknown>): UsersView => ({
  q: givenText(q),
  show: givenName(USERS_SHOWN, show),
});

type Asked = Omit<UsersQueryVariables, 'first' | 'offset'>;

const ASKED: Record<UsersShown, Asked> = {
  active: { active: true },
  administrators: { active: true, role: 'GROUP_SYSTEM' },
  portal: { active: true, isPortal: true },
  service: { isService: true },
  archived: { active: false },
  all: {},
};

/** What the view asks of the server. Pure. */
export const usersAsked = ({ q, show = 'active' }: UsersView): Asked => ({ ...ASKED[show], q });

/** What is open of a user, as it stands behind `?`. */
export interface UserView {
  tab?: UserTab;
}

export const USER_TABS = ['details', 'groups', 'sessions', 'access'] as const;
export type UserTab = (typeof USER_TABS)[number];

/** Pure. */
export const userView = ({ tab }: Record<string, unknown>): UserView => ({ tab: givenName(USER_TABS, tab) });
