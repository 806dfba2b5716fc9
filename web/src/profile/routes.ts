import { createRoute } from '@tanstack/react-router';
import { lazyRouteComponent } from '../connection/lazy.ts';
import { root } from '../shell/root.tsx';
import { parseAgentsView } from './address.ts';

const me = createRoute({
  getParentRoute: () => root,
  path: '/profile/me',
  component: lazyRouteComponent(() => import('./me.tsx'), 'Me'),
});

const security = createRoute({
  getParentRoute: () => root,
  path: '/profile/security',
  component: lazyRouteComponent(() => import('./security.tsx'), 'Security'),
});

const keys = createRoute({
  getParentRoute: () => root,
  path: '/profile/keys',
  component: lazyRouteComponent(() => import('./own-keys.tsx'), 'OwnKeys'),
});

const agents = createRoute({
  getParentRoute: () => root,
  path: '/profile/agents',
  validateSearch: parseAgentsView,
  component: lazyRouteComponent(() => import('./own-agents.tsx'), 'OwnAgents'),
});

const notifications = createRoute({
  getParentRoute: () => root,
  path: '/profile/notifications',
  component: lazyRouteComponent(() => import('./notifications.tsx'), 'Notifications'),
});

const preferences = createRoute({
  getParentRoute: () => root,
  path: '/profile/preferences',
  component: lazyRouteComponent(() => import('./preferences.tsx'), 'Preferences'),
});

export const profileRoutes = [me, security, keys, agents, notifications, preferences] as const;
