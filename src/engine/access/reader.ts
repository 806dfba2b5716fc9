import { sql } from '../../db/sql.ts';
import { errors } from '../../errors.ts';
import { otherLanguage, today, zoneOf } from '../ctx/call-context.ts';
import type { Ctx } from '../ctx/ctx.ts';
import type { Reader } from '../domain/condition.ts';
import { FALSE } from '../domain/node.ts';
import type { Model } from '../model/model.ts';
import type { Statement } from '../sql/statement.ts';
import { checkField, checkModel, mayField, mayModel, ruleOf } from './access.ts';

/** @throws NOT_FOUND_MODEL */
export function modelOf(ctx: Ctx, name: string): Model {
  const model = ctx.catalog.registry.get(name);
  if (!model) throw errors.unknownModel(name);
  return model;
}

/** A statement on rows that the principal may read. */
export function newStatement(ctx: Ctx, more: Partial<Statement> = {}): Statement {
  const { sizes } = ctx.context;
  return {
    registry: ctx.catalog.registry,
    workspace: sql.param(ctx.workspace.id),
    flavour: 'record',
    aliases: 0,
    joins: 0,
    rule: (model) => (mayModel(ctx, model, 'read') ? ruleOf(ctx, model, 'read') : FALSE),
    mask: ctx.mask,
    named: null,
    nested: false,
    properties: new Set(),
    archived: false,
    lang: otherLanguage(ctx),
    today: () => today(ctx),
    sizes: (field) => sizes.size > 0 && (sizes.has('*') || sizes.has(field)),
    mayField: (field) => mayField(ctx, field),
    checkModel: (model) => checkModel(ctx, model, 'read'),
    checkField: (model, field) => checkField(ctx, model, field, 'read'),
    ...more,
  };
}

/** The principal as the reader of a domain. */
export const readerOf = (ctx: Ctx): Reader => ({
  checkModel: (model) => checkModel(ctx, model, 'read'),
  checkField: (model, field) => checkField(ctx, model, field, 'read'),
  tz: zoneOf(ctx),
  contextTz: ctx.context.tz,
  lang: ctx.context.lang ?? ctx.principal?.lang,
  activeTest: ctx.context.activeTest,
});
