import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { facadeResult } from '../../../src/engine/operation/record-result.ts';
import { defineTypedShape } from '../../../src/engine/operation/shape.ts';
import { MAIL_READ_POLICY, toCamelKeys } from '../kit/operation.ts';
import { FeatureStateShape, toFeatureStates } from '../settings/feature-states.ts';
import { loadFeatures } from '../settings/features.ts';
import { loadPrefs, PrefsShape, toFacadePrefs } from '../settings/prefs.ts';

const AccountShape = defineTypedShape('MailboxState', 'A mailbox that you are a member of.', {
  id: { type: 'ID', description: 'Id of the mailbox.' },
  name: { type: 'String', description: 'Sender name used for outgoing mail.' },
  email: { type: 'String', description: 'Address.' },
  kind: { type: 'String', description: '`personal` or `shared`.' },
  role: { type: 'String', description: 'Your role in the mailbox: `owner`, `manager` or `member`.' },
  signature: { type: 'String', description: 'Signature, as HTML.' },
  version: {
    type: 'Int',
    description: 'Increases when the signature changes. Pass it as `expectedVersion` to `mailSignatureSave`.',
  },
  unread: { type: 'Int', description: 'Number of unread messages in the Inbox.' },
  usedBytes: { type: 'Float', description: "Storage used by the mailbox's messages, in bytes." },
  quotaBytes: {
    type: 'Float',
    nullable: true,
    description: 'Storage quota, in bytes. Null if the mailbox has no quota.',
  },
});

const FolderShape = defineTypedShape('MailFolderState', 'A folder of a mailbox.', {
  id: { type: 'ID', description: 'Id of the folder.' },
  accountId: { type: 'ID', description: "Id of the folder's mailbox." },
  type: {
    type: 'String',
    nullable: true,
    description:
      'Role of a system folder: inbox, drafts, sent, archive, spam or trash. Null for a custom folder.',
  },
  name: { type: 'String', description: 'Name.' },
  total: { type: 'Int', description: 'Number of messages in the folder. Drafts counts only your own.' },
  unread: {
    type: 'Int',
    description: 'Number of unread messages in the folder. Drafts counts only your own.',
  },
});

const LabelShape = defineTypedShape('MailLabelState', 'A label of a mailbox.', {
  id: { type: 'ID', description: 'Id of the label.' },
  accountId: { type: 'ID', description: "Id of the label's mailbox." },
  name: { type: 'String', description: 'Name.' },
  color: { type: 'Int', description: 'Color index, from 0 to 11.' },
  total: { type: 'Int', description: 'Number of messages with the label.' },
});

const StateShape = defineTypedShape(
  'MailState',
  'State of a webmail: mailboxes with their folders, labels and counts, features and preferences.',
  {
    accounts: { type: [AccountShape], description: 'Mailboxes that you are a member of, your own first.' },
    folders: { type: [FolderShape], description: 'Folders of your mailboxes, in display order.' },
    labels: { type: [LabelShape], description: 'Labels of your mailboxes.' },
    features: { type: [FeatureStateShape], description: 'Mail features, and whether each is on for you.' },
    prefs: { type: PrefsShape, description: 'Your webmail preferences.' },
    unifiedInbox: { type: 'Boolean', description: 'True if the combined list of all inboxes is available.' },
  },
);

export const mailState = defineOperation('mailState', {
  effects: ['reads'],
  tool: 'mailbox_list',
  address: 'svc.mail.account/get_mailbox_state',
  policy: MAIL_READ_POLICY,
  description:
    'Returns your mailboxes with their folders, labels and unread counts, as well as your mail ' +
    'features and preferences.',
  args: () => ({}),
  type: StateShape.ref as object,
  returns: facadeResult.json,
  run: async (ctx) => {
    const { prefs, ...state } = await loadState(ctx);
    return { ...state, prefs: toFacadePrefs(prefs) };
  },
  read: async (ctx) => {
    const { prefs, features, ...state } = await loadState(ctx);
    return { ...(toCamelKeys(state) as object), features: toFeatureStates(features), prefs };
  },
});

async function loadState(ctx: Ctx) {
  const { companyId, userId } = ctx.principal!;
  const features = await loadFeatures(ctx, companyId);
  return {
    accounts: await loadAccounts(ctx, userId!),
    folders: await loadFolders(ctx, userId!),
    labels: await loadLabels(ctx, userId!),
    features,
    prefs: await loadPrefs(ctx, userId!),
    unified_inbox: features['mail.unified_inbox'],
  };
}

const loadAccounts = ({ db, workspace: { id } }: Ctx, user: number): Promise<object[]> =>
  db.rows(
    sql`select a.id, a.name, a.address as email, a.kind, m.role, a.signature, a.row_version as version,
       f.unread, c.used_bytes, a.quota as quota_bytes
     from svc_mail_member m
     join svc_mail_account a on a.workspace_id = ${id} and a.id = m.account_id and a.active
     join svc_mail_clock c on c.workspace_id = ${id} and c.account_id = a.id
     join svc_mail_folder f on f.workspace_id = ${id} and f.account_id = a.id and f.role = 'inbox'
     where m.workspace_id = ${id} and m.user_id = ${user} order by a.kind, a.name, a.id`,
  );

/** Counts drafts separately, because they are not stored in the folder, and members see only their own. */
const loadFolders = ({ db, workspace: { id } }: Ctx, user: number): Promise<object[]> =>
  db.rows(
    sql`select f.id, f.account_id, f.role as type, f.name, coalesce(d.n, f.total) as total,
       coalesce(d.n, f.unread) as unread
     from svc_mail_member m
     join svc_mail_account a on a.workspace_id = ${id} and a.id = m.account_id and a.active
     join svc_mail_folder f on f.workspace_id = ${id} and f.account_id = a.id
     left join lateral (select count(*)::int as n from svc_mail_draft d
       where d.workspace_id = ${id} and d.account_id = f.account_id and d.user_id = ${user}) d on f.role = 'drafts'
     where m.workspace_id = ${id} and m.user_id = ${user} order by a.kind, a.name, a.id, f.sequence, f.name, f.id`,
  );

const loadLabels = ({ db, workspace: { id } }: Ctx, user: number): Promise<object[]> =>
  db.rows(
    sql`select l.id, l.account_id, l.name, l.color, l.total
     from svc_mail_member m
     join svc_mail_account a on a.workspace_id = ${id} and a.id = m.account_id and a.active
     join svc_mail_label l on l.workspace_id = ${id} and l.account_id = a.id
     where m.workspace_id = ${id} and m.user_id = ${user} order by a.kind, a.name, a.id, l.name, l.id`,
  );
