// Written by scripts/verbs.mjs.

import type {
  crmLeadArchiveVerb,
  crmLeadMarkLostVerb,
  crmLeadMarkWonVerb,
  crmLeadRestoreVerb,
  crmLeadUnarchiveVerb,
} from '../apps/crm/lead-close.ts';
import type { crmLeadConvertVerb } from '../apps/crm/lead-convert.ts';
import type { crmLeadMergeVerb } from '../apps/crm/lead-merge.ts';
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
import type { languageInstallVerb } from '../schema/base/partners/lang-install.ts';
import type { partnerAddressGetVerb } from '../schema/base/partners/partner-addresses.ts';
import type { partnerNameCreateVerb } from '../schema/base/partners/partner-name-create.ts';
import type { userKeyCheckedVerb, userKeyDescribedVerb } from '../schema/base/users/key-wizard.ts';
import type { keyCreateVerb, keyRevokeVerb } from '../schema/base/users/keys.ts';
import type {
  sessionInfoVerb,
  sessionLanguagesVerb,
  sessionModulesVerb,
} from '../schema/base/users/session-info.ts';
import type { userCreateVerb } from '../schema/base/users/user-create.ts';
import type { userKeyGenerateVerb, userKeyRevokeVerb } from '../schema/base/users/user-keys.ts';
import type {
  contextGetVerb,
  userChangePasswordVerb,
  userWriteVerb,
} from '../schema/base/users/user-self.ts';
import type { featureSetVerb } from '../schema/base/workspace/workspace.ts';
import type {
  accessCheckVerb,
  recordCheckAccessRightsVerb,
  recordCheckAccessRuleVerb,
  recordCheckFieldAccessVerb,
  recordHasAccessVerb,
  userHasGroupVerb,
} from '../schema/data/access.ts';
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
import type { emailSendVerb, emailsSendVerb } from '../schema/send/accept/email-send.ts';
import type { campaignCreateVerb } from '../schema/send/campaigns/campaign-create.ts';
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
import type { domainVerifyVerb } from '../schema/send/domains/domain-verify.ts';
import type { domainAddVerb } from '../schema/send/domains/domains.ts';
import type { listDomains, readDomain } from '../schema/send/domains/sending-domains.ts';
import type { emailStatisticsVerb, reputationVerb, usageVerb } from '../schema/send/emails/analytics.ts';
import type { emailPageVerb } from '../schema/send/emails/email-list.ts';
import type { emailReadVerb } from '../schema/send/emails/emails.ts';
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
import type {
  templateCreateVerb,
  templateDeleteVerb,
  templateDuplicateVerb,
  templatePreviewVerb,
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
import type { VerbOf } from '../src/engine/verb/verb.ts';

declare module '../src/engine/verb/verb.ts' {
  interface Verbs {
    accessCheck: VerbOf<typeof accessCheckVerb>;
    activityDone: VerbOf<typeof activityDoneVerb>;
    activityFeedback: VerbOf<typeof activityFeedbackVerb>;
    attachmentToken: VerbOf<typeof attachmentTokenVerb>;
    campaignCreate: VerbOf<typeof campaignCreateVerb>;
    campaignDelete: VerbOf<typeof campaignDeleteVerb>;
    campaignList: VerbOf<typeof campaignListVerb>;
    campaignPause: VerbOf<typeof campaignPauseVerb>;
    campaignRead: VerbOf<typeof campaignReadVerb>;
    campaignResume: VerbOf<typeof campaignResumeVerb>;
    campaignSchedule: VerbOf<typeof campaignScheduleVerb>;
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
    dataReference: VerbOf<typeof dataReferenceVerb>;
    docIndex: VerbOf<typeof docIndexVerb>;
    docModel: VerbOf<typeof docModelVerb>;
    domainAdd: VerbOf<typeof domainAddVerb>;
    domainDelete: VerbOf<typeof domainDeleteVerb>;
    domainList: VerbOf<typeof listDomains>;
    domainRead: VerbOf<typeof readDomain>;
    domainTracking: VerbOf<typeof domainTrackingVerb>;
    domainVerify: VerbOf<typeof domainVerifyVerb>;
    emailCancel: VerbOf<typeof emailCancelVerb>;
    emailGiveUp: VerbOf<typeof emailGiveUpVerb>;
    emailPage: VerbOf<typeof emailPageVerb>;
    emailRead: VerbOf<typeof emailReadVerb>;
    emailReschedule: VerbOf<typeof emailRescheduleVerb>;
    emailSend: VerbOf<typeof emailSendVerb>;
    emailSendAgain: VerbOf<typeof emailSendAgainVerb>;
    emailStatistics: VerbOf<typeof emailStatisticsVerb>;
    emailsSend: VerbOf<typeof emailsSendVerb>;
    emailsSendAgain: VerbOf<typeof emailsSendAgainVerb>;
    explainAccess: VerbOf<typeof explainAccessVerb>;
    featureSet: VerbOf<typeof featureSetVerb>;
    fileContent: VerbOf<typeof fileContentVerb>;
    irModelAvailable: VerbOf<typeof irModelAvailableVerb>;
    irModelDisplayNames: VerbOf<typeof irModelDisplayNamesVerb>;
    keyCreate: VerbOf<typeof keyCreateVerb>;
    keyRevoke: VerbOf<typeof keyRevokeVerb>;
    languageInstall: VerbOf<typeof languageInstallVerb>;
    modelDescribe: VerbOf<typeof modelDescribeVerb>;
    models: VerbOf<typeof modelsVerb>;
    outbox: VerbOf<typeof outboxVerb>;
    parameterGet: VerbOf<typeof parameterGetVerb>;
    parameterSet: VerbOf<typeof parameterSetVerb>;
    partnerAddressGet: VerbOf<typeof partnerAddressGetVerb>;
    partnerNameCreate: VerbOf<typeof partnerNameCreateVerb>;
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
    reputation: VerbOf<typeof reputationVerb>;
    saleOrderCancel: VerbOf<typeof saleOrderCancelVerb>;
    saleOrderConfirm: VerbOf<typeof saleOrderConfirmVerb>;
    saleOrderLock: VerbOf<typeof saleOrderLockVerb>;
    saleOrderMarkSent: VerbOf<typeof saleOrderMarkSentVerb>;
    saleOrderSend: VerbOf<typeof saleOrderSendVerb>;
    saleOrderSetDraft: VerbOf<typeof saleOrderSetDraftVerb>;
    saleOrderUnlock: VerbOf<typeof saleOrderUnlockVerb>;
    saleOrderUpdatePrices: VerbOf<typeof saleOrderUpdatePricesVerb>;
    sequenceNextByCode: VerbOf<typeof sequenceNextByCodeVerb>;
    sequenceNextById: VerbOf<typeof sequenceNextByIdVerb>;
    sessionInfo: VerbOf<typeof sessionInfoVerb>;
    sessionLanguages: VerbOf<typeof sessionLanguagesVerb>;
    sessionModules: VerbOf<typeof sessionModulesVerb>;
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
    templateTestSend: VerbOf<typeof templateTestSendVerb>;
    templateUpdate: VerbOf<typeof templateUpdateVerb>;
    unsubscribe: VerbOf<typeof unsubscribeVerb>;
    unsubscribeView: VerbOf<typeof unsubscribeViewVerb>;
    usage: VerbOf<typeof usageVerb>;
    userChangePassword: VerbOf<typeof userChangePasswordVerb>;
    userCreate: VerbOf<typeof userCreateVerb>;
    userHasGroup: VerbOf<typeof userHasGroupVerb>;
    userKeyChecked: VerbOf<typeof userKeyCheckedVerb>;
    userKeyDescribed: VerbOf<typeof userKeyDescribedVerb>;
    userKeyGenerate: VerbOf<typeof userKeyGenerateVerb>;
    userKeyRevoke: VerbOf<typeof userKeyRevokeVerb>;
    userWrite: VerbOf<typeof userWriteVerb>;
    webhookCreate: VerbOf<typeof webhookCreateVerb>;
    webhookDelete: VerbOf<typeof webhookDeleteVerb>;
    webhookRedeliver: VerbOf<typeof webhookRedeliverVerb>;
    webhookRotate: VerbOf<typeof webhookRotateVerb>;
    webhookSecret: VerbOf<typeof webhookSecretVerb>;
    webhookTest: VerbOf<typeof webhookTestVerb>;
    webhookUpdate: VerbOf<typeof webhookUpdateVerb>;
  }
}
