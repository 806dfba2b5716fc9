import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { builder } from '../../../src/engine/operation/builder.ts';
import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { defineTypedShape } from '../../../src/engine/operation/shape.ts';
import type { SignaturePlacement } from '../../../src/message/signature.ts';
import { catchMailError, MAIL_WRITE_POLICY, MailError, returnOutcome } from '../kit/operation.ts';

/** A user's webmail preferences, by GraphQL name. Other facades add a prefix, as in `svc_mail_chime`. */
interface MailPrefs {
  chime: boolean;
  autoloadImages: boolean;
  undoSendSeconds: number;
  notifyTrigger: string;
  notifyPreview: string;
  signaturePolicy: string;
  signaturePlacement: SignaturePlacement;
}

const DEFAULT_PREFS: MailPrefs = {
  chime: true,
  autoloadImages: false,
  undoSendSeconds: 10,
  notifyTrigger: 'inbox',
  notifyPreview: 'subject',
  signaturePolicy: 'always',
  signaturePlacement: 'above_quote',
};

const ALLOWED_VALUES: Partial<Record<keyof MailPrefs, readonly (string | number)[]>> = {
  undoSendSeconds: [0, 5, 10, 20, 30],
  notifyTrigger: ['all', 'inbox', 'never'],
  notifyPreview: ['full', 'subject', 'none'],
  signaturePolicy: ['always', 'new_only', 'never'],
  signaturePlacement: ['above_quote', 'below_quote'],
};

const describeAllowed = (name: keyof MailPrefs): string => `One of ${ALLOWED_VALUES[name]!.join(', ')}.`;

const DESCRIPTIONS: Record<keyof MailPrefs, string> = {
  chime: 'True if a sound plays for new mail.',
  autoloadImages: 'True if remote images of messages are loaded automatically.',
  undoSendSeconds: `Number of seconds in which a sent message can be recalled. ${describeAllowed('undoSendSeconds')}`,
  notifyTrigger: `Incoming mail that triggers a notification. ${describeAllowed('notifyTrigger')}`,
  notifyPreview: `Parts of a message that notifications show. ${describeAllowed('notifyPreview')}`,
  signaturePolicy: `Messages that get the signature. ${describeAllowed('signaturePolicy')}`,
  signaturePlacement: `Position of the signature in a reply. ${describeAllowed('signaturePlacement')}`,
};

export const PrefsShape = defineTypedShape('MailPreferences', 'Your webmail preferences.', {
  chime: { type: 'Boolean', description: DESCRIPTIONS.chime },
  autoloadImages: { type: 'Boolean', description: DESCRIPTIONS.autoloadImages },
  undoSendSeconds: { type: 'Int', description: DESCRIPTIONS.undoSendSeconds },
  notifyTrigger: { type: 'String', description: DESCRIPTIONS.notifyTrigger },
  notifyPreview: { type: 'String', description: DESCRIPTIONS.notifyPreview },
  signaturePolicy: { type: 'String', description: DESCRIPTIONS.signaturePolicy },
  signaturePlacement: { type: 'String', description: DESCRIPTIONS.signaturePlacement },
});

const PrefsInput = builder.inputType('MailPreferencesInput', {
  description: 'Changes to your webmail preferences. Omitted preferences keep their values.',
  fields: (t) => ({
    svcMailChime: t.boolean({ description: DESCRIPTIONS.chime }),
    svcMailAutoloadImages: t.boolean({ description: DESCRIPTIONS.autoloadImages }),
    svcMailUndoSendSeconds: t.int({ description: DESCRIPTIONS.undoSendSeconds }),
    svcMailNotifyTrigger: t.string({ description: DESCRIPTIONS.notifyTrigger }),
    svcMailNotifyPreview: t.string({ description: DESCRIPTIONS.notifyPreview }),
    svcMailSignaturePolicy: t.string({ description: DESCRIPTIONS.signaturePolicy }),
    svcMailSignaturePlacement: t.string({ description: DESCRIPTIONS.signaturePlacement }),
  }),
});

export const mailPreferencesSave = defineOperation('mailPreferencesSave', {
  effects: ['writes'],
  address: 'svc.mail.account/save_prefs',
  policy: MAIL_WRITE_POLICY,
  description: 'Saves your webmail preferences.',
  args: (arg) => ({ vals: arg({ type: PrefsInput, required: true, description: 'Preferences to change.' }) }),
  ...returnOutcome('MailPreferencesSaved', 'Result of saving webmail preferences.'),
  run: (ctx, { vals }) => catchMailError(() => savePrefs(ctx, vals)),
});

async function savePrefs(ctx: Ctx, vals: Record<string, unknown>): Promise<object> {
  const changes = parseChanges(vals);
  for (const [name, allowed] of Object.entries(ALLOWED_VALUES)) {
    const value = changes[name as keyof MailPrefs];
    if (value !== undefined && !allowed.includes(value as never))
      throw new MailError(`${toFacadeName(name)}: must be one of ${allowed.join(', ')}.`);
  }
  await ctx.db.rows(
    sql`insert into svc_mail_prefs (workspace_id, user_id, values)
     values (${ctx.workspace.id}, ${ctx.principal!.userId}, ${JSON.stringify(changes)}::jsonb)
     on conflict (workspace_id, user_id) do update set values = svc_mail_prefs.values || excluded.values`,
  );
  return {};
}

/** Removes the prefix from names such as `svcMailChime`. @throws MailError if no value is set */
function parseChanges(vals: Record<string, unknown>): Partial<MailPrefs> {
  const entries = Object.entries(vals).filter(([, value]) => value !== null && value !== undefined);
  if (entries.length === 0) throw new MailError('Specify at least one preference to change.');
  return Object.fromEntries(
    entries.map(([name, value]) => [name.charAt(7).toLowerCase() + name.slice(8), value]),
  );
}

const toFacadeName = (name: string): string =>
  `svc_mail_${name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`;

export async function loadPrefs(ctx: Ctx, userId: number): Promise<MailPrefs> {
  const [row] = await ctx.db.rows<{ values: Partial<MailPrefs> }>(
    sql`select values from svc_mail_prefs where workspace_id = ${ctx.workspace.id} and user_id = ${userId}`,
  );
  return { ...DEFAULT_PREFS, ...row?.values };
}

export const toFacadePrefs = (prefs: MailPrefs): Record<string, unknown> =>
  Object.fromEntries(Object.entries(prefs).map(([name, value]) => [toFacadeName(name), value]));
