import { sql } from '../../../src/db/sql.ts';
import { allocateIds } from '../../../src/engine/ctx/allocate-ids.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import type { Values } from '../../../src/engine/model/model.ts';
import { defineModel } from '../../../src/engine/model/registry.ts';
import { setHookValues } from '../../../src/engine/write/values.ts';
import { assertVersion } from '../../../src/engine/write/versions.ts';
import { errors } from '../../../src/errors.ts';
import { ADMIN_GROUP } from '../../base/roles.ts';
import { insertRow } from '../kit/insert-row.ts';
import { createPublicId } from '../kit/public-id.ts';
import {
  buildTemplateContent,
  parseTemplateName,
  type TemplateContent,
  type TemplateInput,
} from './template-input.ts';

defineModel('svc.template', {
  group: 'data',
  order: 'id desc',
  access: { [ADMIN_GROUP]: 'crwu' },
  ceiling: { [ADMIN_GROUP]: 'crwu' },
  graph: { type: 'Template', one: 'template', many: 'templates', key: 'public_id', prisma: true },
  computed: {
    row_version: { type: 'integer', label: 'Row Version', sql: (row) => sql`${row}.version` },
  },
  prepare: prepareRecords,
  afterCreate: (ctx, ids) => storeVersions(ctx, ids),
  afterWrite: (ctx, ids, values) => assignVersions(ctx, ids, values),
});

defineModel('svc.template.version', {
  group: 'data',
  display: 'number',
  order: 'template_id, number desc',
  access: { [ADMIN_GROUP]: 'r' },
  ceiling: { [ADMIN_GROUP]: 'r' },
  graph: { type: 'TemplateVersion', one: 'templateVersion', many: 'templateVersions', prisma: true },
});

const CONTENT_FIELDS = ['subject', 'html', 'text', 'content', 'variables', 'raw'] as const;

/** Validates templates that are changed through the record API. */
async function prepareRecords(ctx: Ctx, list: Values[], ids: number[] | null): Promise<void> {
  for (const values of list) {
    if ('name' in values || ids === null)
      values.name = parseTemplateName((values.name || null) as string | null);
    if (ids !== null && !CONTENT_FIELDS.some((field) => field in values)) continue;
    const before = ids === null ? [] : await loadContents(ctx, ids);
    if (before.length > 1) throw errors.badRequest('Only one template can be changed at a time.');
    const after = buildTemplateContent(toTemplateInput(values), before[0]);
    for (const field of CONTENT_FIELDS)
      if (!before[0] || JSON.stringify(after[field]) !== JSON.stringify(before[0][field]))
        values[field] = after[field];
      else delete values[field];
    if (ids === null) setHookValues(values, { public_id: createPublicId() });
  }
}

/** Converts record values to template input. Record values use false for empty. */
function toTemplateInput(values: Values): TemplateInput {
  const contentEntries = CONTENT_FIELDS.filter((field) => field in values).map((field) => [
    field,
    values[field] || null,
  ]);
  return Object.fromEntries(contentEntries) as TemplateInput;
}

const CONTENT_COLUMNS = sql.join(CONTENT_FIELDS.map((name) => sql.id(name)));

const loadContents = (ctx: Ctx, ids: number[]) =>
  ctx.db.rows<TemplateContent>(
    sql`select ${CONTENT_COLUMNS} from svc_template where workspace_id = ${ctx.workspace.id} and id = any(${ids})`,
  );

/** The numbers are unique, because the write has locked the rows. */
async function assignVersions(ctx: Ctx, ids: number[], values: Values): Promise<void> {
  if (!['name', ...CONTENT_FIELDS].some((field) => field in values)) return;
  await ctx.db.rows(
    sql`update svc_template set version = version + 1 where workspace_id = ${ctx.workspace.id} and id = any(${ids})`,
  );
  await storeVersions(ctx, ids);
}

async function storeVersions(ctx: Ctx, ids: number[]): Promise<void> {
  const workspace = sql.param(ctx.workspace.id);
  const numbers = await allocateIds(ctx, 'svc_template_version', ids.length);
  await ctx.db.rows(
    sql`insert into svc_template_version
       (workspace_id, id, template_id, number, create_uid, write_uid, ${CONTENT_COLUMNS})
     select t.workspace_id, (${numbers}::int[])[row_number() over (order by id)], id, version, write_uid,
       write_uid, ${CONTENT_COLUMNS} from svc_template t
     where t.workspace_id = ${workspace} and id = any(${ids}) order by id
     on conflict (workspace_id, template_id, number) do nothing`,
  );
}

interface TemplateRow extends TemplateContent {
  id: number;
  public_id: string;
  name: string;
  version: number;
}

/**
 * @param isLocked true to lock the row until the end of the transaction
 * @throws NOT_FOUND
 */
export async function getTemplate(ctx: Ctx, publicId: string, isLocked = false): Promise<TemplateRow> {
  const [row] = await ctx.db.rows<TemplateRow>(
    sql`select id, public_id, name, version, ${CONTENT_COLUMNS} from svc_template
     where workspace_id = ${ctx.workspace.id} and public_id = ${publicId}
     ${isLocked ? sql`for no key update` : sql.empty}`,
  );
  if (!row) throw errors.notFound('Template');
  return row;
}

export async function insertTemplate(ctx: Ctx, name: string, content: TemplateContent): Promise<string> {
  return ctx.tx(async (tx) => {
    const id = createPublicId();
    const row = await insertRow(tx, 'svc_template', { public_id: id, name, ...toColumns(content) });
    await storeVersions(tx, [row]);
    return id;
  });
}

/**
 * Updates a template. A change creates a version.
 * @param expected version that the change is based on; null to skip the check
 * @throws STALE if the template has changed since
 */
export async function updateTemplate(
  ctx: Ctx,
  publicId: string,
  input: TemplateInput,
  expected: number | null = null,
): Promise<TemplateRow> {
  return ctx.tx(async (tx) => {
    const before = await getTemplate(tx, publicId, true);
    assertVersion('template', before.version, expected);
    const name = input.name == null ? before.name : parseTemplateName(input.name);
    const content = buildTemplateContent(input, before);
    const isNew =
      name !== before.name || JSON.stringify(toColumns(content)) !== JSON.stringify(toColumns(before));
    const version = before.version + (isNew ? 1 : 0);
    const sets = Object.entries(toColumns(content)).map(([field, value]) => sql`${sql.id(field)} = ${value}`);
    await tx.db.rows(
      sql`update svc_template set name = ${name}, version = ${version}, write_uid = ${tx.principal?.userId ?? null},
         write_date = now(), ${sql.join(sets)}
       where workspace_id = ${tx.workspace.id} and id = ${before.id}`,
    );
    if (isNew) await storeVersions(tx, [before.id]);
    return { ...before, name, version, ...content };
  });
}

/** @throws NOT_FOUND */
export async function getTemplateVersion(
  ctx: Ctx,
  publicId: string,
  number: number,
): Promise<TemplateContent> {
  const { id } = await getTemplate(ctx, publicId);
  const [version] = await ctx.db.rows<TemplateContent>(
    sql`select ${CONTENT_COLUMNS} from svc_template_version
     where workspace_id = ${ctx.workspace.id} and template_id = ${id} and number = ${number}`,
  );
  if (!version) throw errors.notFound('TemplateVersion');
  return version;
}

/** Must be in the order of `CONTENT_FIELDS`. */
const toColumns = ({ subject, html, text, content, variables, raw }: TemplateContent) => ({
  subject,
  html,
  text,
  content,
  variables: JSON.stringify(variables),
  raw,
});
