import type { ShellStrings } from './strings.ts';

/** A screen that the rail, its area's menu and the palette lead to. */
export interface Page {
  to: string;
  label: keyof ShellStrings['pages'];
  /** The operation that it cannot do without; null for what everybody may open. */
  needs: string | null;
  /** External id of the group that it is for, where no policy but the rights on records say so. */
  group?: string;
  /** What waits there for a decision is counted beside the entry. */
  counts?: 'heldActions';
}

/** Screens of one subject: an entry of the rail. */
export interface Area {
  name: keyof ShellStrings['areas'];
  icon: 'mail' | 'send' | 'grid' | 'shield' | 'globe' | 'user';
  pages: Page[];
}

/** Who work in the workspace: portal users have no mailbox, keys, agents or notifications. */
const INTERNAL_GROUP = 'base.group_user';
const DESIGNER_GROUP = 'website.group_website_designer';

/** What there is, in the order of the rail. */
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
      // Anybody may ask to add a model; who may do it is who sets the workspace up.
      { to: '/records/models', label: 'ownModels', needs: 'featureSet' },
    ],
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
      // Logs and agents are records of administrators, who are known by an operation of theirs.
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

/** What screens offer to who may do it. */
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
  'campaignDelete',
  'agentRevoke',
  'mailUndo',
  'appInstall',
  'appUpgrade',
  'appUninstall',
  'appSettingSet',
  'previewBody',
];

/** Every operation that an entry depends on. */
export const NEEDED_OPERATIONS: string[] = [
  ...PAGES.flatMap(({ needs }) => needs ?? []),
  ...ACTION_OPERATIONS,
];

/** What policies allow, without what a page needs whose group the viewer is not in. Pure. */
export function getAllowedOperations(can: readonly string[], groups: readonly string[]): ReadonlySet<string> {
  const closed = PAGES.filter(({ group }) => group !== undefined && !groups.includes(group));
  const needs = new Set(closed.map((page) => page.needs));
  return new Set(can.filter((operation) => !needs.has(operation)));
}

/** The areas with the pages that somebody may open who can do these operations. Pure. */
export const getAccessibleAreas = (can: ReadonlySet<string>): Area[] =>
  AREAS.map((area) => ({
    ...area,
    pages: area.pages.filter(({ needs }) => needs === null || can.has(needs)),
  })).filter(({ pages }) => pages.length > 0);
