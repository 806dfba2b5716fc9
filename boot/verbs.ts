// Written by scripts/verbs.mjs.

import type { calendarInvitationAnswerVerb, calendarInvitationVerb } from '../apps/calendar/answer.ts';
import type {
  calendarAttendeeAcceptVerb,
  calendarAttendeeDeclineVerb,
  calendarAttendeeTentativeVerb,
} from '../apps/calendar/attendee.ts';
import type { calendarBusyTimesVerb } from '../apps/calendar/busy.ts';
import type { calendarEventsDeleteVerb } from '../apps/calendar/event-unlink.ts';
import type {
  calendarFeedAddressVerb,
  calendarFeedCloseVerb,
  calendarFeedRotateVerb,
  calendarFeedVerb,
} from '../apps/calendar/feed.ts';
import type { calendarImportVerb } from '../apps/calendar/import.ts';
import type {
  crmLeadArchiveVerb,
  crmLeadMarkLostVerb,
  crmLeadMarkWonVerb,
  crmLeadRestoreVerb,
  crmLeadUnarchiveVerb,
} from '../apps/crm/lead-close.ts';
import type { crmLeadConvertVerb } from '../apps/crm/lead-convert.ts';
import type { crmLeadMergeVerb } from '../apps/crm/lead-merge.ts';
import type { helpdeskTicketAnswerVerb } from '../apps/helpdesk/mail/answer.ts';
import type { helpdeskTicketRevokeLinkVerb } from '../apps/helpdesk/page/revoke.ts';
import type {
  helpdeskTicketPageAnswerVerb,
  helpdeskTicketPageCloseVerb,
  helpdeskTicketPageRateVerb,
  helpdeskTicketPageVerb,
} from '../apps/helpdesk/page/visit.ts';
import type { productCopyVerb } from '../apps/product/product-copy.ts';
import type { saleOrderUpdatePricesVerb } from '../apps/sale/order-prices.ts';
import type { saleOrderSendVerb } from '../apps/sale/order-send.ts';
import type {
  saleOrderCancelVerb,
  saleOrderConfirmVerb,
  saleOrderLockVerb,
  saleOrderMarkSentVerb,
  saleOrderSetDraftVerb,
  saleOrderUnlockVerb,
} from '../apps/sale/order-state.ts';
import type { keyRotateVerb } from '../schema/base/accounts/key-rotate.ts';
import type { keyUpdateVerb } from '../schema/base/accounts/key-update.ts';
import type { userKeyCreateVerb } from '../schema/base/accounts/user-key-create.ts';
import type { workspaceSeatsVerb } from '../schema/base/administration/seats.ts';
import type { agentRevokeVerb } from '../schema/base/agents/agent.ts';
import type { agentCallsVerb } from '../schema/base/agents/agent-calls.ts';
import type { agentKeyCreateVerb } from '../schema/base/agents/agent-key.ts';
import type { heldActionApproveVerb, heldActionRejectVerb } from '../schema/base/agents/held-decide.ts';
import type { agentPolicySaveVerb, agentPolicyVerb } from '../schema/base/agents/policy.ts';
import type { agentSetupsVerb } from '../schema/base/agents/setups.ts';
import type {
  appInstallVerb,
  appPreviewVerb,
  appsVerb,
  appUninstallVerb,
  appUpgradeVerb,
  appVerb,
} from '../schema/base/apps/app-verbs.ts';
import type {
  moduleInstallVerb,
  moduleUninstallVerb,
  moduleUninstallWizardVerb,
  moduleUpdateListVerb,
  moduleUpgradeVerb,
} from '../schema/base/apps/module-buttons.ts';
import type { installedModulesVerb, moduleStatusVerb } from '../schema/base/apps/module-list.ts';
import type { appSettingSetVerb, appSettingsVerb } from '../schema/base/apps/setting-verbs.ts';
import type { wizardUninstallVerb } from '../schema/base/apps/uninstall-wizard.ts';
import type {
  workspaceExportFileVerb,
  workspaceExportLinkVerb,
  workspaceExportStartVerb,
} from '../schema/base/archive/workspace-export.ts';
import type { userInvitationAcceptVerb, userInvitationShownVerb } from '../schema/base/invitations/accept.ts';
import type {
  userInvitationResendVerb,
  userInvitationRevokeVerb,
  userInviteVerb,
} from '../schema/base/invitations/invite.ts';
import type { attachmentTokenVerb } from '../schema/base/ir/attachment.ts';
import type { cronRunVerb } from '../schema/base/ir/cron.ts';
import type { dataReferenceVerb } from '../schema/base/ir/data.ts';
import type { fileContentVerb, publicFileVerb } from '../schema/base/ir/file.ts';
import type { irModelAvailableVerb, irModelDisplayNamesVerb } from '../schema/base/ir/model-names.ts';
import type { parameterGetVerb, parameterSetVerb } from '../schema/base/ir/parameter.ts';
import type { sequenceNextByCodeVerb, sequenceNextByIdVerb } from '../schema/base/ir/sequence.ts';
import type {
  activityDoneVerb,
  activityFeedbackVerb,
  recordActivityFeedbackVerb,
} from '../schema/base/mail/activity-done.ts';
import type {
  recordMessageSubscribeVerb,
  recordMessageUnsubscribeVerb,
} from '../schema/base/mail/followers.ts';
import type { recordMessagePostVerb } from '../schema/base/mail/post.ts';
import type { recordActivityScheduleVerb } from '../schema/base/mail/schedule.ts';
import type { notificationsReadVerb } from '../schema/base/notifications/notification.ts';
import type { languageInstallVerb } from '../schema/base/partners/lang-install.ts';
import type { partnerAddressGetVerb } from '../schema/base/partners/partner-addresses.ts';
import type { partnerNameCreateVerb } from '../schema/base/partners/partner-name-create.ts';
import type { savedViewDeleteVerb, savedViewSaveVerb } from '../schema/base/ui/saved-view-save.ts';
import type { uiStateSaveVerb, uiStateVerb } from '../schema/base/ui/ui-state.ts';
import type { fileUploadDiscardVerb, fileUploadVerb } from '../schema/base/uploads/upload.ts';
import type { connectedAgentRevokeVerb } from '../schema/base/users/connected-agents.ts';
import type { userKeyCheckedVerb, userKeyDescribedVerb } from '../schema/base/users/key-wizard.ts';
import type { keyCreateVerb, keyRevokeVerb } from '../schema/base/users/keys.ts';
import type {
  sessionInfoVerb,
  sessionLanguagesVerb,
  sessionModulesVerb,
} from '../schema/base/users/session-info.ts';
import type {
  userSessionRevokeVerb,
  userSessionsRevokeVerb,
  userSessionsVerb,
} from '../schema/base/users/sessions.ts';
import type { userCreateVerb } from '../schema/base/users/user-create.ts';
import type { userKeyGenerateVerb, userKeyRevokeVerb } from '../schema/base/users/user-keys.ts';
import type {
  contextGetVerb,
  userChangePasswordVerb,
  userWriteVerb,
} from '../schema/base/users/user-self.ts';
import type { currentTimeVerb } from '../schema/base/workspace/current-time.ts';
import type { releaseNotesVerb } from '../schema/base/workspace/release-notes.ts';
import type { viewPreferencesSaveVerb } from '../schema/base/workspace/view-preferences.ts';
import type { featureSetVerb } from '../schema/base/workspace/workspace.ts';
import type {
  accessCheckVerb,
  recordCheckAccessRightsVerb,
  recordCheckAccessRuleVerb,
  recordCheckFieldAccessVerb,
  recordHasAccessVerb,
  userHasGroupVerb,
} from '../schema/data/access.ts';
import type { accessOfModelVerb, accessOfUserVerb } from '../schema/data/access-overview.ts';
import type { docIndexVerb, docModelVerb } from '../schema/data/doc.ts';
import type { explainAccessVerb } from '../schema/data/explain-access.ts';
import type {
  recordFormattedReadGroupingSetsVerb,
  recordFormattedReadGroupVerb,
  recordReadGroupVerb,
} from '../schema/data/group.ts';
import type {
  recordCopyDataVerb,
  recordCopyVerb,
  recordDefaultGetVerb,
  recordNameCreateVerb,
  recordOnchangeVerb,
} from '../schema/data/new.ts';
import type { paletteVerb } from '../schema/data/palette.ts';
import type {
  modelDescribeVerb,
  modelsVerb,
  recordCreateVerb,
  recordFieldsGetVerb,
  recordNameSearchVerb,
  recordReadVerb,
  recordSearchCountVerb,
  recordSearchReadVerb,
  recordSearchVerb,
  recordUnlinkVerb,
  recordWriteVerb,
} from '../schema/data/records.ts';
import type { recordsUndoVerb } from '../schema/data/records-undo.ts';
import type {
  recordArchiveVerb,
  recordExternalIdVerb,
  recordMetadataVerb,
  recordToggleActiveVerb,
  recordUnarchiveVerb,
} from '../schema/data/state.ts';
import type { recordExportVerb, recordLoadVerb } from '../schema/data/table.ts';
import type { recordTranslateVerb, recordTranslationsVerb } from '../schema/data/translations.ts';
import type { recordGetViewsVerb, recordGetViewVerb } from '../schema/data/views.ts';
import type {
  recordWebNameSearchVerb,
  recordWebReadVerb,
  recordWebResequenceVerb,
  recordWebSaveVerb,
  recordWebSearchReadVerb,
} from '../schema/data/web.ts';
import type { recordWebReadGroupVerb } from '../schema/data/web-group.ts';
import type {
  mailAliasAddVerb,
  mailAliasRemoveVerb,
  mailCatchAllSetVerb,
} from '../schema/mail/addresses/aliases.ts';
import type { mailBodyVerb } from '../schema/mail/body/body.ts';
import type { emailBodyVerb } from '../schema/mail/body/email-body.ts';
import type { mailImageVerb } from '../schema/mail/body/image.ts';
import type { previewBodyVerb } from '../schema/mail/body/preview-body.ts';
import type { mailDraftListVerb, mailDraftReadVerb } from '../schema/mail/compose/draft-read.ts';
import type { mailDraftDeleteVerb, mailDraftSaveVerb } from '../schema/mail/compose/draft-save.ts';
import type { mailSendVerb } from '../schema/mail/compose/send.ts';
import type { mailSendLaterVerb, mailSendUndoVerb } from '../schema/mail/compose/send-later.ts';
import type { mailSendPreviewVerb } from '../schema/mail/compose/send-preview.ts';
import type { mailAttachDiscardVerb, mailAttachVerb } from '../schema/mail/compose/staged.ts';
import type { mailUploadVerb } from '../schema/mail/compose/upload.ts';
import type { mailRelayReceiveVerb } from '../schema/mail/intake/relay.ts';
import type { mailSesReceiveVerb } from '../schema/mail/intake/ses-receive.ts';
import type { mailJobCancelVerb } from '../schema/mail/jobs/job-cancel.ts';
import type { mailEntriesVerb } from '../schema/mail/lists/entry-list.ts';
import type { mailStateVerb } from '../schema/mail/lists/mailbox-state.ts';
import type { mailUnifiedEntriesVerb } from '../schema/mail/lists/unified-list.ts';
import type {
  mailBlockedVerb,
  mailSenderBlockVerb,
  mailSenderUnblockVerb,
} from '../schema/mail/organize/block-sender.ts';
import type { mailChangeFoundVerb } from '../schema/mail/organize/change-found.ts';
import type { mailChangeFoundStartVerb } from '../schema/mail/organize/change-job.ts';
import type { mailDeleteForeverVerb, mailEmptyTrashVerb } from '../schema/mail/organize/delete.ts';
import type { mailFlagVerb } from '../schema/mail/organize/flag.ts';
import type {
  mailFolderCreateVerb,
  mailFolderDeleteVerb,
  mailFolderRenameVerb,
} from '../schema/mail/organize/folder-change.ts';
import type {
  mailLabelCreateVerb,
  mailLabelDeleteVerb,
  mailLabelUpdateVerb,
} from '../schema/mail/organize/label-change.ts';
import type { mailMoveVerb } from '../schema/mail/organize/move.ts';
import type { mailSetLabelsVerb } from '../schema/mail/organize/set-labels.ts';
import type { mailUndoVerb } from '../schema/mail/organize/take-back.ts';
import type { mailContactAddVerb, mailSenderVerb } from '../schema/mail/people/sender-info.ts';
import type { mailSuggestionsVerb } from '../schema/mail/people/suggest.ts';
import type { mailReadThreadVerb, mailReadVerb } from '../schema/mail/read/entry-detail.ts';
import type { mailFileLinkedVerb, mailFileVerb } from '../schema/mail/read/mail-file.ts';
import type { mailMessagePlainVerb, mailThreadPlainVerb } from '../schema/mail/read/plain.ts';
import type {
  mailAdminRuleDeleteVerb,
  mailAdminRuleSaveVerb,
  mailAdminRulesVerb,
} from '../schema/mail/rules/admin-rules.ts';
import type { mailAutoReplySaveVerb, mailAutoReplyVerb } from '../schema/mail/rules/auto-reply.ts';
import type { mailAutoReplyPreviewVerb } from '../schema/mail/rules/auto-reply-preview.ts';
import type {
  mailRuleDeleteVerb,
  mailRuleSaveVerb,
  mailRuleSetActiveVerb,
  mailRulesReorderVerb,
} from '../schema/mail/rules/rule-change.ts';
import type { mailRuleListVerb } from '../schema/mail/rules/rule-list.ts';
import type { mailRulePreviewVerb } from '../schema/mail/rules/rule-preview.ts';
import type { mailSearchVerb } from '../schema/mail/search/search.ts';
import type { mailAccessTableVerb } from '../schema/mail/settings/access-table.ts';
import type {
  mailAddressReserveVerb,
  mailFeatureSetVerb,
  mailPolicySetVerb,
} from '../schema/mail/settings/admin-change.ts';
import type { mailAdminChoicesVerb } from '../schema/mail/settings/admin-choices.ts';
import type { mailboxFeaturesVerb, mailFeatureStatesVerb } from '../schema/mail/settings/feature-states.ts';
import type { mailPreferencesSaveVerb } from '../schema/mail/settings/prefs.ts';
import type { mailProfileSaveVerb, mailSignatureSaveVerb } from '../schema/mail/settings/profile.ts';
import type { mailboxEventsVerb } from '../schema/mail/shared/mailbox-events.ts';
import type { mailboxCreateSharedVerb } from '../schema/mail/shared/shared-mailbox.ts';
import type { mailboxMembersVerb, mailboxSetMembersVerb } from '../schema/mail/shared/shared-members.ts';
import type { mailThreadsVerb, mailThreadVerb } from '../schema/mail/threads/thread-list.ts';
import type { mailExportInfoVerb, mailExportVerb } from '../schema/mail/transfer/export-folder.ts';
import type { mailImapBatchVerb } from '../schema/mail/transfer/imap-batch.ts';
import type { mailImapProbeVerb } from '../schema/mail/transfer/imap-probe.ts';
import type { mailImportStartVerb } from '../schema/mail/transfer/import-job.ts';
import type { mailImportVerb } from '../schema/mail/transfer/import-messages.ts';
import type { emailSendVerb, emailsSendVerb } from '../schema/send/accept/email-send.ts';
import type { smtpSubmissionVerb } from '../schema/send/accept/smtp-submission.ts';
import type { campaignCreateVerb } from '../schema/send/campaigns/campaign-create.ts';
import type { campaignPreviewVerb } from '../schema/send/campaigns/campaign-preview.ts';
import type { campaignUnscheduleVerb } from '../schema/send/campaigns/campaign-unschedule.ts';
import type { campaignUpdateVerb } from '../schema/send/campaigns/campaign-update.ts';
import type { campaignListVerb, campaignReadVerb } from '../schema/send/campaigns/campaigns.ts';
import type {
  campaignDeleteVerb,
  campaignPauseVerb,
  campaignResumeVerb,
  campaignScheduleVerb,
} from '../schema/send/campaigns/schedule.ts';
import type {
  contactBookCreateVerb,
  contactBookDeleteVerb,
  contactBookListVerb,
  contactBookReadVerb,
  contactBookUpdateVerb,
} from '../schema/send/contacts/books.ts';
import type {
  contactConfirmationSendVerb,
  subscriptionConfirmVerb,
  subscriptionConfirmViewVerb,
} from '../schema/send/contacts/confirm.ts';
import type {
  contactDeleteVerb,
  contactPutVerb,
  contactsDeleteVerb,
  contactsPutVerb,
  contactUpdateVerb,
} from '../schema/send/contacts/contact-change.ts';
import type { contactPageVerb, contactReadVerb } from '../schema/send/contacts/contacts.ts';
import type { contactsExportVerb } from '../schema/send/contacts/export.ts';
import type { contactsImportVerb } from '../schema/send/contacts/import.ts';
import type { unsubscribeVerb, unsubscribeViewVerb } from '../schema/send/contacts/unsubscribe.ts';
import type { domainDeleteVerb, domainTrackingVerb } from '../schema/send/domains/domain-change.ts';
import type { mailDomainStatesVerb } from '../schema/send/domains/domain-states.ts';
import type { domainVerifyVerb } from '../schema/send/domains/domain-verify.ts';
import type { domainAddVerb } from '../schema/send/domains/domains.ts';
import type { domainRotateKeyVerb } from '../schema/send/domains/key-rotation.ts';
import type { listDomains, readDomain } from '../schema/send/domains/sending-domains.ts';
import type { emailStatisticsVerb, reputationVerb, usageVerb } from '../schema/send/emails/analytics.ts';
import type { emailBreakdownVerb } from '../schema/send/emails/breakdown.ts';
import type { emailAttachmentsVerb, emailAttachmentVerb } from '../schema/send/emails/email-attachments.ts';
import type { emailPageVerb } from '../schema/send/emails/email-list.ts';
import type { emailReadVerb } from '../schema/send/emails/emails.ts';
import type { emailsExportVerb } from '../schema/send/emails/emails-export.ts';
import type { outboxVerb } from '../schema/send/emails/outbox.ts';
import type { snsMessageReceiveVerb } from '../schema/send/provider/sns.ts';
import type { emailCancelVerb, emailRescheduleVerb } from '../schema/send/queue/email-schedule.ts';
import type { emailSendAgainVerb, emailsSendAgainVerb } from '../schema/send/queue/send-again.ts';
import type { emailGiveUpVerb } from '../schema/send/queue/unknown.ts';
import type {
  suppressionAddVerb,
  suppressionRemoveVerb,
  suppressionStatisticsVerb,
  suppressionsAddVerb,
  suppressionsExportVerb,
} from '../schema/send/suppressions/suppression-list.ts';
import type { emailImageUploadVerb, emailImageVerb } from '../schema/send/templates/email-image.ts';
import type {
  templateCreateVerb,
  templateDeleteVerb,
  templateDuplicateVerb,
  templatePreviewVerb,
  templateRestoreVerb,
  templateTestSendVerb,
  templateUpdateVerb,
} from '../schema/send/templates/template-verbs.ts';
import type { webhookRedeliverVerb, webhookTestVerb } from '../schema/send/webhooks/calls.ts';
import type {
  webhookCreateVerb,
  webhookDeleteVerb,
  webhookRotateVerb,
  webhookSecretVerb,
  webhookUpdateVerb,
} from '../schema/send/webhooks/webhooks.ts';
import type { websiteMenuAddVerb, websiteRedirectAddVerb } from '../schema/website/edit/lead-verbs.ts';
import type { websiteOutlineVerb } from '../schema/website/edit/outline.ts';
import type {
  websiteMarkupSetVerb,
  websitePageCreateVerb,
  websitePageDeleteVerb,
  websitePagePublishVerb,
  websitePageResetVerb,
  websitePageRestoreVerb,
  websitePageUpdateVerb,
  websiteViewMarkupSetVerb,
} from '../schema/website/edit/page-verbs.ts';
import type { websiteFormSubmitVerb } from '../schema/website/form/submit.ts';
import type { websitePageMarkupVerb } from '../schema/website/site/page-markup.ts';
import type {
  websiteHostVerb,
  websitePagePreviewVerb,
  websiteVisitVerb,
} from '../schema/website/site/visit-verbs.ts';
import type { VerbOf } from '../src/engine/verb/verb.ts';

declare module '../src/engine/verb/verb.ts' {
  interface Verbs {
    accessCheck: VerbOf<typeof accessCheckVerb>;
    accessOfModel: VerbOf<typeof accessOfModelVerb>;
    accessOfUser: VerbOf<typeof accessOfUserVerb>;
    activityDone: VerbOf<typeof activityDoneVerb>;
    activityFeedback: VerbOf<typeof activityFeedbackVerb>;
    agentCalls: VerbOf<typeof agentCallsVerb>;
    agentKeyCreate: VerbOf<typeof agentKeyCreateVerb>;
    agentPolicy: VerbOf<typeof agentPolicyVerb>;
    agentPolicySave: VerbOf<typeof agentPolicySaveVerb>;
    agentRevoke: VerbOf<typeof agentRevokeVerb>;
    agentSetups: VerbOf<typeof agentSetupsVerb>;
    app: VerbOf<typeof appVerb>;
    appInstall: VerbOf<typeof appInstallVerb>;
    appPreview: VerbOf<typeof appPreviewVerb>;
    appSettingSet: VerbOf<typeof appSettingSetVerb>;
    appSettings: VerbOf<typeof appSettingsVerb>;
    appUninstall: VerbOf<typeof appUninstallVerb>;
    appUpgrade: VerbOf<typeof appUpgradeVerb>;
    apps: VerbOf<typeof appsVerb>;
    attachmentToken: VerbOf<typeof attachmentTokenVerb>;
    calendarAttendeeAccept: VerbOf<typeof calendarAttendeeAcceptVerb>;
    calendarAttendeeDecline: VerbOf<typeof calendarAttendeeDeclineVerb>;
    calendarAttendeeTentative: VerbOf<typeof calendarAttendeeTentativeVerb>;
    calendarBusyTimes: VerbOf<typeof calendarBusyTimesVerb>;
    calendarEventsDelete: VerbOf<typeof calendarEventsDeleteVerb>;
    calendarFeed: VerbOf<typeof calendarFeedVerb>;
    calendarFeedAddress: VerbOf<typeof calendarFeedAddressVerb>;
    calendarFeedClose: VerbOf<typeof calendarFeedCloseVerb>;
    calendarFeedRotate: VerbOf<typeof calendarFeedRotateVerb>;
    calendarImport: VerbOf<typeof calendarImportVerb>;
    calendarInvitation: VerbOf<typeof calendarInvitationVerb>;
    calendarInvitationAnswer: VerbOf<typeof calendarInvitationAnswerVerb>;
    campaignCreate: VerbOf<typeof campaignCreateVerb>;
    campaignDelete: VerbOf<typeof campaignDeleteVerb>;
    campaignList: VerbOf<typeof campaignListVerb>;
    campaignPause: VerbOf<typeof campaignPauseVerb>;
    campaignPreview: VerbOf<typeof campaignPreviewVerb>;
    campaignRead: VerbOf<typeof campaignReadVerb>;
    campaignResume: VerbOf<typeof campaignResumeVerb>;
    campaignSchedule: VerbOf<typeof campaignScheduleVerb>;
    campaignUnschedule: VerbOf<typeof campaignUnscheduleVerb>;
    campaignUpdate: VerbOf<typeof campaignUpdateVerb>;
    connectedAgentRevoke: VerbOf<typeof connectedAgentRevokeVerb>;
    contactBookCreate: VerbOf<typeof contactBookCreateVerb>;
    contactBookDelete: VerbOf<typeof contactBookDeleteVerb>;
    contactBookList: VerbOf<typeof contactBookListVerb>;
    contactBookRead: VerbOf<typeof contactBookReadVerb>;
    contactBookUpdate: VerbOf<typeof contactBookUpdateVerb>;
    contactConfirmationSend: VerbOf<typeof contactConfirmationSendVerb>;
    contactDelete: VerbOf<typeof contactDeleteVerb>;
    contactPage: VerbOf<typeof contactPageVerb>;
    contactPut: VerbOf<typeof contactPutVerb>;
    contactRead: VerbOf<typeof contactReadVerb>;
    contactUpdate: VerbOf<typeof contactUpdateVerb>;
    contactsDelete: VerbOf<typeof contactsDeleteVerb>;
    contactsExport: VerbOf<typeof contactsExportVerb>;
    contactsImport: VerbOf<typeof contactsImportVerb>;
    contactsPut: VerbOf<typeof contactsPutVerb>;
    contextGet: VerbOf<typeof contextGetVerb>;
    crmLeadArchive: VerbOf<typeof crmLeadArchiveVerb>;
    crmLeadConvert: VerbOf<typeof crmLeadConvertVerb>;
    crmLeadMarkLost: VerbOf<typeof crmLeadMarkLostVerb>;
    crmLeadMarkWon: VerbOf<typeof crmLeadMarkWonVerb>;
    crmLeadMerge: VerbOf<typeof crmLeadMergeVerb>;
    crmLeadRestore: VerbOf<typeof crmLeadRestoreVerb>;
    crmLeadUnarchive: VerbOf<typeof crmLeadUnarchiveVerb>;
    cronRun: VerbOf<typeof cronRunVerb>;
    currentTime: VerbOf<typeof currentTimeVerb>;
    dataReference: VerbOf<typeof dataReferenceVerb>;
    docIndex: VerbOf<typeof docIndexVerb>;
    docModel: VerbOf<typeof docModelVerb>;
    domainAdd: VerbOf<typeof domainAddVerb>;
    domainDelete: VerbOf<typeof domainDeleteVerb>;
    domainList: VerbOf<typeof listDomains>;
    domainRead: VerbOf<typeof readDomain>;
    domainRotateKey: VerbOf<typeof domainRotateKeyVerb>;
    domainTracking: VerbOf<typeof domainTrackingVerb>;
    domainVerify: VerbOf<typeof domainVerifyVerb>;
    emailAttachment: VerbOf<typeof emailAttachmentVerb>;
    emailAttachments: VerbOf<typeof emailAttachmentsVerb>;
    emailBody: VerbOf<typeof emailBodyVerb>;
    emailBreakdown: VerbOf<typeof emailBreakdownVerb>;
    emailCancel: VerbOf<typeof emailCancelVerb>;
    emailGiveUp: VerbOf<typeof emailGiveUpVerb>;
    emailImage: VerbOf<typeof emailImageVerb>;
    emailImageUpload: VerbOf<typeof emailImageUploadVerb>;
    emailPage: VerbOf<typeof emailPageVerb>;
    emailRead: VerbOf<typeof emailReadVerb>;
    emailReschedule: VerbOf<typeof emailRescheduleVerb>;
    emailSend: VerbOf<typeof emailSendVerb>;
    emailSendAgain: VerbOf<typeof emailSendAgainVerb>;
    emailStatistics: VerbOf<typeof emailStatisticsVerb>;
    emailsExport: VerbOf<typeof emailsExportVerb>;
    emailsSend: VerbOf<typeof emailsSendVerb>;
    emailsSendAgain: VerbOf<typeof emailsSendAgainVerb>;
    explainAccess: VerbOf<typeof explainAccessVerb>;
    featureSet: VerbOf<typeof featureSetVerb>;
    fileContent: VerbOf<typeof fileContentVerb>;
    fileUpload: VerbOf<typeof fileUploadVerb>;
    fileUploadDiscard: VerbOf<typeof fileUploadDiscardVerb>;
    heldActionApprove: VerbOf<typeof heldActionApproveVerb>;
    heldActionReject: VerbOf<typeof heldActionRejectVerb>;
    helpdeskTicketAnswer: VerbOf<typeof helpdeskTicketAnswerVerb>;
    helpdeskTicketPage: VerbOf<typeof helpdeskTicketPageVerb>;
    helpdeskTicketPageAnswer: VerbOf<typeof helpdeskTicketPageAnswerVerb>;
    helpdeskTicketPageClose: VerbOf<typeof helpdeskTicketPageCloseVerb>;
    helpdeskTicketPageRate: VerbOf<typeof helpdeskTicketPageRateVerb>;
    helpdeskTicketRevokeLink: VerbOf<typeof helpdeskTicketRevokeLinkVerb>;
    installedModules: VerbOf<typeof installedModulesVerb>;
    irModelAvailable: VerbOf<typeof irModelAvailableVerb>;
    irModelDisplayNames: VerbOf<typeof irModelDisplayNamesVerb>;
    keyCreate: VerbOf<typeof keyCreateVerb>;
    keyRevoke: VerbOf<typeof keyRevokeVerb>;
    keyRotate: VerbOf<typeof keyRotateVerb>;
    keyUpdate: VerbOf<typeof keyUpdateVerb>;
    languageInstall: VerbOf<typeof languageInstallVerb>;
    mailAccessTable: VerbOf<typeof mailAccessTableVerb>;
    mailAddressReserve: VerbOf<typeof mailAddressReserveVerb>;
    mailAdminChoices: VerbOf<typeof mailAdminChoicesVerb>;
    mailAdminRuleDelete: VerbOf<typeof mailAdminRuleDeleteVerb>;
    mailAdminRuleSave: VerbOf<typeof mailAdminRuleSaveVerb>;
    mailAdminRules: VerbOf<typeof mailAdminRulesVerb>;
    mailAliasAdd: VerbOf<typeof mailAliasAddVerb>;
    mailAliasRemove: VerbOf<typeof mailAliasRemoveVerb>;
    mailAttach: VerbOf<typeof mailAttachVerb>;
    mailAttachDiscard: VerbOf<typeof mailAttachDiscardVerb>;
    mailAutoReply: VerbOf<typeof mailAutoReplyVerb>;
    mailAutoReplyPreview: VerbOf<typeof mailAutoReplyPreviewVerb>;
    mailAutoReplySave: VerbOf<typeof mailAutoReplySaveVerb>;
    mailBlocked: VerbOf<typeof mailBlockedVerb>;
    mailBody: VerbOf<typeof mailBodyVerb>;
    mailCatchAllSet: VerbOf<typeof mailCatchAllSetVerb>;
    mailChangeFound: VerbOf<typeof mailChangeFoundVerb>;
    mailChangeFoundStart: VerbOf<typeof mailChangeFoundStartVerb>;
    mailContactAdd: VerbOf<typeof mailContactAddVerb>;
    mailDeleteForever: VerbOf<typeof mailDeleteForeverVerb>;
    mailDomainStates: VerbOf<typeof mailDomainStatesVerb>;
    mailDraftDelete: VerbOf<typeof mailDraftDeleteVerb>;
    mailDraftList: VerbOf<typeof mailDraftListVerb>;
    mailDraftRead: VerbOf<typeof mailDraftReadVerb>;
    mailDraftSave: VerbOf<typeof mailDraftSaveVerb>;
    mailEmptyTrash: VerbOf<typeof mailEmptyTrashVerb>;
    mailEntries: VerbOf<typeof mailEntriesVerb>;
    mailExport: VerbOf<typeof mailExportVerb>;
    mailExportInfo: VerbOf<typeof mailExportInfoVerb>;
    mailFeatureSet: VerbOf<typeof mailFeatureSetVerb>;
    mailFeatureStates: VerbOf<typeof mailFeatureStatesVerb>;
    mailFile: VerbOf<typeof mailFileVerb>;
    mailFileLinked: VerbOf<typeof mailFileLinkedVerb>;
    mailFlag: VerbOf<typeof mailFlagVerb>;
    mailFolderCreate: VerbOf<typeof mailFolderCreateVerb>;
    mailFolderDelete: VerbOf<typeof mailFolderDeleteVerb>;
    mailFolderRename: VerbOf<typeof mailFolderRenameVerb>;
    mailImage: VerbOf<typeof mailImageVerb>;
    mailImapBatch: VerbOf<typeof mailImapBatchVerb>;
    mailImapProbe: VerbOf<typeof mailImapProbeVerb>;
    mailImport: VerbOf<typeof mailImportVerb>;
    mailImportStart: VerbOf<typeof mailImportStartVerb>;
    mailJobCancel: VerbOf<typeof mailJobCancelVerb>;
    mailLabelCreate: VerbOf<typeof mailLabelCreateVerb>;
    mailLabelDelete: VerbOf<typeof mailLabelDeleteVerb>;
    mailLabelUpdate: VerbOf<typeof mailLabelUpdateVerb>;
    mailMessagePlain: VerbOf<typeof mailMessagePlainVerb>;
    mailMove: VerbOf<typeof mailMoveVerb>;
    mailPolicySet: VerbOf<typeof mailPolicySetVerb>;
    mailPreferencesSave: VerbOf<typeof mailPreferencesSaveVerb>;
    mailProfileSave: VerbOf<typeof mailProfileSaveVerb>;
    mailRead: VerbOf<typeof mailReadVerb>;
    mailReadThread: VerbOf<typeof mailReadThreadVerb>;
    mailRelayReceive: VerbOf<typeof mailRelayReceiveVerb>;
    mailRuleDelete: VerbOf<typeof mailRuleDeleteVerb>;
    mailRuleList: VerbOf<typeof mailRuleListVerb>;
    mailRulePreview: VerbOf<typeof mailRulePreviewVerb>;
    mailRuleSave: VerbOf<typeof mailRuleSaveVerb>;
    mailRuleSetActive: VerbOf<typeof mailRuleSetActiveVerb>;
    mailRulesReorder: VerbOf<typeof mailRulesReorderVerb>;
    mailSearch: VerbOf<typeof mailSearchVerb>;
    mailSend: VerbOf<typeof mailSendVerb>;
    mailSendLater: VerbOf<typeof mailSendLaterVerb>;
    mailSendPreview: VerbOf<typeof mailSendPreviewVerb>;
    mailSendUndo: VerbOf<typeof mailSendUndoVerb>;
    mailSender: VerbOf<typeof mailSenderVerb>;
    mailSenderBlock: VerbOf<typeof mailSenderBlockVerb>;
    mailSenderUnblock: VerbOf<typeof mailSenderUnblockVerb>;
    mailSesReceive: VerbOf<typeof mailSesReceiveVerb>;
    mailSetLabels: VerbOf<typeof mailSetLabelsVerb>;
    mailSignatureSave: VerbOf<typeof mailSignatureSaveVerb>;
    mailState: VerbOf<typeof mailStateVerb>;
    mailSuggestions: VerbOf<typeof mailSuggestionsVerb>;
    mailThread: VerbOf<typeof mailThreadVerb>;
    mailThreadPlain: VerbOf<typeof mailThreadPlainVerb>;
    mailThreads: VerbOf<typeof mailThreadsVerb>;
    mailUndo: VerbOf<typeof mailUndoVerb>;
    mailUnifiedEntries: VerbOf<typeof mailUnifiedEntriesVerb>;
    mailUpload: VerbOf<typeof mailUploadVerb>;
    mailboxCreateShared: VerbOf<typeof mailboxCreateSharedVerb>;
    mailboxEventsSet: VerbOf<typeof mailboxEventsVerb>;
    mailboxFeatures: VerbOf<typeof mailboxFeaturesVerb>;
    mailboxManageState: VerbOf<typeof mailboxMembersVerb>;
    mailboxSetMembers: VerbOf<typeof mailboxSetMembersVerb>;
    modelDescribe: VerbOf<typeof modelDescribeVerb>;
    models: VerbOf<typeof modelsVerb>;
    moduleInstall: VerbOf<typeof moduleInstallVerb>;
    moduleStatus: VerbOf<typeof moduleStatusVerb>;
    moduleUninstall: VerbOf<typeof moduleUninstallVerb>;
    moduleUninstallWizard: VerbOf<typeof moduleUninstallWizardVerb>;
    moduleUpdateList: VerbOf<typeof moduleUpdateListVerb>;
    moduleUpgrade: VerbOf<typeof moduleUpgradeVerb>;
    notificationsRead: VerbOf<typeof notificationsReadVerb>;
    outbox: VerbOf<typeof outboxVerb>;
    palette: VerbOf<typeof paletteVerb>;
    parameterGet: VerbOf<typeof parameterGetVerb>;
    parameterSet: VerbOf<typeof parameterSetVerb>;
    partnerAddressGet: VerbOf<typeof partnerAddressGetVerb>;
    partnerNameCreate: VerbOf<typeof partnerNameCreateVerb>;
    previewBody: VerbOf<typeof previewBodyVerb>;
    productCopy: VerbOf<typeof productCopyVerb>;
    publicFile: VerbOf<typeof publicFileVerb>;
    recordActivityFeedback: VerbOf<typeof recordActivityFeedbackVerb>;
    recordActivitySchedule: VerbOf<typeof recordActivityScheduleVerb>;
    recordArchive: VerbOf<typeof recordArchiveVerb>;
    recordCheckAccessRights: VerbOf<typeof recordCheckAccessRightsVerb>;
    recordCheckAccessRule: VerbOf<typeof recordCheckAccessRuleVerb>;
    recordCheckFieldAccess: VerbOf<typeof recordCheckFieldAccessVerb>;
    recordCopy: VerbOf<typeof recordCopyVerb>;
    recordCopyData: VerbOf<typeof recordCopyDataVerb>;
    recordCreate: VerbOf<typeof recordCreateVerb>;
    recordDefaultGet: VerbOf<typeof recordDefaultGetVerb>;
    recordExport: VerbOf<typeof recordExportVerb>;
    recordExternalId: VerbOf<typeof recordExternalIdVerb>;
    recordFieldsGet: VerbOf<typeof recordFieldsGetVerb>;
    recordFormattedReadGroup: VerbOf<typeof recordFormattedReadGroupVerb>;
    recordFormattedReadGroupingSets: VerbOf<typeof recordFormattedReadGroupingSetsVerb>;
    recordGetView: VerbOf<typeof recordGetViewVerb>;
    recordGetViews: VerbOf<typeof recordGetViewsVerb>;
    recordHasAccess: VerbOf<typeof recordHasAccessVerb>;
    recordLoad: VerbOf<typeof recordLoadVerb>;
    recordMessagePost: VerbOf<typeof recordMessagePostVerb>;
    recordMessageSubscribe: VerbOf<typeof recordMessageSubscribeVerb>;
    recordMessageUnsubscribe: VerbOf<typeof recordMessageUnsubscribeVerb>;
    recordMetadata: VerbOf<typeof recordMetadataVerb>;
    recordNameCreate: VerbOf<typeof recordNameCreateVerb>;
    recordNameSearch: VerbOf<typeof recordNameSearchVerb>;
    recordOnchange: VerbOf<typeof recordOnchangeVerb>;
    recordRead: VerbOf<typeof recordReadVerb>;
    recordReadGroup: VerbOf<typeof recordReadGroupVerb>;
    recordSearch: VerbOf<typeof recordSearchVerb>;
    recordSearchCount: VerbOf<typeof recordSearchCountVerb>;
    recordSearchRead: VerbOf<typeof recordSearchReadVerb>;
    recordToggleActive: VerbOf<typeof recordToggleActiveVerb>;
    recordTranslate: VerbOf<typeof recordTranslateVerb>;
    recordTranslations: VerbOf<typeof recordTranslationsVerb>;
    recordUnarchive: VerbOf<typeof recordUnarchiveVerb>;
    recordUnlink: VerbOf<typeof recordUnlinkVerb>;
    recordWebNameSearch: VerbOf<typeof recordWebNameSearchVerb>;
    recordWebRead: VerbOf<typeof recordWebReadVerb>;
    recordWebReadGroup: VerbOf<typeof recordWebReadGroupVerb>;
    recordWebResequence: VerbOf<typeof recordWebResequenceVerb>;
    recordWebSave: VerbOf<typeof recordWebSaveVerb>;
    recordWebSearchRead: VerbOf<typeof recordWebSearchReadVerb>;
    recordWrite: VerbOf<typeof recordWriteVerb>;
    recordsUndo: VerbOf<typeof recordsUndoVerb>;
    releaseNotes: VerbOf<typeof releaseNotesVerb>;
    reputation: VerbOf<typeof reputationVerb>;
    saleOrderCancel: VerbOf<typeof saleOrderCancelVerb>;
    saleOrderConfirm: VerbOf<typeof saleOrderConfirmVerb>;
    saleOrderLock: VerbOf<typeof saleOrderLockVerb>;
    saleOrderMarkSent: VerbOf<typeof saleOrderMarkSentVerb>;
    saleOrderSend: VerbOf<typeof saleOrderSendVerb>;
    saleOrderSetDraft: VerbOf<typeof saleOrderSetDraftVerb>;
    saleOrderUnlock: VerbOf<typeof saleOrderUnlockVerb>;
    saleOrderUpdatePrices: VerbOf<typeof saleOrderUpdatePricesVerb>;
    savedViewDelete: VerbOf<typeof savedViewDeleteVerb>;
    savedViewSave: VerbOf<typeof savedViewSaveVerb>;
    sequenceNextByCode: VerbOf<typeof sequenceNextByCodeVerb>;
    sequenceNextById: VerbOf<typeof sequenceNextByIdVerb>;
    sessionInfo: VerbOf<typeof sessionInfoVerb>;
    sessionLanguages: VerbOf<typeof sessionLanguagesVerb>;
    sessionModules: VerbOf<typeof sessionModulesVerb>;
    smtpSubmission: VerbOf<typeof smtpSubmissionVerb>;
    snsMessageReceive: VerbOf<typeof snsMessageReceiveVerb>;
    subscriptionConfirm: VerbOf<typeof subscriptionConfirmVerb>;
    subscriptionConfirmView: VerbOf<typeof subscriptionConfirmViewVerb>;
    suppressionAdd: VerbOf<typeof suppressionAddVerb>;
    suppressionRemove: VerbOf<typeof suppressionRemoveVerb>;
    suppressionStatistics: VerbOf<typeof suppressionStatisticsVerb>;
    suppressionsAdd: VerbOf<typeof suppressionsAddVerb>;
    suppressionsExport: VerbOf<typeof suppressionsExportVerb>;
    templateCreate: VerbOf<typeof templateCreateVerb>;
    templateDelete: VerbOf<typeof templateDeleteVerb>;
    templateDuplicate: VerbOf<typeof templateDuplicateVerb>;
    templatePreview: VerbOf<typeof templatePreviewVerb>;
    templateRestore: VerbOf<typeof templateRestoreVerb>;
    templateTestSend: VerbOf<typeof templateTestSendVerb>;
    templateUpdate: VerbOf<typeof templateUpdateVerb>;
    uiState: VerbOf<typeof uiStateVerb>;
    uiStateSave: VerbOf<typeof uiStateSaveVerb>;
    unsubscribe: VerbOf<typeof unsubscribeVerb>;
    unsubscribeView: VerbOf<typeof unsubscribeViewVerb>;
    usage: VerbOf<typeof usageVerb>;
    userChangePassword: VerbOf<typeof userChangePasswordVerb>;
    userCreate: VerbOf<typeof userCreateVerb>;
    userHasGroup: VerbOf<typeof userHasGroupVerb>;
    userInvitationAccept: VerbOf<typeof userInvitationAcceptVerb>;
    userInvitationResend: VerbOf<typeof userInvitationResendVerb>;
    userInvitationRevoke: VerbOf<typeof userInvitationRevokeVerb>;
    userInvitationShown: VerbOf<typeof userInvitationShownVerb>;
    userInvite: VerbOf<typeof userInviteVerb>;
    userKeyChecked: VerbOf<typeof userKeyCheckedVerb>;
    userKeyCreate: VerbOf<typeof userKeyCreateVerb>;
    userKeyDescribed: VerbOf<typeof userKeyDescribedVerb>;
    userKeyGenerate: VerbOf<typeof userKeyGenerateVerb>;
    userKeyRevoke: VerbOf<typeof userKeyRevokeVerb>;
    userSessionRevoke: VerbOf<typeof userSessionRevokeVerb>;
    userSessions: VerbOf<typeof userSessionsVerb>;
    userSessionsRevoke: VerbOf<typeof userSessionsRevokeVerb>;
    userWrite: VerbOf<typeof userWriteVerb>;
    viewPreferencesSave: VerbOf<typeof viewPreferencesSaveVerb>;
    webhookCreate: VerbOf<typeof webhookCreateVerb>;
    webhookDelete: VerbOf<typeof webhookDeleteVerb>;
    webhookRedeliver: VerbOf<typeof webhookRedeliverVerb>;
    webhookRotate: VerbOf<typeof webhookRotateVerb>;
    webhookSecret: VerbOf<typeof webhookSecretVerb>;
    webhookTest: VerbOf<typeof webhookTestVerb>;
    webhookUpdate: VerbOf<typeof webhookUpdateVerb>;
    websiteFormSubmit: VerbOf<typeof websiteFormSubmitVerb>;
    websiteHost: VerbOf<typeof websiteHostVerb>;
    websiteMarkupSet: VerbOf<typeof websiteMarkupSetVerb>;
    websiteMenuAdd: VerbOf<typeof websiteMenuAddVerb>;
    websiteOutline: VerbOf<typeof websiteOutlineVerb>;
    websitePageCreate: VerbOf<typeof websitePageCreateVerb>;
    websitePageDelete: VerbOf<typeof websitePageDeleteVerb>;
    websitePageMarkup: VerbOf<typeof websitePageMarkupVerb>;
    websitePagePreview: VerbOf<typeof websitePagePreviewVerb>;
    websitePagePublish: VerbOf<typeof websitePagePublishVerb>;
    websitePageReset: VerbOf<typeof websitePageResetVerb>;
    websitePageRestore: VerbOf<typeof websitePageRestoreVerb>;
    websitePageUpdate: VerbOf<typeof websitePageUpdateVerb>;
    websiteRedirectAdd: VerbOf<typeof websiteRedirectAddVerb>;
    websiteViewMarkupSet: VerbOf<typeof websiteViewMarkupSetVerb>;
    websiteVisit: VerbOf<typeof websiteVisitVerb>;
    wizardUninstall: VerbOf<typeof wizardUninstallVerb>;
    workspaceExportFile: VerbOf<typeof workspaceExportFileVerb>;
    workspaceExportLink: VerbOf<typeof workspaceExportLinkVerb>;
    workspaceExportStart: VerbOf<typeof workspaceExportStartVerb>;
    workspaceSeats: VerbOf<typeof workspaceSeatsVerb>;
  }
}
