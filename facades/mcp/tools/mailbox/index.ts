import type { Tool } from '../../tool.ts';
import { inboxMessageTool } from './inbox-message.ts';
import { inboxReadTool } from './inbox-read.ts';
import { inboxThreadTool } from './inbox-thread.ts';
import { mailAutoreplySetTool } from './mail-autoreply-set.ts';
import { mailBlockedListTool } from './mail-blocked-list.ts';
import { mailDomainStatusTool } from './mail-domain-status.ts';
import { mailDraftSaveTool } from './mail-draft-save.ts';
import { mailFeaturesTool } from './mail-features.ts';
import { mailLabelTool } from './mail-label.ts';
import { mailOrganizeTool } from './mail-organize.ts';
import { mailRuleTool } from './mail-rule.ts';
import { mailRulesGetTool } from './mail-rules-get.ts';
import { mailSendTool } from './mail-send.ts';
import { mailSenderBlockTool } from './mail-sender-block.ts';
import { mailboxListTool } from './mailbox-list.ts';

export const mailTools: readonly Tool[] = [
  mailFeaturesTool,
  mailboxListTool,
  inboxReadTool,
  inboxMessageTool,
  inboxThreadTool,
  mailRulesGetTool,
  mailBlockedListTool,
  mailDomainStatusTool,
  mailDraftSaveTool,
  mailSendTool,
  mailOrganizeTool,
  mailLabelTool,
  mailSenderBlockTool,
  mailRuleTool,
  mailAutoreplySetTool,
];
