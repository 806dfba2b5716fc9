import { createRoute } from '@tanstack/react-router';
import { lazyRouteComponent } from '../connection/lazy.ts';
import { root } from '../shell/root.tsx';
import { parseMailView, parseWriteView } from './address.ts';
import { parseSettingsView } from './settings/address.ts';

const firstMailbox = createRoute({
  getParentRoute: () => root,
  path: '/mail',
  component: lazyRouteComponent(() => import('./mail.tsx'), 'FirstMailbox'),
});

const mail = createRoute({
  getParentRoute: () => root,
  path: '/mail/$mailbox/$folder',
  validateSearch: parseMailView,
  component: lazyRouteComponent(() => import('./mail.tsx'), 'Mail'),
});

const label = createRoute({
  getParentRoute: () => root,
  path: '/mail/$mailbox/label/$label',
  validateSearch: parseMailView,
  component: lazyRouteComponent(() => import('./mail.tsx'), 'Mail'),
});

const mailbox = createRoute({
  getParentRoute: () => root,
  path: '/mail/$mailbox',
  component: lazyRouteComponent(() => import('./mail.tsx'), 'InboxRedirect'),
});

const scheduledRoute = createRoute({
  getParentRoute: () => root,
  path: '/mail/scheduled',
  component: lazyRouteComponent(() => import('./scheduled.tsx'), 'Scheduled'),
});

const mailSettings = createRoute({
  getParentRoute: () => root,
  path: '/mail/settings/$section',
  validateSearch: parseSettingsView,
  component: lazyRouteComponent(() => import('./settings/settings.tsx'), 'MailSettings'),
});

const write = createRoute({
  getParentRoute: () => root,
  path: '/mail/compose',
  validateSearch: parseWriteView,
  component: lazyRouteComponent(() => import('./mail.tsx'), 'ComposePage'),
});

export const mailRoutes = [firstMailbox, mail, label, mailbox, scheduledRoute, mailSettings, write] as const;
