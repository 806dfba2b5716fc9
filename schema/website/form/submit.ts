import { randomUUID } from 'node:crypto';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { builder } from '../../../src/engine/operation/builder.ts';
import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { computeKeyedHash, isSameHash } from '../../../src/engine/value/keys.ts';
import { create } from '../../../src/engine/write/write.ts';
import { errors } from '../../../src/errors.ts';
import { escapeHtml } from '../../../src/escape-html.ts';
import { limits } from '../../../src/limits.ts';
import { parseAddress } from '../../../src/message/address.ts';
import { buildMimeMessage } from '../../../src/message/compose.ts';
import { acceptMessage } from '../../mailbox/intake/accept.ts';
import { findDeliveryTargets } from '../../mailbox/intake/delivery-targets.ts';
import { findSite, type Site } from '../site/load-site.ts';

const MAX_FORM_FIELD_CHARS = 5_000;
const MAX_FORM_FIELDS = 30;
/** A form submitted faster was not filled in by a person. */
const MIN_FILL_TIME_MS = 2_000;
/** An older form must be reloaded. */
const MAX_FORM_AGE_MS = 24 * 3_600_000;

const FormFieldInput = builder.inputType('WebsiteFormFieldInput', {
  description: 'A form field that a visitor has filled in.',
  fields: (t) => ({
    name: t.string({ required: true, description: 'Name of the field in the markup.' }),
    value: t.string({ required: true, description: 'Value of the field.' }),
  }),
});

export const websiteFormSubmit = defineOperation('websiteFormSubmit', {
  kind: 'mutation',
  effects: ['writes', 'sends'],
  // The website facade limits submissions per client address.
  policy: { auth: ['ANYONE'], scope: 'write' },
  description:
    'Submits a website form: creates a lead, or files a message if the website specifies a mailbox. ' +
    "Submissions by bots are silently dropped. Forms must be sent to the website's own host; other " +
    'requests are rejected.',
  args: (arg) => ({
    websiteId: arg.recordId({
      description: 'Website id. Defaults to the website of `host`, or else the first website.',
    }),
    host: arg.string({ description: 'Host name of the request.' }),
    fields: arg({
      type: [FormFieldInput],
      required: true,
      description: 'Fields that the visitor has filled in.',
    }),
  }),
  type: 'Boolean',
  run: async (ctx, { websiteId, host, fields }) => {
    const site = await findSite(ctx, websiteId ?? null, host ?? null, new Date());
    if (!site?.live) throw errors.notFound('Website');
    return submitForm(ctx, site, parseFields(fields));
  },
});

function parseFields(fields: { name: string; value: string }[]): Map<string, string> {
  if (fields.length > MAX_FORM_FIELDS)
    throw errors.badRequest(`A form may have at most ${MAX_FORM_FIELDS} fields.`);
  return new Map(
    fields.map(({ name, value }) => {
      const text = value.trim();
      if (name.length > limits.site.name || text.length > MAX_FORM_FIELD_CHARS)
        throw errors.badRequest(
          `${name.slice(0, 40)}: the name may have at most ${limits.site.name} characters, and the value at most ` +
            `${MAX_FORM_FIELD_CHARS}.`,
        );
      return [name, text];
    }),
  );
}

/** Honeypot: the field is hidden from people, so only bots fill it in. */
const HONEYPOT_FIELD = 'homepage';
const TOKEN_FIELD = 'form_token';

async function submitForm(ctx: Ctx, site: Site, texts: Map<string, string>): Promise<boolean> {
  const age = computeFormAge(ctx, texts.get(TOKEN_FIELD) ?? '');
  if (texts.get(HONEYPOT_FIELD) || age < MIN_FILL_TIME_MS) return true;
  const form = parseForm(texts);
  if (!form.email && !form.phone) throw errors.badRequest('Enter an email address or a phone number.');
  if (form.email && !parseAddress(form.email)) throw errors.badRequest('The email address is not valid.');
  if (site.form_mailbox) await fileInMailbox(ctx, site, form);
  else await createFormLead(ctx, site, form);
  return true;
}

/** Returns the milliseconds since the page was rendered. @throws BAD_REQUEST if the token is invalid or too old */
function computeFormAge(ctx: Ctx, token: string): number {
  const [time = '', hash = ''] = token.split('.');
  const expected = computeKeyedHash(ctx.runtime.config.secretKey, `form ${ctx.workspace.id} ${time}`);
  const age = Date.now() - Number(time);
  if (!/^\d{1,15}$/.test(time) || !isSameHash(expected, hash) || age > MAX_FORM_AGE_MS)
    throw errors.badRequest('This form has been open for too long. Reload the page and send it again.');
  return age;
}

interface Form {
  name: string;
  email: string;
  phone: string;
  company: string;
  subject: string;
  message: string;
}

const KNOWN_FIELDS = ['name', 'email', 'phone', 'company', 'subject', 'message'] as const;

/** Appends unknown fields to the message. */
function parseForm(texts: Map<string, string>): Form {
  const [name, email, phone, company, subject, message] = KNOWN_FIELDS.map((field) => texts.get(field) ?? '');
  const toOneLine = (text: string | undefined) =>
    (text ?? '').replace(/[\s\u0000-\u001f\u007f]+/g, ' ').slice(0, 200);
  const extra = [...texts]
    .filter(
      ([field, text]) =>
        text && field !== TOKEN_FIELD && field !== HONEYPOT_FIELD && !KNOWN_FIELDS.includes(field as 'name'),
    )
    .map(([field, text]) => `${toOneLine(field)}: ${text}`);
  return {
    name: toOneLine(name),
    email: toOneLine(email),
    phone: toOneLine(phone),
    company: toOneLine(company),
    subject: toOneLine(subject),
    message: [message ?? '', ...extra].filter(Boolean).join('\n\n'),
  };
}

const LEAD_MODEL = 'crm.lead';

async function createFormLead(ctx: Ctx, site: Site, form: Form): Promise<void> {
  if (!ctx.catalog.registry.has(LEAD_MODEL)) throw errors.user('This website does not accept forms.');
  await create(ctx.system(), LEAD_MODEL, [
    {
      name: form.subject || `Form on ${site.name}`,
      type: 'lead',
      contact_name: form.name || false,
      partner_name: form.company || false,
      email_from: form.email || false,
      phone: form.phone || false,
      description: toHtml(form.message) || false,
    },
  ]);
}

const toHtml = (text: string): string => escapeHtml(text).replace(/\r?\n/g, '<br>');

async function fileInMailbox(ctx: Ctx, site: Site, form: Form): Promise<void> {
  const address = site.form_mailbox!;
  const id = randomUUID();
  const lines = [
    `Name: ${form.name}`,
    `Company: ${form.company}`,
    `Phone: ${form.phone}`,
    `Email: ${form.email}`,
  ];
  const raw = buildMimeMessage({
    emailId: id,
    messageId: `${id}@${address.split('@')[1]}`,
    date: new Date(),
    from: address,
    to: [address],
    replyTo: form.email ? [form.email] : [],
    subject: form.subject || `Form on ${site.name}`,
    text: `${lines.filter((line) => !line.endsWith(': ')).join('\n')}\n\n${form.message}\n`,
  });
  const targets = await findDeliveryTargets(ctx.runtime, [address], raw.length, true);
  const mailbox = targets.filter((target) => target.workspaceId === ctx.workspace.id);
  const acceptance = await acceptMessage(ctx.runtime, {
    sender: '',
    recipients: mailbox.map((target) => target.recipient),
    raw,
    source: 'local',
    places: mailbox,
  });
  if (![...acceptance.values()].includes('accepted'))
    throw errors.busy('Your message could not be sent at the moment. Try again later.');
}
