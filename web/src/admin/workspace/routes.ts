import { createRoute } from '@tanstack/react-router';
import { defineScreen } from '../../shell/root.tsx';
import { parseAccessView } from './access/address.ts';
import { parseGroupsView, parseGroupView } from './groups/address.ts';
import { parseFeaturesView } from './settings/address.ts';
import { parseUsersView, parseUserView } from './users/address.ts';

export const adminWorkspaceRoutes = [
  createRoute({
    ...defineScreen('/admin/users', () => import('./users/users.tsx'), 'Users'),
    validateSearch: parseUsersView,
  }),
  createRoute(
    defineScreen('/admin/users/invitations', () => import('./users/invitations.tsx'), 'Invitations'),
  ),
  createRoute({
    ...defineScreen('/admin/users/$id', () => import('./users/user.tsx'), 'UserPage'),
    validateSearch: parseUserView,
  }),
  createRoute({
    ...defineScreen('/admin/groups', () => import('./groups/groups.tsx'), 'Groups'),
    validateSearch: parseGroupsView,
  }),
  createRoute({
    ...defineScreen('/admin/groups/$id', () => import('./groups/group.tsx'), 'GroupPage'),
    validateSearch: parseGroupView,
  }),
  createRoute({
    ...defineScreen('/admin/access', () => import('./access/access.tsx'), 'Access'),
    validateSearch: parseAccessView,
  }),
  createRoute({
    ...defineScreen('/admin/features', () => import('./settings/features.tsx'), 'Features'),
    validateSearch: parseFeaturesView,
  }),
  createRoute(defineScreen('/admin/policies', () => import('./settings/policies.tsx'), 'Policies')),
  createRoute(defineScreen('/admin/company', () => import('./settings/company.tsx'), 'CompanyPage')),
] as const;
