import { createRoute } from '@tanstack/react-router';
import { defineScreen } from '../shell/root.tsx';
import { parseEmailsView, parseOverviewView } from './address.ts';
import { parseCampaignsView, parseCampaignView } from './campaigns/address.ts';
import { parseContactsView } from './contacts/address.ts';
import { parseSuppressionsView } from './suppressions/address.ts';
import { parseTemplatesView, parseTemplateView } from './templates/address.ts';
import { parseCallsView } from './webhooks/address.ts';

export const emailRoutes = [
  createRoute({
    ...defineScreen('/email', () => import('./overview.tsx'), 'Overview'),
    validateSearch: parseOverviewView,
  }),
  createRoute({
    ...defineScreen('/email/emails', () => import('./emails.tsx'), 'Emails'),
    validateSearch: parseEmailsView,
  }),
  createRoute({
    ...defineScreen('/email/templates', () => import('./templates/templates.tsx'), 'Templates'),
    validateSearch: parseTemplatesView,
  }),
  createRoute({
    ...defineScreen('/email/templates/$id', () => import('./templates/template.tsx'), 'TemplatePage'),
    validateSearch: parseTemplateView,
  }),
  createRoute({
    ...defineScreen('/email/campaigns', () => import('./campaigns/campaigns.tsx'), 'Campaigns'),
    validateSearch: parseCampaignsView,
  }),
  createRoute({
    ...defineScreen('/email/campaigns/$id', () => import('./campaigns/campaign.tsx'), 'CampaignPage'),
    validateSearch: parseCampaignView,
  }),
  createRoute(defineScreen('/email/domains', () => import('./domains/domains.tsx'), 'Domains')),
  createRoute(defineScreen('/email/domains/$id', () => import('./domains/domain.tsx'), 'DomainPage')),
  createRoute(defineScreen('/email/keys', () => import('./keys.tsx'), 'Keys')),
  createRoute(defineScreen('/email/smtp', () => import('./smtp.tsx'), 'Smtp')),
  createRoute(defineScreen('/email/contacts', () => import('./contacts/books.tsx'), 'ContactBooks')),
  createRoute({
    ...defineScreen('/email/contacts/$book', () => import('./contacts/book.tsx'), 'BookPage'),
    validateSearch: parseContactsView,
  }),
  createRoute(
    defineScreen('/email/contacts/$book/import', () => import('./contacts/import.tsx'), 'ImportPage'),
  ),
  createRoute(
    defineScreen('/email/contacts/$book/opt-in', () => import('./contacts/opt-in.tsx'), 'OptInPage'),
  ),
  createRoute({
    ...defineScreen('/email/suppressions', () => import('./suppressions/suppressions.tsx'), 'Suppressions'),
    validateSearch: parseSuppressionsView,
  }),
  createRoute(defineScreen('/email/webhooks', () => import('./webhooks/webhooks.tsx'), 'Webhooks')),
  createRoute({
    ...defineScreen('/email/webhooks/$id', () => import('./webhooks/webhook.tsx'), 'WebhookPage'),
    validateSearch: parseCallsView,
  }),
  createRoute(
    defineScreen('/email/webhooks/$id/calls/$call', () => import('./webhooks/call.tsx'), 'CallPage'),
  ),
] as const;
