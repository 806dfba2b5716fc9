import { createRoute } from '@tanstack/react-router';
import { lazyRouteComponent } from '../connection/lazy.ts';
import { root } from '../shell/root.tsx';
import { parseEmailsView, parseOverviewView } from './address.ts';
import { parseCampaignsView, parseCampaignView } from './campaigns/address.ts';
import { parseContactsView } from './contacts/address.ts';
import { parseSuppressionsView } from './suppressions/address.ts';
import { parseTemplatesView, parseTemplateView } from './templates/address.ts';
import { parseCallsView } from './webhooks/address.ts';

const overview = createRoute({
  getParentRoute: () => root,
  path: '/email',
  validateSearch: parseOverviewView,
  component: lazyRouteComponent(() => import('./overview.tsx'), 'Overview'),
});

const emails = createRoute({
  getParentRoute: () => root,
  path: '/email/emails',
  validateSearch: parseEmailsView,
  component: lazyRouteComponent(() => import('./emails.tsx'), 'Emails'),
});

const templates = createRoute({
  getParentRoute: () => root,
  path: '/email/templates',
  validateSearch: parseTemplatesView,
  component: lazyRouteComponent(() => import('./templates/templates.tsx'), 'Templates'),
});

const template = createRoute({
  getParentRoute: () => root,
  path: '/email/templates/$id',
  validateSearch: parseTemplateView,
  component: lazyRouteComponent(() => import('./templates/template.tsx'), 'TemplatePage'),
});

const campaigns = createRoute({
  getParentRoute: () => root,
  path: '/email/campaigns',
  validateSearch: parseCampaignsView,
  component: lazyRouteComponent(() => import('./campaigns/campaigns.tsx'), 'Campaigns'),
});

const campaign = createRoute({
  getParentRoute: () => root,
  path: '/email/campaigns/$id',
  validateSearch: parseCampaignView,
  component: lazyRouteComponent(() => import('./campaigns/campaign.tsx'), 'CampaignPage'),
});

const domains = createRoute({
  getParentRoute: () => root,
  path: '/email/domains',
  component: lazyRouteComponent(() => import('./domains/domains.tsx'), 'Domains'),
});

const domain = createRoute({
  getParentRoute: () => root,
  path: '/email/domains/$id',
  component: lazyRouteComponent(() => import('./domains/domain.tsx'), 'DomainPage'),
});

const keys = createRoute({
  getParentRoute: () => root,
  path: '/email/keys',
  component: lazyRouteComponent(() => import('./keys.tsx'), 'Keys'),
});

const smtp = createRoute({
  getParentRoute: () => root,
  path: '/email/smtp',
  component: lazyRouteComponent(() => import('./smtp.tsx'), 'Smtp'),
});

const contactBooks = createRoute({
  getParentRoute: () => root,
  path: '/email/contacts',
  component: lazyRouteComponent(() => import('./contacts/books.tsx'), 'ContactBooks'),
});

const contactBook = createRoute({
  getParentRoute: () => root,
  path: '/email/contacts/$book',
  validateSearch: parseContactsView,
  component: lazyRouteComponent(() => import('./contacts/book.tsx'), 'BookPage'),
});

const contactsImport = createRoute({
  getParentRoute: () => root,
  path: '/email/contacts/$book/import',
  component: lazyRouteComponent(() => import('./contacts/import.tsx'), 'ImportPage'),
});

const optIn = createRoute({
  getParentRoute: () => root,
  path: '/email/contacts/$book/opt-in',
  component: lazyRouteComponent(() => import('./contacts/opt-in.tsx'), 'OptInPage'),
});

const suppressions = createRoute({
  getParentRoute: () => root,
  path: '/email/suppressions',
  validateSearch: parseSuppressionsView,
  component: lazyRouteComponent(() => import('./suppressions/suppressions.tsx'), 'Suppressions'),
});

const webhooks = createRoute({
  getParentRoute: () => root,
  path: '/email/webhooks',
  component: lazyRouteComponent(() => import('./webhooks/webhooks.tsx'), 'Webhooks'),
});

const webhook = createRoute({
  getParentRoute: () => root,
  path: '/email/webhooks/$id',
  validateSearch: parseCallsView,
  component: lazyRouteComponent(() => import('./webhooks/webhook.tsx'), 'WebhookPage'),
});

const webhookCall = createRoute({
  getParentRoute: () => root,
  path: '/email/webhooks/$id/calls/$call',
  component: lazyRouteComponent(() => import('./webhooks/call.tsx'), 'CallPage'),
});

export const emailRoutes = [
  overview,
  emails,
  templates,
  template,
  campaigns,
  campaign,
  domains,
  domain,
  keys,
  smtp,
  contactBooks,
  contactBook,
  contactsImport,
  optIn,
  suppressions,
  webhooks,
  webhook,
  webhookCall,
] as const;
