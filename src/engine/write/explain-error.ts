import { runWithRetries } from '../../db/pool.ts';
import { type AppError, convertPostgresError, errors } from '../../errors.ts';
import { buildRowAccessError } from '../access/row-access.ts';
import type { Ctx } from '../ctx/ctx.ts';
import type { Field } from '../model/field.ts';
import type { Model } from '../model/model.ts';
import { createColumnLookup } from '../model/naming.ts';

type ChangeKind = 'create' | 'write' | 'unlink';

export async function runWithExplainedErrors<T>(
  ctx: Ctx,
  model: Model,
  change: ChangeKind,
  fn: () => Promise<T>,
): Promise<T> {
  try {
    return await fn();
  } catch (error) {
    const rejection = toChangeError(ctx, model, change, error);
    if (rejection && rejection !== error) rejection.cause = error;
    throw rejection ?? error;
  }
}

interface PostgresError {
  code?: string;
  table?: string;
  detail?: string;
  constraint?: string;
}

/** SQLSTATE raised by the function atrium_require. */
const RULE_BROKEN = 'AT403';

function toChangeError(ctx: Ctx, model: Model, change: ChangeKind, error: unknown): AppError | undefined {
  const { code, table = '', detail = '', constraint = '' } = error as PostgresError;
  const { registry } = ctx.catalog;
  if (code === RULE_BROKEN) return buildRowAccessError(ctx, model, change);
  if (code !== '23503' && code !== '23001') return convertPostgresError(error, createColumnLookup(registry));
  const holder = [...registry.values()].find((item) => item.table === table && item.customId === null);
  if (change === 'unlink')
    return errors.stillUsed(holder, holder && findLinkField(holder, model, constraint));
  const column = /\(([^()]*)\)=\(/.exec(detail)?.[1]?.split(', ').at(-1);
  return errors.missingLink(column && holder?.fields.get(column)?.label, column);
}

/** Finds the many2one of a foreign key by the column in the key's name. */
function findLinkField(holder: Model, target: Model, constraint: string): Field | undefined {
  const links = [...holder.fields.values()].filter(
    (field) =>
      field.type === 'many2one' && field.relation === target.name && !field.related && !field.computed,
  );
  const isNamed = (field: Field): boolean => constraint.endsWith(`_workspace_id_${field.name}_fkey`);
  return links.find(isNamed) ?? (links.length === 1 ? links[0] : undefined);
}

/** Retries a single statement after a serialization failure or deadlock, unless it is part of a transaction. */
export const retryStatement = <T>(ctx: Ctx, fn: () => Promise<T>): Promise<T> =>
  ctx.db === ctx.requestDb ? runWithRetries(fn) : fn();
