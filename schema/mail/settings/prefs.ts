import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { builder } from '../../../src/engine/verb/builder.ts';
import { defineTypedShape } from '../../../src/engine/verb/shape.ts';
import { verb } from '../../../src/engine/verb/verb.ts';
import type { SignaturePlacement } from '../../../src/mail/signature.ts';
import { answersShape, OUTCOME } from '../kit/answer.ts';
import { mailWrites } from '../kit/policies.ts';
import { answering, MailRefusal } from '../kit/refusal.ts';

/** How a user wants the webmail to be, by the names that GraphQL has; doors call `chime` `svc_mail_chime`. */
export interface MailPrefs {
  chime: boolean;
  autoloadImages: boolean;
  undoSendSeconds: number;
  notifyTrigger: string;
  notifyPreview: string;
  signaturePolicy: string;
  signaturePlacement: SignaturePlacement;
}

const DEFAULTS: MailPrefs = {
  chime: true,
  autoloadImages: false,
  undoSendSeconds: 10,
  notifyTrigger: 'inbox',
  notifyPreview: 'subject',
  signaturePolicy: 'always',
  signaturePlacement: 'above_quote',
};

const ALLOWED: Partial<Record<keyof MailPrefs, readonly (string | number)[]>> = {
  undoSendSeconds: [0, 5, 10, 20, 30],
  notifyTrigger: ['all', 'inbox', 'never'],
  notifyPreview: ['full', 'subject', 'none'],
  signaturePolicy: ['always', 'new_only', 'never'],
  signaturePlacement: ['above_quote', 'below_quote'],
};

const oneOf = (name: keyof MailPrefs): string => `One of ${ALLOWED[name]!.join(', ')}.`;

const TEXTS: Record<keyof MailPrefs, string> = {
  chime: 'Whether a sound plays for new mail.',
  autoloadImages: 'Whether remote images of messages are loaded without being asked for.',
  undoSendSeconds: `Seconds in which a message that was sent can be taken back. ${oneOf('undoSendSeconds')}`,
  notifyTrigger: `For which new mail there is a notification. ${oneOf('notifyTrigger')}`,
  notifyPreview: `What notifications show of a message. ${oneOf('notifyPreview')}`,
  signaturePolicy: `Which messages get the signature. ${oneOf('signaturePolicy')}`,
  signaturePlacement: `Where the signature stands in an answer. ${oneOf('signaturePlacement')}`,
};

export const PrefsShape = defineTypedShape('MailPreferences', 'How you want the webmail to be.', {
  chime: { type: 'Boolean', description: TEXTS.chime },
  autoloadImages: { type: 'Boolean', description: TEXTS.autoloadImages },
  undoSendSeconds: { type: 'Int', description: TEXTS.undoSendSeconds },
  notifyTrigger: { type: 'String', description: TEXTS.notifyTrigger },
  notifyPreview: { type: 'String', description: TEXTS.notifyPreview },
  signaturePolicy: { type: 'String', description: TEXTS.signaturePolicy },
  signaturePlacement: { type: 'String', description: TEXTS.signaturePlacement },
});

const Input = builder.inputType('MailPreferencesInput', {
  description: 'Changes to how you want the webmail to be. Omitted preferences stay as they are.',
  fields: (t) => ({
    svcMailChime: t.boolean({ description: TEXTS.chime }),
    svcMailAutoloadImages: t.boolean({ description: TEXTS.autoloadImages }),
    svcMailUndoSendSeconds: t.int({ description: TEXTS.undoSendSeconds }),
    svcMailNotifyTrigger: t.string({ description: TEXTS.notifyTrigger }),
    svcMailNotifyPreview: t.string({ description: TEXTS.notifyPreview }),
    svcMailSignaturePolicy: t.string({ description: TEXTS.signaturePolicy }),
    svcMailSignaturePlacement: t.string({ description: TEXTS.signaturePlacement }),
  }),
});

export const mailPreferencesSaveVerb = verb('mailPreferencesSave', {
  kind: 'mutation',
  effects: ['writes'],
  address: 'svc.mail.account/save_prefs',
  policy: mailWrites,
  description: 'Saves how you want the webmail to be.',
  args: (arg) => ({ vals: arg({ type: Input, required: true, description: 'Preferences to change.' }) }),
  ...answersShape('MailPreferencesSaved', 'Preferences that were saved.', OUTCOME),
  run: (ctx, { vals }) => answering(() => savePrefs(ctx, vals)),
});

async function savePrefs(ctx: Ctx, vals: Record<string, unknown>): Promise<object> {
  const changes = changesOf(vals);
  for (const [name, allowed] of Object.entries(ALLOWED)) {
    const value = changes[name as keyof MailPrefs];
    if (value !== undefined && !allowed.includes(value as never))
      throw new MailRefusal(`${doorName(name)}: one of ${allowed.join(', ')}.`);
  }
  await ctx.db.rows(
    sql`insert into svc_mail_prefs (workspace_id, user_id, values)
     values (${ctx.workspace.id}, ${ctx.principal!.userId}, ${JSON.stringify(changes)}::jsonb)
     on conflict (workspace_id, user_id) do update set values = svc_mail_prefs.values || excluded.values`,
  );
  return {};
}

/** `svcMailChime` is kept as `chime`. */
function changesOf(vals: Record<string, unknown>): Partial<MailPrefs> {
  const given = Object.entries(vals).filter(([, value]) => value !== null && value !== undefined);
  if (given.length === 0) throw new MailRefusal('Name at least one preference to change.');
  return Object.fromEntries(
    given.map(([name, value]) => [name.charAt(7).toLowerCase() + name.slice(8), value]),
  );
}

const doorName = (name: string): string =>
  `svc_mail_${name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`;

/** The preferences of a user. */
export async function prefsOf(ctx: Ctx, userId: number): Promise<MailPrefs> {
  const [row] = await ctx.db.rows<{ values: Partial<MailPrefs> }>(
    sql`select values from svc_mail_prefs where workspace_id = ${ctx.workspace.id} and user_id = ${userId}`,
  );
  return { ...DEFAULTS, ...row?.values };
}

/** As doors have them. */
export const doorPrefs = (prefs: MailPrefs): Record<string, unknown> =>
  Object.fromEntries(Object.entries(prefs).map(([name, value]) => [doorName(name), value]));
