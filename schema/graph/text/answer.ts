import { type ExecutionArgs, GraphQLError, locatedError } from 'graphql';
import { type Sql, sql } from '../../../src/db/sql.ts';
import { checkModel } from '../../../src/engine/access/access.ts';
import { modelOf, newStatement } from '../../../src/engine/access/reader.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { conditionsSql, pagePlaceSql, pageRowsSql } from '../../../src/engine/read/query.ts';
import { tableOf } from '../../../src/engine/sql/columns.ts';
import { jsonRow } from '../../../src/engine/sql/json-row.ts';
import { rowsOf } from '../../../src/engine/sql/statement.ts';
import { RawJson } from '../../../src/engine/value/raw-json.ts';
import { mayCall } from '../../../src/engine/verb/policy.ts';
import { keyFieldOf, numberOfId } from '../plan/values.ts';
import { withArchived } from '../read/connection.ts';
import { addCursors } from '../read/cursor.ts';
import { asksForText } from '../read/matches.ts';
import { pageRequest } from '../read/page.ts';
import { connectionSql } from './connection.ts';
import { selectSql, type Writing } from './rows.ts';
import { ResolversOnly, type Root, treeOf } from './tree.ts';
import { holdsRefused } from './value.ts';

// The text path: a query of records whose whole answer Postgres writes, one statement for each root field. It gives
// what the resolvers would, or nothing at all.

/**
 * The `data` of an operation as JSON; null when resolvers have to answer it.
 * @throws GraphQLError when Postgres took too long
 */
export async function answerText(args: ExecutionArgs): Promise<RawJson | null> {
  const ctx = args.contextValue as Ctx;
  if (ctx.mask) return null;
  const roots = treeOf(args);
  if (!roots) return null;
  const hidden = new Set<string>();
  try {
    const statements = statementsOf(ctx, roots, hidden);
    const texts = await Promise.all(statements.map((each, index) => textOf(ctx, each, roots[index]!)));
    if (texts.some(holdsRefused)) return null;
    for (const name of hidden) ctx.hidden.add(name);
    const entries = roots.map(({ key }, index) => `${JSON.stringify(key)}:${addCursors(ctx, texts[index]!)}`);
    return new RawJson(`{${entries.join(',')}}`, roots.length);
  } catch (error) {
    if (error instanceof GraphQLError) throw error;
    // Whatever else it is, resolvers say it at its place.
    return null;
  }
}

/** A statement with the answer, or an answer that needs none. */
type Prepared = Sql | string;

async function textOf(ctx: Ctx, prepared: Prepared, { key, nodes }: Root): Promise<string> {
  if (typeof prepared === 'string') return prepared;
  try {
    return (await jsonRow(ctx.db, prepared))?.json ?? 'null';
  } catch (error) {
    // Resolvers would only take as long again.
    throw (error as { code?: string }).code === CANCELLED ? locatedError(error, nodes, [key]) : error;
  }
}

/** What Postgres says of a statement that took too long. */
const CANCELLED = '57014';

/** @throws ResolversOnly, and what resolvers would report */
function statementsOf(ctx: Ctx, roots: Root[], hidden: Set<string>): Prepared[] {
  const spent = { records: 0 };
  return roots.map((root) => {
    if (root.kind === 'typename') return JSON.stringify(root.type);
    if (root.policy.audit || !mayCall(ctx, root.policy)) throw new ResolversOnly('a policy');
    const model = modelOf(ctx, root.model);
    checkModel(ctx, model, 'read');
    const statement = newStatement(ctx, { flavour: 'graph' });
    const writing: Writing = { ctx, statement, hidden, spent };
    return root.kind === 'many' ? manySql(writing, root) : oneSql(writing, root);
  });
}

type Of<Kind extends Root['kind']> = Extract<Root, { kind: Kind }>;

function manySql(writing: Writing, { model: name, args, list }: Of<'many'>): Prepared {
  const { ctx, statement } = writing;
  const model = modelOf(ctx, name);
  if (asksForText(args.where)) throw new ResolversOnly('a search');
  const request = pageRequest(ctx, model, args);
  const all = withArchived(ctx, request.archived);
  const source = rowsOf(model);
  const place = { times: request.size + 1, nested: false };
  const connection = connectionSql(list, request, {
    select: (rows, items, joins) => selectSql(writing, rows, items, place, joins),
    page: (limit) => {
      const page = { ...request.page, limit };
      const { from, rest } = pageRowsSql(all, statement, model, request.domain, page);
      return { source, from: sql`${from}${rest}`, place: () => pagePlaceSql(statement, source, page) };
    },
    total: () => sql`(select count(*)::int from ${tableOf(statement, model)} t
      where ${conditionsSql(all, statement, model, request.domain)})`,
  });
  return sql`select row_to_json(c)::text as json from (${connection}) c`;
}

function oneSql(writing: Writing, { model: name, id, items }: Of<'one'>): Prepared {
  const { ctx, statement } = writing;
  const model = modelOf(ctx, name);
  const key = keyFieldOf(model);
  const value = key === 'id' ? numberOfId(id, model) : id;
  if (value === null) return 'null';
  const source = rowsOf(model);
  const joins: Sql[] = [];
  const select = selectSql(writing, source, items, { times: 1, nested: false }, joins);
  const domain = [[key, '=', value]];
  const where = conditionsSql(withArchived(ctx, true), statement, model, domain);
  const rows = sql`(select t.* from ${tableOf(statement, model)} t where ${where}) t${sql.join(joins, '')}`;
  return sql`select row_to_json(s)::text as json from (select ${select} from ${rows}) s`;
}
