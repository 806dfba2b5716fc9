import { createRoute } from '@tanstack/react-router';
import { defineScreen } from '../shell/root.tsx';
import { parseAgentsView } from './address.ts';

export const profileRoutes = [
  createRoute(defineScreen('/profile/me', () => import('./me.tsx'), 'Me')),
  createRoute(defineScreen('/profile/security', () => import('./security.tsx'), 'Security')),
  createRoute(defineScreen('/profile/keys', () => import('./own-keys.tsx'), 'OwnKeys')),
  createRoute({
    ...defineScreen('/profile/agents', () => import('./own-agents.tsx'), 'OwnAgents'),
    validateSearch: parseAgentsView,
  }),
  createRoute(defineScreen('/profile/notifications', () => import('./notifications.tsx'), 'Notifications')),
  createRoute(defineScreen('/profile/preferences', () => import('./preferences.tsx'), 'Preferences')),
] as const;
