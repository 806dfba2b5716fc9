import { createRoute } from '@tanstack/react-router';
import { lazyRouteComponent } from '../../connection/lazy.ts';
import { root } from '../../shell/root.tsx';
import { parseAccessView } from './access/address.ts';
import { parseGroupsView, parseGroupView } from './groups/address.ts';
import { parseFeaturesView } from './settings/address.ts';
import { parseUsersView, parseUserView } from './users/address.ts';

const users = createRoute({
  getParentRoute: () => root,
  path: '/admin/users',
  validateSearch: parseUsersView,
  component: lazyRouteComponent(() => import('./users/users.tsx'), 'Users'),
});

const invitations = createRoute({
  getParentRoute: () => root,
  path: '/admin/users/invitations',
  component: lazyRouteComponent(() => import('./users/invitations.tsx'), 'Invitations'),
});

const user = createRoute({
  getParentRoute: () => root,
  path: '/admin/users/$id',
  validateSearch: parseUserView,
  component: lazyRouteComponent(() => import('./users/user.tsx'), 'UserPage'),
});

const groups = createRoute({
  getParentRoute: () => root,
  path: '/admin/groups',
  validateSearch: parseGroupsView,
  component: lazyRouteComponent(() => import('./groups/groups.tsx'), 'Groups'),
});

const group = createRoute({
  getParentRoute: () => root,
  path: '/admin/groups/$id',
  validateSearch: parseGroupView,
  component: lazyRouteComponent(() => import('./groups/group.tsx'), 'GroupPage'),
});

const access = createRoute({
  getParentRoute: () => root,
  path: '/admin/access',
  validateSearch: parseAccessView,
  component: lazyRouteComponent(() => import('./access/access.tsx'), 'Access'),
});

const features = createRoute({
  getParentRoute: () => root,
  path: '/admin/features',
  validateSearch: parseFeaturesView,
  component: lazyRouteComponent(() => import('./settings/features.tsx'), 'Features'),
});

const policies = createRoute({
  getParentRoute: () => root,
  path: '/admin/policies',
  component: lazyRouteComponent(() => import('./settings/policies.tsx'), 'Policies'),
});

const company = createRoute({
  getParentRoute: () => root,
  path: '/admin/company',
  component: lazyRouteComponent(() => import('./settings/company.tsx'), 'CompanyPage'),
});

export const adminWorkspaceRoutes = [
  users,
  invitations,
  user,
  groups,
  group,
  access,
  features,
  policies,
  company,
] as const;
