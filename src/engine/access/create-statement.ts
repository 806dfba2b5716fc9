import { sql } from '../../db/sql.ts';
import { errors } from '../../errors.ts';
import {
  getFirstWeekday,
  getOtherLanguage,
  getPeriodZone,
  getTimeZone,
  getToday,
} from '../ctx/call-context.ts';
import { type Ctx, requestReferenceRows } from '../ctx/ctx.ts';
import type { DomainReader } from '../domain/condition.ts';
import { FALSE } from '../domain/node.ts';
import type { Model } from '../model/model.ts';
import type { Statement } from '../sql/statement.ts';
import { buildWhereSql } from '../sql/where.ts';
import {
  assertComparable,
  assertFieldAccess,
  assertModelAccess,
  canAccessField,
  canAccessModel,
  getRuleTree,
} from './access.ts';

/** @throws NOT_FOUND_MODEL */
export function getModel(ctx: Ctx, name: string): Model {
  const model = ctx.catalog.registry.get(name);
  if (!model) throw errors.unknownModel(name);
  return model;
}

/** @throws ACCESS_ERROR if the principal may not read the model, NOT_FOUND_MODEL */
export function getReadableModel(ctx: Ctx, name: string): Model {
  const model = getModel(ctx, name);
  assertModelAccess(ctx, model, 'read');
  return model;
}

type StatementOptions = Partial<Pick<Statement, 'flavour' | 'nameJoins' | 'archived' | 'lang' | 'today'>>;

/** Creates a statement limited to the rows that the principal may read. */
export function createStatement(ctx: Ctx, options: StatementOptions = {}): Statement {
  const { sizes } = ctx.context;
  const { flavour = 'record', nameJoins = null, archived = false } = options;
  let isInRule = false;
  const statement: Statement = {
    registry: ctx.catalog.registry,
    workspace: sql.param(ctx.workspace.id),
    flavour,
    aliases: 0,
    joins: 0,
    rule(model) {
      if (!canAccessModel(ctx, model, 'read')) return FALSE;
      requestReferenceRows(ctx, model);
      return getRuleTree(ctx, model, 'read');
    },
    readable(rows) {
      // A condition inside a rule matches all related records, including records that the principal may not read.
      const rule = isInRule ? null : statement.rule(rows.model);
      if (!rule || (rule.kind === 'const' && rule.value)) return sql.empty;
      isInRule = true;
      try {
        return sql` and ${buildWhereSql(statement, rows, rule)}`;
      } finally {
        isInRule = false;
      }
    },
    mask: ctx.mask,
    nameJoins,
    nested: false,
    properties: new Set(),
    contents: false,
    files: 0,
    weighs: false,
    archived,
    lang: options.lang === undefined ? getOtherLanguage(ctx) : options.lang,
    company: ctx.principal?.companyId ?? null,
    publicUrl: ctx.runtime.config.publicUrl,
    today: options.today ?? (() => getToday(ctx)),
    displayNameKeys: ctx.context.displayNameKeys ?? [],
    sizes: (field) => sizes.size > 0 && (sizes.has('*') || sizes.has(field)),
    mayField: (field) => canAccessField(ctx, field),
    checkModel: (model) => assertModelAccess(ctx, model, 'read'),
    checkField: (model, field) => assertFieldAccess(ctx, model, field, 'read'),
    checkCompared: (model, field) => assertComparable(ctx, model, field),
  };
  return statement;
}

export const createDomainReader = (ctx: Ctx): DomainReader => ({
  checkModel: (model) => assertModelAccess(ctx, model, 'read'),
  checkField: (model, field) => assertComparable(ctx, model, field),
  tz: getTimeZone(ctx),
  periodZone: getPeriodZone(ctx),
  weekStart: () => getFirstWeekday(ctx),
  activeTest: ctx.context.activeTest,
  conditions: ctx.conditions,
});
