import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { builder } from '../../../src/engine/verb/builder.ts';
import { call } from '../../../src/engine/verb/call.ts';
import { verb } from '../../../src/engine/verb/verb.ts';
import { errors } from '../../../src/errors.ts';
import { parseAddress } from '../../../src/mail/address.ts';
import { htmlToText } from '../../../src/mail/html-text.ts';
import { adminReads, adminWrites } from '../kit/policies.ts';
import { emptyIn, namesOf, type Variables } from './compile.ts';
import { compileTemplate, type ReadyTemplate, render } from './render.ts';
import { contentOf, scalarsOf, type TemplateInput, templateName } from './template-input.ts';
import { insertTemplate, templateBy, updateTemplate } from './templates.ts';

const Input = builder.inputType('TemplateInput', {
  description: 'An email template. In a change, what is left out stays as it is.',
  fields: (t) => ({
    name: t.string(),
    subject: t.string(),
    html: t.string({
      description: 'With variables as {{name}} or {{name, fallback=value}}; values are escaped.',
    }),
    text: t.string({ description: 'Without one it is made from the HTML.' }),
    content: t.string({ description: 'JSON of the block editor; the HTML is made of it.' }),
    variables: t.field({ type: 'JSON', description: 'Fallback values by variable.' }),
    raw: t.stringList({ description: 'Variables that may be written as {{{name}}}, as HTML.' }),
  }),
});

verb('templateCreate', {
  kind: 'mutation',
  policy: adminWrites,
  description: 'Makes an email template; answers with the id that a send names as templateId.',
  args: (arg) => ({ template: arg({ type: Input, required: true }) }),
  type: 'String',
  run: (ctx, { template }) =>
    insertTemplate(ctx, templateName(template.name), contentOf(template as TemplateInput)),
});

verb('templateUpdate', {
  kind: 'mutation',
  policy: adminWrites,
  description:
    'Changes an email template; answers with the number of its version. Earlier versions are kept.',
  args: (arg) => ({
    id: arg.string({ required: true }),
    template: arg({ type: Input, required: true }),
  }),
  type: 'Int',
  run: async (ctx, { id, template }) => (await updateTemplate(ctx, id, template as TemplateInput)).version,
});

verb('templateDuplicate', {
  kind: 'mutation',
  policy: adminWrites,
  description: 'Makes a copy of an email template; answers with the id of the copy.',
  args: (arg) => ({ id: arg.string({ required: true }), name: arg.string() }),
  type: 'String',
  async run(ctx, { id, name }) {
    const template = await templateBy(ctx, id);
    return insertTemplate(ctx, templateName(name ?? `${template.name.slice(0, 240)} (copy)`), template);
  },
});

verb('templateDelete', {
  kind: 'mutation',
  policy: adminWrites,
  description: 'Deletes an email template with its versions; emails that were made with it stay as they are.',
  args: (arg) => ({ id: arg.string({ required: true }) }),
  type: 'Boolean',
  async run(ctx, { id }) {
    const { id: row } = await templateBy(ctx, id);
    await ctx.db.rows(sql`delete from svc_template where workspace_id = ${ctx.workspace.id} and id = ${row}`);
    return true;
  },
});

interface Preview {
  subject: string;
  html: string | null;
  text: string;
  names: string[];
  missing: string[];
}

const PreviewType = builder.objectRef<Preview>('TemplatePreview').implement({
  description: 'What a template makes of some variables.',
  fields: (t) => ({
    subject: t.exposeString('subject'),
    html: t.exposeString('html', { nullable: true }),
    text: t.exposeString('text'),
    names: t.exposeStringList('names', { description: 'The variables it has.' }),
    missing: t.exposeStringList('missing', {
      description: 'Those that have neither a value nor a fallback; they are shown by their names.',
    }),
  }),
});

verb('templatePreview', {
  kind: 'query',
  policy: adminReads,
  description:
    'Shows what a template makes of some variables; with `template` as it would be after that change, which is not stored.',
  args: (arg) => ({
    id: arg.string(),
    template: arg({ type: Input }),
    variables: arg({ type: 'JSON' }),
  }),
  type: PreviewType,
  select: '{ subject html text names missing }',
  async run(ctx, { id, template, variables }) {
    if (!id && !template) throw errors.badRequest('Either id or template is required.');
    const before = id ? await templateBy(ctx, id) : undefined;
    const content = template ? contentOf(template as TemplateInput, before) : before!;
    return previewOf(compileTemplate('', 0, content), scalarsOf('variables', variables));
  },
});

function previewOf(template: ReadyTemplate, given: Variables): Preview {
  const pieces = [...template.subject, ...(template.html ?? []), ...(template.text ?? [])];
  const names = namesOf(pieces);
  const missing = namesOf(emptyIn(pieces, given, template.fallbacks));
  const shown = Object.fromEntries(missing.map((name) => [name, `{{${name}}}`]));
  const { subject, html, text } = render(template, { ...given, ...shown });
  return { subject, html, text: text ?? htmlToText(html ?? ''), names, missing };
}

verb('templateTestSend', {
  kind: 'mutation',
  policy: { ...adminWrites, scope: 'send' },
  description:
    "Sends a template as it is stored to one address, by default the caller's login; answers with the email's id.",
  args: (arg) => ({
    id: arg.string({ required: true }),
    from: arg.string({ required: true, description: 'Sender on a verified domain of the workspace.' }),
    to: arg.string({ description: "By default the caller's login, when that is an email address." }),
    variables: arg({ type: 'JSON' }),
  }),
  type: 'String',
  run: (ctx, { id, from, to, variables }) => testSend(ctx, id, from, to ?? ownAddress(ctx), variables),
});

/** @throws BAD_REQUEST when the login of the caller is none */
function ownAddress(ctx: Ctx): string {
  const login = ctx.principal?.login ?? '';
  if (parseAddress(login)) return login;
  throw errors.badRequest(
    `to: your login ${JSON.stringify(login)} is no email address; give the one to send the test to.`,
  );
}

async function testSend(ctx: Ctx, id: string, from: string, to: string, variables: unknown): Promise<string> {
  const { public_id: templateId } = await templateBy(ctx, id);
  const tags = { test: 'template' };
  const emails = [{ from, to: [to], templateId, variables, tags }];
  return (await call<string[]>(ctx, 'emailsSend', { emails }))[0]!;
}
