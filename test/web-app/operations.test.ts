import { globSync, readFileSync } from 'node:fs';
import { buildSchema, Kind, parse } from 'graphql';
import { expect, it } from 'vitest';
import { NEEDED_OPERATIONS } from '../../web/src/shell/pages.ts';

// Operations used by each folder of web/src. A listed operation that is no longer used indicates missing functionality.

const OPERATIONS: Record<string, string> = {
  'admin/operation/agents':
    'agent agentPolicy agentRevoke agents heldAction heldActionApprove heldActionReject heldActions mailUndo ' +
    'mcpCall mcpCallGroups mcpCalls',
  'admin/operation/apps':
    'app appInstall appPreview appSettingSet appSettings appUninstall appUpgrade apps releaseNotes',
  'admin/operation/audit': 'auditEvent auditEventGroups auditEvents',
  'admin/operation/export': 'workspaceExportLink workspaceExportStart workspaceExports',
  'admin/operation/jobs': 'cronRun irCrons',
  'admin/workspace/access':
    'accessOfModel explainAccess groups irModelAccessCreate irModelAccessDelete irModelAccessList ' +
    'irModelAccessUpdate irModels irRule irRuleCreate irRuleDelete irRuleUpdate irRules ' +
    'models users',
  'admin/workspace/groups': 'group groupCreate groupDelete groupUpdate groups users',
  'admin/workspace/settings':
    'agentPolicy agentPolicySave companies company companyUpdate featureSet irConfigParameter ' +
    'irConfigParameters irConfigParameterUpdate mailAddressReserve mailAdminChoices mailFeatureSet ' +
    'mailPolicySet workspace workspaceSeats',
  'admin/workspace/users':
    'accessOfUser groups mailboxes user userCreate userInvitationResend userInvitationRevoke ' +
    'userInvitations userInvite userUpdate users ' +
    'workspaceSeats',
  email:
    'apiKeys email emailBreakdown emailCancel emailGiveUp emailReschedule emailSendAgain emailStatistics emailSend emails ' +
    'emailsExport emailsSendAgain keyCreate keyRevoke keyUpdate outbox reputation sendingDomains smtpSubmission',
  'email/blocks': 'emailImageUpload',
  'email/campaigns':
    'campaign campaignCreate campaignDelete campaignDuplicate campaignPause campaignPreview campaignResume ' +
    'campaignSchedule campaignTestSend campaignUnschedule campaignUpdate campaigns contactBooks emails ' +
    'sendingDomains template templates',
  'email/contacts':
    'contact contactBook contactBookCreate contactBookDelete contactBookUpdate contactBooks ' +
    'contactConfirmationSend contactDelete contactPut contactUpdate contacts contactsExport contactsImport',
  'email/domains':
    'domainAdd domainDelete domainRotateKey domainTracking domainVerify sendingDomain sendingDomains',
  'email/suppressions':
    'suppressionRemove suppressionStatistics suppressions suppressionsAdd suppressionsExport',
  'email/templates':
    'contacts sendingDomains template templateCreate templateDelete templateDuplicate templatePreview templateRestore ' +
    'templateTestSend templateUpdate templateVersion templates',
  'email/webhooks':
    'email webhook webhookCall webhookCalls webhookCreate webhookDelete webhookRedeliver webhookRotate ' +
    'webhookSecret webhookTest webhookUpdate webhooks',
  graphql: 'live',
  mailbox:
    'mailChangeFound mailChangeFoundStart mailDeleteForever mailDraftDelete mailEmptyTrash mailEntries ' +
    'mailFlag mailMessage mailMove mailSendUndo mailSetLabels mailState mailUndo mailUnifiedEntries ' +
    'outgoingMessages',
  'mailbox/composer':
    'mailAttachDiscard mailDraftRead mailDraftSave mailRead mailSendLater mailSuggestions stagedAttachments',
  'mailbox/search': 'mailSuggestions',
  'mailbox/sender': 'mailContactAdd mailEntries mailSender mailSenderBlock mailSenderUnblock',
  'mailbox/settings':
    'mailAutoReply mailAutoReplySave mailBlocked mailFolderCreate mailFolderDelete mailFolderRename ' +
    'mailLabelCreate mailLabelDelete mailLabelUpdate mailMessage mailPreferencesSave mailProfileSave ' +
    'mailRuleDelete mailRuleList mailRulePreview mailRuleSave mailRuleSetActive mailRulesReorder ' +
    'mailSignatureSave mailState',
  'mailbox/settings/sharing':
    'mailState mailboxCreateShared mailboxManageState mailboxSetMembers sendingDomains',
  'mailbox/threads': 'mailMessages mailThreads',
  'mailbox/transfer': 'mailExportInfo mailImapProbe mailImport mailImportStart mailJobCancel mailJobs',
  profile:
    'agentCalls agentKeyCreate agentRevoke agentSetups agents apiKeys connectedAgentRevoke connectedAgents ' +
    'heldActionApprove heldActionReject heldActions keyRevoke languages notifications notificationsRead user ' +
    'userChangePassword userKeyCreate userWrite',
  records:
    'activityDone apps attachmentCreate attachmentDelete attachments fileUpload fileUploadDiscard mailActivityTypes ' +
    'modelDescribe models recordActivitySchedule recordArchive recordCopy recordMessagePost recordMessageSubscribe ' +
    'recordMessageUnsubscribe recordNameSearch recordOnchange recordUnarchive recordWebResequence user',
  'records/bulk': 'recordsUndo recordsUndoable',
  'records/export': 'recordExport',
  'records/import': 'recordLoad',
  'records/saved': 'savedViewDelete savedViewSave savedViews',
  'records/own-models':
    'apps groups irModelAccessCreate irModelAccessDelete irModelAccessUpdate irModelCreate irModelDelete ' +
    'irModelFieldDelete irModelFieldsCreate irModels models',
  'records/why': 'explainAccess',
  shell: 'heldActions uiState uiStateSave viewPreferencesSave viewer workspace',
  'shell/held-action': 'modelDescribe',
  'shell/palette': 'apps emails mailEntries mailState models palette',
  'shell/rail': 'notifications',
  'shell/sessions': 'userSessionRevoke userSessions userSessionsRevoke',
  website:
    'languages website websiteMenuAdd websiteMenuDelete websiteMenuUpdate websiteOutline websitePageCreate ' +
    'websitePageDelete websitePagePublish websiteRedirectAdd websiteRewriteDelete websiteRewriteUpdate ' +
    'websiteRewrites websiteUpdate websiteVisit websites',
  'website/page':
    'groups websiteMarkupSet websiteMenusDelete websitePage websitePageMarkup websitePagePreview ' +
    'websitePageReset websitePageRestore websitePageUpdate websiteVersion websiteVersions',
};

function findOperations(folder: string): string[] {
  const documents = globSync(`web/src/${folder}/*.graphql`).map((path) => parse(readFileSync(path, 'utf8')));
  const roots = documents
    .flatMap(({ definitions }) => definitions)
    .filter((definition) => definition.kind === Kind.OPERATION_DEFINITION)
    .flatMap(({ selectionSet }) => selectionSet.selections)
    .map((selection) => (selection.kind === Kind.FIELD ? selection.name.value : selection.kind));
  return [...new Set(roots)].sort();
}

const folders = [
  ...new Set(globSync('web/src/**/*.graphql').map((path) => path.split('/').slice(2, -1).join('/'))),
].sort();

const schema = buildSchema(readFileSync('schema/schema.graphql', 'utf8'), { assumeValid: true });
const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
const isOperation = (operation: string) => roots.some((root) => root?.getFields()[operation] !== undefined);

it('declares operations for every folder that has documents', () => {
  expect(folders).toEqual(Object.keys(OPERATIONS).sort());
});

it.each(Object.entries(OPERATIONS))('%s uses exactly its declared operations', (folder, all) => {
  expect(findOperations(folder)).toEqual(all.split(' ').sort());
});

it('lists only existing operations, and every operation that navigation entries and buttons check', () => {
  const source = globSync('web/src/**/*.{ts,tsx}').map((path) => readFileSync(path, 'utf8'));
  const looked = source.flatMap((text) =>
    [...text.matchAll(/\bcan\.has\('(\w+)'\)|\bneeds="(\w+)"/g)].map(([, can, needs]) => (can ?? needs)!),
  );
  expect(looked.length).toBeGreaterThan(50);
  expect([...new Set(looked)].filter((operation) => !NEEDED_OPERATIONS.includes(operation))).toEqual([]);
  expect(NEEDED_OPERATIONS.filter((operation) => !isOperation(operation))).toEqual([]);
});
