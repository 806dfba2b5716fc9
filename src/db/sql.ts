/** What a statement is sent as. */
export interface RenderedSql {
  text: string;
  params: unknown[];
}

/** Where a value stands in the text of a piece. Postgres takes no such character, so no text of ours has one. */
const PLACEHOLDER = '\0';

const NO_VALUES: readonly unknown[] = [];

/**
 * A piece of SQL, or a whole statement, made by the `sql` tag. Values never become part of its text, so a piece can be
 * used in another one, and neither can be written by a caller.
 */
export class Sql {
  /** With a mark for each of the values. null for a whole statement, which is no piece of another one. */
  readonly text: string | null;
  readonly values: readonly unknown[];
  /** The template it was made of, when no other piece was. */
  private readonly template: readonly string[] | null;
  private rendered: RenderedSql | null;

  constructor(
    text: string | null,
    values: readonly unknown[],
    template: readonly string[] | null = null,
    rendered: RenderedSql | null = null,
  ) {
    this.text = text;
    this.values = values;
    this.template = template;
    this.rendered = rendered;
  }

  /** The text with `$1`, `$2` … for its values, and the values in that order. */
  render(): RenderedSql {
    this.rendered ??=
      this.template && !this.values.some((value) => value instanceof Param)
        ? { text: renderTemplate(this.template), params: this.values as unknown[] }
        : render(this.text!, this.values);
    return this.rendered;
  }

  /** Lets a template literal of text fail loudly: a piece of SQL belongs into `sql`, not into a string. */
  toString(): never {
    throw new TypeError('SQL was put into a string; use the sql tag');
  }
}

/** Whether a statement may change something; also for what only looks like it. */
export const mayChangeData = (statement: Sql): boolean =>
  /\b(?:insert|update|delete|merge)\b/i.test(statement.render().text);

/** A value that is one parameter however often it is used in a statement. */
export class Param {
  readonly value: unknown;
  /** The parameters of the statement that was rendered with it last, and its place among them. */
  params: unknown[] | null = null;
  index = 0;
  constructor(value: unknown) {
    this.value = value;
  }
}

/** A parameter of a prepared statement, known by name until the statement is run. */
class Slot extends Param {
  readonly name: string;
  constructor(name: string) {
    super(null);
    this.name = name;
  }
}

/**
 * `select … where id = ${id} and ${condition}`: values become parameters, other pieces of SQL become part of it.
 * Names are put in by `sql.id`, lists of pieces by `sql.join`. An array is one parameter, an array of Postgres.
 * @throws TypeError for undefined and functions, which are never meant
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
      for (const own of value.values) params.push(own);
    } else {
      if (value === undefined || typeof value === 'function')
        throw new TypeError(`no value of SQL: ${typeof value} after ${strings.join('…').slice(0, 80)}`);
      text += PLACEHOLDER;
      params.push(value);
    }
    text += strings[i + 1]!;
  }
  return new Sql(text, params, isPlain ? strings : null);
}

function getFragmentText({ text }: Sql): string {
  if (text === null) throw new TypeError('a whole statement is no piece of another one');
  return text;
}

/** Texts of templates that stand alone: they are the same each time. */
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
    const at = marked.indexOf(PLACEHOLDER, from);
    const place = value instanceof Param ? getParamIndex(value, params) : params.push(value);
    text += `${marked.slice(from, at)}$${place}`;
    from = at + 1;
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

/** Text of ours as it stands. Never for anything that comes from a caller: see test/sql.test.ts for who may. */
sql.raw = (text: string): Sql => {
  if (text.includes(PLACEHOLDER)) throw new TypeError('no text of SQL');
  return new Sql(text, NO_VALUES);
};

/** A name of a table, a column or an alias, quoted; several make a path: `sql.id('t', 'name')` is `"t"."name"`. */
sql.id = (name: string, ...rest: string[]): Sql =>
  sql.raw(rest.length > 0 ? [name, ...rest].map(quoteIdentifier).join('.') : quoteIdentifier(name));

const quoteIdentifier = (name: string): string =>
  `"${name.includes('"') ? name.replaceAll('"', '""') : name}"`;

/** A constant in the statement itself, where a parameter would cost Postgres its plan or its index. */
sql.literal = (value: string | number): Sql => {
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new TypeError('no constant of SQL');
    return sql.raw(String(value));
  }
  const text = value.replaceAll("'", "''");
  // With a backslash it is written so that it means the same whatever `standard_conforming_strings` is.
  return sql.raw(value.includes('\\') ? `E'${text.replaceAll('\\', '\\\\')}'` : `'${text}'`);
};

/** A statement that another library has written, with its own `$1`, `$2` … */
sql.given = (text: string, params: unknown[]): Sql => new Sql(null, NO_VALUES, null, { text, params });

sql.empty = sql.raw('');

/** The pieces with `separator` (default `, `) between them; nothing for none. */
sql.join = (pieces: readonly Sql[], separator = ', '): Sql => {
  if (pieces.length === 0) return sql.empty;
  const [first, ...rest] = pieces as [Sql, ...Sql[]];
  let text = getFragmentText(first);
  const values = [...first.values];
  for (const piece of rest) {
    text += separator + getFragmentText(piece);
    for (const value of piece.values) values.push(value);
  }
  return new Sql(text, values);
};

/** One parameter, wherever it is put into a statement. */
sql.param = (value: unknown): Param => new Param(value);

/** A named parameter of a compiled statement, given when it is run. */
sql.slot = (name: string): unknown => new Slot(name);

/** Makes the text of a statement once; what it returns only fills in the slots. */
sql.compile = <A extends object>(whole: Sql): ((args: A) => Sql) => {
  const { text, params } = whole.render();
  return (args) => {
    const given = args as Record<string, unknown>;
    const values = params.map((param) => (param instanceof Slot ? getSlotValue(given, param.name) : param));
    return new Sql(null, NO_VALUES, null, { text, params: values });
  };
};

function getSlotValue(given: Record<string, unknown>, name: string): unknown {
  const value = given[name];
  if (value === undefined) throw new TypeError(`no value of SQL: ${name}`);
  return value;
}

/**
 * A statement whose text is made once, at its first use, with parameters by name:
 * `const byId = sql.prepare<{ id: number }>((p) => sql`… where id = ${p.id}`)`, then `db.rows(byId({ id }))`.
 */
sql.prepare = <A extends object>(make: (p: { readonly [K in keyof A]-?: unknown }) => Sql) => {
  let run: ((args: A) => Sql) | undefined;
  return (args: A): Sql => {
    run ??= sql.compile<A>(make(createSlots() as { readonly [K in keyof A]-?: unknown }));
    return run(args);
  };
};

function createSlots(): object {
  const made = new Map<string | symbol, Slot>();
  return new Proxy(
    {},
    {
      get(_target, name) {
        const slot = made.get(name) ?? new Slot(String(name));
        made.set(name, slot);
        return slot;
      },
    },
  );
}
