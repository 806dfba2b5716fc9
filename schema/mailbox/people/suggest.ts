import { sql } from '../../../src/db/sql.ts';
import { canAccessModel } from '../../../src/engine/access/access.ts';
import { getModel } from '../../../src/engine/access/create-statement.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { facadeResult } from '../../../src/engine/operation/record-result.ts';
import { defineTypedShape, type ValueOf } from '../../../src/engine/operation/shape.ts';
import { searchRead } from '../../../src/engine/read/records.ts';
import { escapeLikePattern } from '../../../src/engine/value/like-pattern.ts';
import { getMemberMailbox } from '../accounts/member-access.ts';
import { MAIL_READ_POLICY } from '../kit/operation.ts';

const MAX_SUGGESTIONS = 50;

const Suggestion = defineTypedShape('MailSuggestion', 'A recipient to suggest.', {
  name: { type: 'String', description: 'Name. Empty if it is unknown.' },
  email: { type: 'String', description: 'Address.' },
});

type Suggestion = ValueOf<typeof Suggestion>;

export const mailSuggestions = defineOperation('mailSuggestions', {
  effects: ['reads'],
  address: 'svc.mail.account/suggest_recipients',
  policy: MAIL_READ_POLICY,
  description:
    'Suggests recipients whose name or address begins with the given text. Frequent recipients of ' +
    'the mailbox come first, followed by colleagues with a mailbox, and then contacts.',
  args: (arg) => ({
    accountId: arg.recordId({ required: true, description: 'Mailbox to write from.' }),
    query: arg.string({ defaultValue: '', description: 'Text typed so far.' }),
    limit: arg.int({
      defaultValue: 8,
      description: `Maximum number of suggestions, up to ${MAX_SUGGESTIONS}.`,
    }),
  }),
  type: [Suggestion.ref] as object,
  returns: facadeResult.json,
  run: async (ctx, { accountId, query, limit }) => {
    await getMemberMailbox(ctx, accountId);
    const maxSuggestions = Math.min(MAX_SUGGESTIONS, Math.max(0, limit ?? 8));
    const typedText = (query ?? '').trim().slice(0, 200);
    return maxSuggestions === 0 ? [] : findSuggestions(ctx, accountId, typedText, maxSuggestions);
  },
});

async function findSuggestions(
  ctx: Ctx,
  accountId: number,
  typedText: string,
  limit: number,
): Promise<Suggestion[]> {
  const correspondents = await findCorrespondents(ctx, accountId, typedText, limit);
  const colleagues =
    correspondents.length < limit ? await findColleagues(ctx, accountId, typedText, limit) : [];
  const contacts =
    correspondents.length + colleagues.length < limit ? await findContacts(ctx, typedText, limit) : [];
  const usedAddresses = new Set<string>();
  return [...correspondents, ...colleagues, ...contacts]
    .filter(({ email }) => !usedAddresses.has(email.toLowerCase()) && usedAddresses.add(email.toLowerCase()))
    .slice(0, limit);
}

function findCorrespondents(
  ctx: Ctx,
  accountId: number,
  typedText: string,
  limit: number,
): Promise<Suggestion[]> {
  const start = `${escapeLikePattern(typedText.toLowerCase())}%`;
  return ctx.db.rows<Suggestion>(
    sql`select name, email from svc_mail_correspondent
     where workspace_id = ${ctx.workspace.id} and account_id = ${accountId}
       and (lower(email) like ${start} or lower(name) like ${start} or lower(name) like ${`% ${start}`})
     order by uses desc, last_at desc, email limit ${limit}`,
  );
}

async function findColleagues(
  ctx: Ctx,
  accountId: number,
  typedText: string,
  limit: number,
): Promise<Suggestion[]> {
  if (typedText === '') return [];
  const start = `${escapeLikePattern(typedText.toLowerCase())}%`;
  return ctx.db.rows<Suggestion>(
    sql`select p.name, a.address as email from svc_mail_account a
     join res_users u on u.workspace_id = ${ctx.workspace.id} and u.id = a.owner_id
     join res_partner p on p.workspace_id = ${ctx.workspace.id} and p.id = u.partner_id
     where a.workspace_id = ${ctx.workspace.id} and a.active and u.active and a.id <> ${accountId}
       and (lower(a.address) like ${start} or lower(p.name) like ${start} or lower(p.name) like ${`% ${start}`})
     order by p.name, a.id limit ${limit}`,
  );
}

async function findContacts(ctx: Ctx, typedText: string, limit: number): Promise<Suggestion[]> {
  if (typedText === '' || !canAccessModel(ctx, getModel(ctx, 'res.partner'), 'read')) return [];
  const start = `${escapeLikePattern(typedText)}%`;
  const contacts = await searchRead(ctx, {
    model: 'res.partner',
    domain: [
      '&',
      ['email_normalized', '!=', false],
      '|',
      '|',
      ['name', '=ilike', start],
      ['name', '=ilike', `% ${start}`],
      ['email', '=ilike', start],
    ],
    fields: ['name', 'email_normalized'],
    page: { limit, order: 'name, id' },
  });
  const rows = contacts.value<{ name: string | null; email_normalized: string }[]>();
  return rows.map(({ name, email_normalized }) => ({ name: name || '', email: email_normalized }));
}
