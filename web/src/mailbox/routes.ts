import { createRoute } from '@tanstack/react-router';
import { defineScreen } from '../shell/root.tsx';
import { parseMailView, parseWriteView } from './address.ts';
import { parseSettingsView } from './settings/address.ts';

export const mailRoutes = [
  createRoute(defineScreen('/mail', () => import('./mail.tsx'), 'FirstMailbox')),
  createRoute({
    ...defineScreen('/mail/$mailbox/$folder', () => import('./mail.tsx'), 'Mail'),
    validateSearch: parseMailView,
  }),
  createRoute({
    ...defineScreen('/mail/$mailbox/label/$label', () => import('./mail.tsx'), 'Mail'),
    validateSearch: parseMailView,
  }),
  createRoute(defineScreen('/mail/$mailbox', () => import('./mail.tsx'), 'InboxRedirect')),
  createRoute(defineScreen('/mail/scheduled', () => import('./scheduled.tsx'), 'Scheduled')),
  createRoute({
    ...defineScreen('/mail/settings/$section', () => import('./settings/settings.tsx'), 'MailSettings'),
    validateSearch: parseSettingsView,
  }),
  createRoute({
    ...defineScreen('/mail/compose', () => import('./mail.tsx'), 'ComposePage'),
    validateSearch: parseWriteView,
  }),
] as const;
