import { createCache } from '../../../src/cache.ts';
import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { errors } from '../../../src/errors.ts';
import { hasControlCharacter } from '../../../src/message/header.ts';
import {
  type CompiledTemplate,
  compileTemplateText,
  fillHtml,
  fillPlainText,
  getVariableNames,
  type TemplateVariables,
} from './compile.ts';
import type { TemplateContent } from './template-input.ts';

const MAX_CACHED_CHARS = 32 * 1024 * 1024;
const MAX_CACHED_TEMPLATES = 2_000;

export interface ReadyTemplate {
  id: string;
  version: number;
  subject: CompiledTemplate;
  html: CompiledTemplate | null;
  text: CompiledTemplate | null;
  fallbacks: TemplateVariables;
  /** Number of characters. Used as the weight in the cache. */
  size: number;
}

interface RenderedTemplate {
  subject: string;
  html: string | null;
  text: string | null;
}

/** @throws BAD_REQUEST if the content is not a valid template */
export function compileTemplate(id: string, version: number, content: TemplateContent): ReadyTemplate {
  const { subject, html, text, variables, raw } = content;
  return {
    id,
    version,
    subject: compileTemplateText('subject', subject, raw),
    html: html ? compileTemplateText('html', html, raw) : null,
    text: text ? compileTemplateText('text', text, raw) : null,
    fallbacks: variables,
    size: subject.length + (html?.length ?? 0) + (text?.length ?? 0),
  };
}

/** @throws BAD_REQUEST for a variable without a value, or with a line break in the subject */
export function render(template: ReadyTemplate, variables: TemplateVariables): RenderedTemplate {
  const { subject, html, text, fallbacks } = template;
  const line = fillPlainText(subject, variables, fallbacks);
  if (hasControlCharacter(line))
    throw errors.badField(
      'variables',
      `the subject must not contain line breaks or control characters (${getVariableNames(subject).join(', ')}).`,
    );
  return {
    subject: line,
    html: html && fillHtml(html, variables, fallbacks),
    text: text && fillPlainText(text, variables, fallbacks),
  };
}

const readyTemplates = createCache<string, ReadyTemplate>({
  entries: MAX_CACHED_TEMPLATES,
  weight: { max: MAX_CACHED_CHARS, measure: ({ size }) => size },
});

/**
 * Loads templates by id. Cached templates may be outdated, so pass their versions to the statement that relies on them.
 * @param isFresh true to bypass the cache
 * @throws NOT_FOUND if a template is not in the workspace
 */
export async function loadReadyTemplates(
  ctx: Ctx,
  ids: string[],
  isFresh: boolean,
): Promise<ReadonlyMap<string, ReadyTemplate>> {
  const templates = new Map<string, ReadyTemplate>();
  for (const id of new Set(ids)) {
    const cachedTemplate = isFresh ? undefined : readyTemplates.get(`${ctx.workspace.id} ${id}`);
    if (cachedTemplate) templates.set(id, cachedTemplate);
  }
  const missingIds = [...new Set(ids)].filter((id) => !templates.has(id));
  if (missingIds.length > 0)
    for (const template of await loadTemplates(ctx, missingIds)) templates.set(template.id, template);
  if (missingIds.some((id) => !templates.has(id))) throw errors.notFound('Template');
  return templates;
}

async function loadTemplates(ctx: Ctx, ids: string[]): Promise<ReadyTemplate[]> {
  const rows = await ctx.db.rows<TemplateContent & { public_id: string; version: number }>(
    sql`select public_id, version, subject, html, text, content, variables, raw from svc_template
     where workspace_id = ${ctx.workspace.id} and public_id = any(${ids})`,
  );
  return rows.map(({ public_id, version, ...content }) => {
    const template = compileTemplate(public_id, version, content);
    readyTemplates.set(`${ctx.workspace.id} ${public_id}`, template);
    return template;
  });
}
