import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { root } from '../../shell/root.tsx';
import { accessView } from './access/address.ts';
import { groupsView, groupView } from './groups/address.ts';
import { featuresView } from './settings/address.ts';
import { usersView, userView } from './users/address.ts';

const users = createRoute({
  getParentRoute: () => root,
  path: '/admin/users',
  validateSearch: usersView,
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
  validateSearch: userView,
  component: lazyRouteComponent(() => import('./users/user.tsx'), 'UserPage'),
});

const groups = createRoute({
  getParentRoute: () => root,
  path: '/admin/groups',
  validateSearch: groupsView,
  component: lazyRouteComponent(() => import('./groups/groups.tsx'), 'Groups'),
});

const group = createRoute({
  getParentRoute: () => root,
  path: '/admin/groups/$id',
  validateSearch: groupView,
  component: lazyRouteComponent(() => import('./groups/group.tsx'), 'GroupPage'),
});

const access = createRoute({
  getParentRoute: () => root,
  path: '/admin/access',
  validateSearch: accessView,
  component: lazyRouteComponent(() => import('./access/access.tsx'), 'Access'),
});

const features = createRoute({
  getParentRoute: () => root,
  path: '/admin/features',
  validateSearch: featuresView,
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
