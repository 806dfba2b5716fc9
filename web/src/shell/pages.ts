import type { shellStrings } from './strings.ts';

interface Page {
  to: string;
  label: keyof (typeof shellStrings)['pages'];
  /** Operation that the page requires, or null. */
  needs: string | null;
  /** External id of the required group. Set if access depends on record rights instead of an operation's policy. */
  group?: string;
  /** Shows the number of pending actions next to the entry. */
  counts?: 'heldActions';
}

export interface Area {
  name: keyof (typeof shellStrings)['areas'];
  icon: 'mail' | 'send' | 'grid' | 'shield' | 'globe' | 'user';
  pages: Page[];
  /** Models whose lists the area's menu links to, if the user can read them. */
  lists?: readonly string[];
}

/** Portal users have no mailbox, keys, agents or notifications. */
const INTERNAL_GROUP = 'base.group_user';
const DESIGNER_GROUP = 'website.group_website_designer';

export const AREAS: Area[] = [
  {
    name: 'mail',
    icon: 'mail',
    pages: [{ to: '/mail', label: 'mail', needs: 'mailState', group: INTERNAL_GROUP }],
  },
  {
    name: 'email',
    icon: 'send',
    pages: [
      { to: '/email', label: 'overview', needs: 'emailStatistics' },
      { to: '/email/emails', label: 'emails', needs: 'emails' },
      { to: '/email/templates', label: 'templates', needs: 'templates' },
      { to: '/email/campaigns', label: 'campaigns', needs: 'campaigns' },
      { to: '/email/domains', label: 'domains', needs: 'sendingDomains' },
      { to: '/email/contacts', label: 'contacts', needs: 'contactBooks' },
      { to: '/email/suppressions', label: 'suppressions', needs: 'suppressions' },
      { to: '/email/webhooks', label: 'webhooks', needs: 'webhooks' },
      { to: '/email/keys', label: 'keys', needs: 'emails' },
      { to: '/email/smtp', label: 'smtp', needs: 'smtpSubmission' },
    ],
  },
  {
    name: 'records',
    icon: 'grid',
    pages: [
      { to: '/records', label: 'records', needs: 'modelDescribe' },
      // Any user may call the operation that adds a model, but only administrators have the required rights.
      // `featureSet` is a permission that only administrators have.
      { to: '/records/models', label: 'ownModels', needs: 'featureSet' },
    ],
    lists: ['res.partner', 'crm.lead', 'sale.order', 'calendar.event', 'project.task', 'helpdesk.ticket'],
  },
  {
    name: 'admin',
    icon: 'shield',
    pages: [
      { to: '/admin/users', label: 'users', needs: 'workspaceSeats' },
      { to: '/admin/users/invitations', label: 'invitations', needs: 'userInvite' },
      { to: '/admin/groups', label: 'groups', needs: 'featureSet' },
      { to: '/admin/access', label: 'access', needs: 'featureSet' },
      { to: '/admin/features', label: 'features', needs: 'featureSet' },
      { to: '/admin/policies', label: 'policies', needs: 'agentPolicySave' },
      { to: '/admin/company', label: 'company', needs: 'workspaceSeats' },
      { to: '/admin/apps', label: 'apps', needs: 'appPreview' },
      // Only administrators can read logs and agents. `featureSet` is a permission that only administrators have.
      { to: '/admin/agents', label: 'agents', needs: 'featureSet' },
      { to: '/admin/agents/held', label: 'held', needs: 'featureSet', counts: 'heldActions' },
      { to: '/admin/audit', label: 'audit', needs: 'featureSet' },
      { to: '/admin/jobs', label: 'jobs', needs: 'cronRun' },
      { to: '/admin/export', label: 'export', needs: 'workspaceExportStart' },
    ],
  },
  {
    name: 'website',
    icon: 'globe',
    pages: [
      { to: '/website', label: 'sitePages', needs: 'websiteOutline', group: DESIGNER_GROUP },
      { to: '/website/menus', label: 'siteMenus', needs: 'websiteMenuAdd', group: DESIGNER_GROUP },
      {
        to: '/website/redirects',
        label: 'siteRedirects',
        needs: 'websiteRedirectAdd',
        group: DESIGNER_GROUP,
      },
      { to: '/website/settings', label: 'siteSettings', needs: 'websiteUpdate', group: DESIGNER_GROUP },
    ],
  },
  {
    name: 'profile',
    icon: 'user',
    pages: [
      { to: '/profile/me', label: 'me', needs: 'userWrite' },
      { to: '/profile/security', label: 'security', needs: 'userSessions' },
      { to: '/profile/keys', label: 'ownKeys', needs: 'userKeyCreate', group: INTERNAL_GROUP },
      { to: '/profile/agents', label: 'agents', needs: 'connectedAgents', group: INTERNAL_GROUP },
      { to: '/profile/notifications', label: 'notifications', needs: 'notifications', group: INTERNAL_GROUP },
      { to: '/profile/preferences', label: 'preferences', needs: null },
    ],
  },
];

export const PAGES: Page[] = AREAS.flatMap(({ pages }) => pages);

/** Returns the page of a path. If one page's path is below another's, returns the deeper page. */
export const findPage = <P extends { to: string }>(pages: readonly P[], path: string): P | undefined =>
  pages
    .filter(({ to }) => path === to || path.startsWith(`${to}/`))
    .sort((one, other) => other.to.length - one.to.length)[0];

/** Operations that actions within screens require. */
const ACTION_OPERATIONS = [
  'emailsExport',
  'emailSend',
  'domainAdd',
  'domainVerify',
  'domainDelete',
  'domainTracking',
  'domainRotateKey',
  'emailsSendAgain',
  'keyUpdate',
  'contactBookCreate',
  'contactBookUpdate',
  'contactBookDelete',
  'contactPut',
  'contactUpdate',
  'contactDelete',
  'contactConfirmationSend',
  'contactsImport',
  'contactsExport',
  'suppressionsAdd',
  'suppressionRemove',
  'suppressionsExport',
  'suppressionStatistics',
  'webhookCreate',
  'webhookUpdate',
  'webhookDelete',
  'webhookRotate',
  'webhookSecret',
  'webhookTest',
  'webhookRedeliver',
  'templateCreate',
  'templateUpdate',
  'templateRestore',
  'templateDuplicate',
  'templateDelete',
  'templateTestSend',
  'campaignCreate',
  'campaignUpdate',
  'campaignSchedule',
  'campaignUnschedule',
  'campaignPause',
  'campaignResume',
  'campaignDuplicate',
  'campaignTestSend',
  'campaignDelete',
  'agentRevoke',
  'mailUndo',
  'appInstall',
  'appUpgrade',
  'appUninstall',
  'appSettingSet',
  'previewBody',
];

/** Permissions for these operations are queried at startup. */
export const NEEDED_OPERATIONS: string[] = [
  ...PAGES.flatMap(({ needs }) => needs ?? []),
  ...ACTION_OPERATIONS,
];

/** Returns the permitted operations. Omits operations of pages whose required group the user does not belong to. */
export function getAllowedOperations(can: readonly string[], groups: readonly string[]): ReadonlySet<string> {
  const closedPages = PAGES.filter(({ group }) => group !== undefined && !groups.includes(group));
  const needs = new Set(closedPages.map((page) => page.needs));
  return new Set(can.filter((operation) => !needs.has(operation)));
}

export const getAccessibleAreas = (can: ReadonlySet<string>): Area[] =>
  AREAS.map((area) => ({
    ...area,
    pages: area.pages.filter(({ needs }) => needs === null || can.has(needs)),
  })).filter(({ pages }) => pages.length > 0);
