import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { root } from '../shell/root.tsx';
import { mailView, writeView } from './address.ts';
import { settingsView } from './settings/address.ts';

const firstMailbox = createRoute({
  getParentRoute: () => root,
  path: '/mail',
  component: lazyRouteComponent(() => import('./mail.tsx'), 'FirstMailbox'),
});

const mail = createRoute({
  getParentRoute: () => root,
  path: '/mail/$mailbox/$folder',
  validateSearch: mailView,
  component: lazyRouteComponent(() => import('./mail.tsx'), 'Mail'),
});

const label = createRoute({
  getParentRoute: () => root,
  path: '/mail/$mailbox/label/$label',
  validateSearch: mailView,
  component: lazyRouteComponent(() => import('./mail.tsx'), 'Mail'),
});

const mailbox = createRoute({
  getParentRoute: () => root,
  path: '/mail/$mailbox',
  component: lazyRouteComponent(() => import('./mail.tsx'), 'InboxOf'),
});

const scheduled = createRoute({
  getParentRoute: () => root,
  path: '/mail/scheduled',
  component: lazyRouteComponent(() => import('./scheduled.tsx'), 'Scheduled'),
});

const mailSettings = createRoute({
  getParentRoute: () => root,
  path: '/mail/settings/$section',
  validateSearch: settingsView,
  component: lazyRouteComponent(() => import('./settings/settings.tsx'), 'MailSettings'),
});

const write = createRoute({
  getParentRoute: () => root,
  path: '/mail/compose',
  validateSearch: writeView,
  component: lazyRouteComponent(() => import('./mail.tsx'), 'WriteAt'),
});

export const mailRoutes = [firstMailbox, mail, label, mailbox, scheduled, mailSettings, write] as const;
