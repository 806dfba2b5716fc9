import { createHash } from 'node:crypto';
import { serialize } from 'node:v8';

export interface RenderedSql {
  text: string;
  params: unknown[];
}

/** Stands for a value in a fragment's text. PostgreSQL rejects this character, so it cannot occur in SQL. */
const PLACEHOLDER = '\0';

const NO_VALUES: readonly unknown[] = [];

/**
 * A fragment or a whole statement, created by the `sql` tag. Values never become part of the text, so fragments can be
 * nested without SQL injection.
 */
export class Sql {
  /** Text with a placeholder for each value. Null for a rendered statement, which cannot be nested. */
  readonly text: string | null;
  readonly values: readonly unknown[];
  /** The source template. Null if fragments are nested in it. */
  private readonly template: readonly string[] | null;
  private rendered: RenderedSql | null;

  constructor(
    text: string | null,
    values: readonly unknown[],
    template: readonly string[] | null = null,
    sql: RenderedSql | null = null,
  ) {
    this.text = text;
    this.values = values;
    this.template = template;
    this.rendered = sql;
  }

  render(): RenderedSql {
    this.rendered ??=
      this.template && !this.values.some((value) => value instanceof Param)
        ? { text: renderTemplate(this.template), params: this.values as unknown[] }
        : render(this.text!, this.values);
    return this.rendered;
  }

  /** Throws if a fragment is interpolated into a plain string instead of an `sql` template. */
  toString(): never {
    throw new TypeError('SQL was put into a string; use the sql tag');
  }
}

/** Returns true if a statement may change data. False positives are possible. */
export const mayChangeData = (statement: Sql): boolean =>
  /\b(?:insert|update|delete|merge)\b/i.test(statement.render().text);

/** A value that is bound once, even if a statement uses it several times. */
export class Param {
  readonly value: unknown;
  /** Parameters of the last rendered statement, and the position of this value among them. */
  params: unknown[] | null = null;
  index = 0;
  constructor(value: unknown) {
    this.value = value;
  }
}

class Slot extends Param {
  readonly name: string;
  constructor(name: string) {
    super(null);
    this.name = name;
  }
}

/**
 * Builds a statement or fragment: `select … where id = ${id} and ${condition}`. Values become parameters, and nested
 * fragments become part of the text. Use `sql.id` for names and `sql.join` for lists of fragments. An array becomes one
 * parameter, a PostgreSQL array.
 * @throws TypeError for undefined and functions, which are always mistakes
 */
export function sql(strings: TemplateStringsArray, ...values: unknown[]): Sql {
  let text = strings[0]!;
  const params: unknown[] = [];
  let isPlain = true;
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    if (value instanceof Sql) {
      isPlain = false;
      text += getFragmentText(value);
      for (const fragmentValue of value.values) params.push(fragmentValue);
    } else {
      if (value === undefined || typeof value === 'function')
        throw new TypeError(`not an SQL value: ${typeof value} after ${strings.join('…').slice(0, 80)}`);
      text += PLACEHOLDER;
      params.push(value);
    }
    text += strings[i + 1]!;
  }
  return new Sql(text, params, isPlain ? strings : null);
}

function getFragmentText({ text }: Sql): string {
  if (text === null) throw new TypeError('a whole statement cannot be part of another one');
  return text;
}

const plainTexts = new WeakMap<readonly string[], string>();

function renderTemplate(template: readonly string[]): string {
  let text = plainTexts.get(template);
  if (text === undefined) {
    text = template.reduce((before, after, i) => `${before}$${i}${after}`);
    plainTexts.set(template, text);
  }
  return text;
}

function render(marked: string, values: readonly unknown[]): RenderedSql {
  if (values.length === 0) return { text: marked, params: [] };
  const params: unknown[] = [];
  let text = '';
  let from = 0;
  for (const value of values) {
    const index = marked.indexOf(PLACEHOLDER, from);
    const place = value instanceof Param ? getParamIndex(value, params) : params.push(value);
    text += `${marked.slice(from, index)}$${place}`;
    from = index + 1;
  }
  return { text: text + marked.slice(from), params };
}

function getParamIndex(param: Param, params: unknown[]): number {
  if (param.params !== params) {
    param.params = params;
    param.index = params.push(param instanceof Slot ? param : param.value);
  }
  return param.index;
}

/** Inserts trusted text unchanged. Never use it for input from a caller. test/sql.test.ts lists the allowed uses. */
sql.raw = (text: string): Sql => {
  if (text.includes(PLACEHOLDER)) throw new TypeError('not SQL text');
  return new Sql(text, NO_VALUES);
};

/** Quotes the name of a table, column or alias. Several names form a path: `sql.id('t', 'name')` is `"t"."name"`. */
sql.id = (name: string, ...rest: string[]): Sql =>
  sql.raw(rest.length > 0 ? [name, ...rest].map(quoteIdentifier).join('.') : quoteIdentifier(name));

const quoteIdentifier = (name: string): string =>
  `"${name.includes('"') ? name.replaceAll('"', '""') : name}"`;

/** Inserts a constant into the statement text, for cases in which a parameter would prevent a good plan. */
sql.literal = (value: string | number): Sql => {
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new TypeError('not an SQL constant');
    return sql.raw(String(value));
  }
  const text = value.replaceAll("'", "''");
  // E'' strings do not depend on `standard_conforming_strings`.
  return sql.raw(value.includes('\\') ? `E'${text.replaceAll('\\', '\\\\')}'` : `'${text}'`);
};

/** Wraps a statement from another library that contains `$1`, `$2` … */
sql.given = (text: string, params: unknown[]): Sql => new Sql(null, NO_VALUES, null, { text, params });

sql.empty = sql.raw('');

sql.join = (fragments: readonly Sql[], separator = ', '): Sql => {
  if (fragments.length === 0) return sql.empty;
  const [first, ...rest] = fragments as [Sql, ...Sql[]];
  let text = getFragmentText(first);
  const values = [...first.values];
  for (const fragment of rest) {
    text += separator + getFragmentText(fragment);
    for (const value of fragment.values) values.push(value);
  }
  return new Sql(text, values);
};

sql.param = (value: unknown): Param => new Param(value);

sql.slot = (name: string): unknown => new Slot(name);

/** Renders a statement once. The returned function only fills in the values. */
sql.compile = <A extends object>(wholeSql: Sql): ((args: A) => Sql) => {
  const { text, params } = wholeSql.render();
  return (args) => {
    const slotValues = args as Record<string, unknown>;
    const values = params.map((param) =>
      param instanceof Slot ? getSlotValue(slotValues, param.name) : param,
    );
    return new Sql(null, NO_VALUES, null, { text, params: values });
  };
};

/** Identifies a statement by its text and its parameters, except the values of slots. */
sql.fingerprint = (statement: Sql): string => {
  const { text, params } = statement.render();
  const fixed = params.map((param) => (param instanceof Slot ? { slot: param.name } : param));
  return createHash('sha256').update(text).update(serialize(fixed)).digest('base64url');
};

function getSlotValue(values: Record<string, unknown>, name: string): unknown {
  const value = values[name];
  if (value === undefined) throw new TypeError(`not an SQL value: ${name}`);
  return value;
}

/**
 * Prepares a statement with named parameters. Its text is rendered once, at the first use.
 *
 * const byId = sql.prepare<{ id: number }>((p) => sql`… where id = ${p.id}`);
 * db.rows(byId({ id }));
 */
sql.prepare = <A extends object>(make: (p: { readonly [K in keyof A]-?: unknown }) => Sql) => {
  let run: ((args: A) => Sql) | undefined;
  return (args: A): Sql => {
    run ??= sql.compile<A>(make(createSlots() as { readonly [K in keyof A]-?: unknown }));
    return run(args);
  };
};

function createSlots(): object {
  const slots = new Map<string | symbol, Slot>();
  return new Proxy(
    {},
    {
      get(_target, name) {
        const slot = slots.get(name) ?? new Slot(String(name));
        slots.set(name, slot);
        return slot;
      },
    },
  );
}
