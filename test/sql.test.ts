import { describe, expect, it } from 'vitest';
import { sql } from '../src/db/sql.ts';
import { FOLDERS, listFiles, readText } from './harness/imports.ts';

/** Files outside src/db that insert unescaped text into SQL, each with the reason. */
const TAKE_TEXT: Record<string, string> = {
  'src/engine/work/jobs.ts': 'the job queue writes its own statements',
  'src/engine/write/defaults.ts': 'the default of a column is an expression that Postgres itself has written',
};

describe('the sql tag', () => {
  it('binds values as parameters in order of appearance', () => {
    const statement = sql`select * from a where x = ${1} and y = any(${['b', 'c']}) and z is ${null}`;
    expect(statement.render()).toEqual({
      text: 'select * from a where x = $1 and y = any($2) and z is $3',
      params: [1, ['b', 'c'], null],
    });
  });

  it('numbers the parameters of a fragment for each use', () => {
    const fragment = sql`x = ${1}`;
    const wholeSql = sql`select ${0} where ${fragment} or not ${fragment} and y = ${2}`;
    expect(wholeSql.render()).toEqual({
      text: 'select $1 where x = $2 or not x = $3 and y = $4',
      params: [0, 1, 1, 2],
    });
  });

  it('binds a repeated parameter once', () => {
    const workspace = sql.param(7);
    const fragment = sql`b.workspace_id = ${workspace}`;
    expect(sql`a.workspace_id = ${workspace} and ${fragment} and c = ${8}`.render()).toEqual({
      text: 'a.workspace_id = $1 and b.workspace_id = $1 and c = $2',
      params: [7, 8],
    });
  });

  it('escapes quotes in names', () => {
    expect(sql`select ${sql.id('t', 'a"b')}`.render().text).toBe('select "t"."a""b"');
  });

  it('escapes quotes and backslashes in constants', () => {
    expect(sql`select ${sql.literal("it's")}`.render().text).toBe("select 'it''s'");
    expect(sql`select ${sql.literal("a\\'")}`.render().text).toBe("select E'a\\\\'''");
  });

  it('joins fragments and returns no text for an empty list', () => {
    const fragments = [sql`a = ${1}`, sql`b = ${2}`];
    expect(sql`where ${sql.join(fragments, ' and ')}`.render()).toEqual({
      text: 'where a = $1 and b = $2',
      params: [1, 2],
    });
    expect(sql`select 1${sql.join([])}`.render().text).toBe('select 1');
  });

  it('prepares a statement once and binds its values by name', () => {
    const find = sql.prepare<{ id: number; name: string | null }>(
      (p) => sql`select ${p.id}::int where ${p.name}::text is null or id = ${p.id}`,
    );
    expect(find({ name: null, id: 1 }).render()).toEqual({
      text: 'select $1::int where $2::text is null or id = $1',
      params: [1, null],
    });
    expect(find({ name: 'b', id: 2 }).render().params).toEqual([2, 'b']);
    expect(() => find({ id: 2 } as never).render()).toThrow('name');
  });

  it('rejects a complete statement as a fragment, because its values would be lost', () => {
    const wholeSql = sql.given('select $1', [1]);
    expect(wholeSql.render()).toEqual({ text: 'select $1', params: [1] });
    expect(() => sql`select * from (${wholeSql}) x`).toThrow(TypeError);
    expect(() => sql.join([sql`1`, wholeSql])).toThrow(TypeError);
  });

  it('renders a fragment independently of the statements that use it', () => {
    const workspace = sql.param(7);
    const fragment = sql`a = ${workspace}`;
    expect(sql`${1} ${fragment}`.render().text).toBe('$1 a = $2');
    expect(sql`${fragment} ${1}`.render()).toEqual({ text: 'a = $1 $2', params: [7, 1] });
  });

  it('rejects NUL characters in names and constants', () => {
    expect(() => sql.id('a\0b')).toThrow(TypeError);
    expect(() => sql.literal('a\0b')).toThrow(TypeError);
    expect(() => sql.raw('a\0b')).toThrow(TypeError);
  });

  it('accepts numbers as constants', () => {
    expect(sql`limit ${sql.literal(80)}`.render()).toEqual({ text: 'limit 80', params: [] });
    expect(() => sql.literal(Number.NaN)).toThrow(TypeError);
  });

  it('rejects invalid values, such as undefined and functions', () => {
    expect(() => sql`select ${undefined}`).toThrow(TypeError);
    expect(() => sql`select ${() => 1}`).toThrow(TypeError);
    expect(() => `select ${sql`1`}`).toThrow(TypeError);
  });
});

it('uses raw SQL text only in files with a documented reason', () => {
  const takes = FOLDERS.flatMap(listFiles).filter(
    (file) => !file.startsWith('src/db/') && /\bsql\.(?:raw|given)\b|\bnew Sql\(/.test(readText(file)),
  );
  expect(takes.sort()).toEqual(Object.keys(TAKE_TEXT).sort());
});
