import { GraphQLBoolean, GraphQLInt, type GraphQLResolveInfo, GraphQLString } from 'graphql';
import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { call } from '../../../src/engine/operation/call.ts';
import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { getRecordRef } from '../../../src/engine/operation/record-ref.ts';
import { defineTypedShape, type ValueOf } from '../../../src/engine/operation/shape.ts';
import { describeExpectedVersion } from '../../../src/engine/write/versions.ts';
import { errors } from '../../../src/errors.ts';
import { processText } from '../../../src/text/process-text.ts';
import { readRecords } from '../../graph/read/rows.ts';
import { DeletedRecord } from '../../settings/deleted.ts';
import { returnResource } from '../../settings/read-resource.ts';
import { getOwnAddress } from '../kit/own-address.ts';
import { ADMIN_READ_POLICY, ADMIN_WRITE_POLICY } from '../kit/policies.ts';
import { findIdsByPublicId } from '../kit/resolve-records.ts';
import { findEmptyPlaceholders, getVariableNames, type TemplateVariables } from './compile.ts';
import { compileTemplate, type ReadyTemplate, render } from './render.ts';
import {
  buildTemplateContent,
  parseTemplateName,
  parseTemplateScalars,
  TemplateInputShape,
} from './template-input.ts';
import { Template, templateResource } from './template-resources.ts';
import { getTemplate, getTemplateVersion, insertTemplate, updateTemplate } from './templates.ts';

export const templateCreate = defineOperation('templateCreate', {
  effects: ['writes'],
  policy: ADMIN_WRITE_POLICY,
  description: 'Creates an email template and returns it. To send the template, pass its id as `templateId`.',
  args: (arg) => ({
    template: arg({
      type: TemplateInputShape.ref,
      required: true,
      description: 'Content and settings of the new template.',
    }),
  }),
  type: Template,
  returns: GraphQLString,
  run: (ctx, { template }) =>
    insertTemplate(ctx, parseTemplateName(template.name), buildTemplateContent(template)),
  answer: (ctx, id, _args, info) => returnResource(ctx, templateResource, id, info),
});

export const templateUpdate = defineOperation('templateUpdate', {
  effects: ['writes'],
  policy: ADMIN_WRITE_POLICY,
  description: 'Updates an email template and returns it. Earlier versions are kept.',
  args: (arg) => ({
    id: arg.id({ required: true, description: 'Template id.' }),
    template: arg({ type: TemplateInputShape.ref, required: true, description: 'Fields to change.' }),
    expectedVersion: arg.int({ description: describeExpectedVersion('template') }),
  }),
  type: Template,
  returns: GraphQLInt,
  run: async (ctx, { id, template, expectedVersion }) =>
    (await updateTemplate(ctx, id, template, expectedVersion)).version,
  answer: (ctx, _version, { id }, info) => returnResource(ctx, templateResource, id, info),
});

export const templateRestore = defineOperation('templateRestore', {
  effects: ['writes'],
  policy: ADMIN_WRITE_POLICY,
  description:
    'Restores the content of an earlier version of an email template as a new version, and returns the template.',
  args: (arg) => ({
    id: arg.id({ required: true, description: 'Template id.' }),
    version: arg.int({ required: true, description: 'Number of the version.' }),
  }),
  type: Template,
  returns: GraphQLInt,
  run: async (ctx, { id, version }) =>
    (await updateTemplate(ctx, id, await getTemplateVersion(ctx, id, version))).version,
  answer: (ctx, _version, { id }, info) => returnResource(ctx, templateResource, id, info),
});

export const templateDuplicate = defineOperation('templateDuplicate', {
  effects: ['writes'],
  policy: ADMIN_WRITE_POLICY,
  description: 'Duplicates an email template and returns the copy.',
  args: (arg) => ({
    id: arg.id({ required: true, description: 'Template id.' }),
    name: arg.string({ description: 'Name of the copy. Derived from the original by default.' }),
  }),
  type: Template,
  returns: GraphQLString,
  async run(ctx, { id, name }) {
    const template = await getTemplate(ctx, id);
    return insertTemplate(ctx, parseTemplateName(name ?? `${template.name.slice(0, 240)} (copy)`), template);
  },
  answer: (ctx, copy, _args, info) => returnResource(ctx, templateResource, copy, info),
});

export const templateDelete = defineOperation('templateDelete', {
  effects: ['writes', 'deletes'],
  policy: ADMIN_WRITE_POLICY,
  description: 'Deletes an email template and its versions. Emails rendered from it are not affected.',
  args: (arg) => ({ id: arg.id({ required: true, description: 'Template id.' }) }),
  type: DeletedRecord,
  returns: GraphQLBoolean,
  async run(ctx, { id }) {
    const { id: row } = await getTemplate(ctx, id);
    await ctx.db.rows(sql`delete from svc_template where workspace_id = ${ctx.workspace.id} and id = ${row}`);
    return true;
  },
  answer: (_ctx, _done, { id }) => ({ id }),
});

const PreviewShape = defineTypedShape('TemplatePreview', 'A rendered template.', {
  subject: { type: 'String', description: 'Rendered subject line.' },
  html: { type: 'String', nullable: true, description: 'Rendered HTML body.' },
  text: { type: 'String', description: 'Rendered plain text body.' },
  names: { type: ['String'], description: 'Variables used in the template.' },
  missing: {
    type: ['String'],
    description: 'Variables without a value or fallback. The result shows their names instead.',
  },
});

export const templatePreview = defineOperation('templatePreview', {
  effects: ['reads'],
  policy: ADMIN_READ_POLICY,
  description:
    'Renders a template with the given variables. Changes in `template` are applied but not saved.',
  args: (arg) => ({
    id: arg.id({ description: 'Template id.' }),
    template: arg({ type: TemplateInputShape.ref, description: 'Unsaved changes to render.' }),
    variables: arg({ type: 'JSON', description: 'Values by variable name.' }),
  }),
  type: PreviewShape.ref,
  async run(ctx, { id, template, variables }) {
    if (!id && !template) throw errors.badRequest('Either id or template is required.');
    const before = id ? await getTemplate(ctx, id) : undefined;
    const content = template ? buildTemplateContent(template, before) : before!;
    return renderPreview(ctx, compileTemplate('', 0, content), parseTemplateScalars('variables', variables));
  },
});

async function renderPreview(
  { workspace }: Ctx,
  template: ReadyTemplate,
  variables: TemplateVariables,
): Promise<ValueOf<typeof PreviewShape>> {
  const parts = [...template.subject, ...(template.html ?? []), ...(template.text ?? [])];
  const names = getVariableNames(parts);
  const missing = getVariableNames(findEmptyPlaceholders(parts, variables, template.fallbacks));
  const placeholders = Object.fromEntries(missing.map((name) => [name, `{{${name}}}`]));
  const { subject, html, text } = render(template, { ...variables, ...placeholders });
  return {
    subject,
    html,
    text: text ?? (await processText(workspace.id, 'convertHtmlToText', html ?? '')),
    names,
    missing,
  };
}

export const templateTestSend = defineOperation('templateTestSend', {
  effects: ['writes', 'sends'],
  policy: { ...ADMIN_WRITE_POLICY, scope: 'send' },
  description: 'Sends the saved version of a template to one address and returns the email.',
  args: (arg) => ({
    id: arg.id({ required: true, description: 'Template id.' }),
    from: arg.string({ required: true, description: 'Sender, on a verified domain of the workspace.' }),
    to: arg.string({ description: "Recipient. Defaults to the caller's login if that is an email address." }),
    variables: arg({ type: 'JSON', description: 'Values by variable name.' }),
  }),
  type: getRecordRef('svc.email'),
  returns: GraphQLString,
  nullable: true,
  run: (ctx, { id, from, to, variables }) => sendTest(ctx, id, from, to ?? getOwnAddress(ctx), variables),
  answer: (ctx, id, _args, info) => resolveSentEmail(ctx, id, info),
});

async function sendTest(ctx: Ctx, id: string, from: string, to: string, variables: unknown): Promise<string> {
  const { public_id: templateId } = await getTemplate(ctx, id);
  const tags = { test: 'template' };
  return call(ctx, 'emailSend', { input: { from, to: [to], templateId, variables, tags } });
}

/** Returns null if the caller cannot read the email. */
async function resolveSentEmail(
  ctx: Ctx,
  publicId: string,
  info: GraphQLResolveInfo,
): Promise<object | null> {
  const ids = await findIdsByPublicId(ctx, 'svc.email', [publicId]);
  return (await readRecords(ctx, 'svc.email', ids, info))[0] ?? null;
}
