import { limits } from '../limits.ts';

/** What a statement is sent as. */
export interface Rendered {
  text: string;
  params: unknown[];
}

/**
 * A piece of SQL, or a whole statement, made by the `sql` tag. Values never become part of its text, so a piece can be
 * used in another one, and neither can be written by a caller.
 */
export class Sql {
  readonly strings: readonly string[];
  readonly values: readonly unknown[];
  #rendered: Rendered | undefined;

  constructor(strings: readonly string[], values: readonly unknown[], rendered?: Rendered) {
    this.strings = strings;
    this.values = values;
    this.#rendered = rendered;
  }

  /** The text with `$1`, `$2` … for its values, and the values in that order. */
  render(): Rendered {
    this.#rendered ??= render(this);
    return this.#rendered;
  }

  /** Lets a template literal of text fail loudly: a piece of SQL belongs into `sql`, not into a string. */
  toString(): never {
    throw new TypeError('SQL was put into a string; use the sql tag');
  }
}

/** A value that is one parameter however often it is used in a statement. */
export class Param {
  readonly value: unknown;
  constructor(value: unknown) {
    this.value = value;
  }
}

/** A parameter of a prepared statement, known by name until the statement is run. */
class Slot {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/**
 * `select … where id = ${id} and ${condition}`: values become parameters, other pieces of SQL become part of it.
 * Names are put in by `sql.id`, lists of pieces by `sql.join`. An array is one parameter, an array of Postgres.
 * @throws TypeError for undefined and functions, which are never meant
 */
export function sql(strings: TemplateStringsArray, ...values: unknown[]): Sql {
  for (const value of values)
    if (value === undefined || typeof value === 'function')
      throw new TypeError(`no value of SQL: ${typeof value} after ${strings.join('…').slice(0, 80)}`);
  return new Sql(strings, values);
}

/** Texts of templates whose values are all parameters: they are the same each time. */
const texts = new WeakMap<readonly string[], string>();

function render(whole: Sql): Rendered {
  if (!whole.values.some(isPiece)) {
    let text = texts.get(whole.strings);
    if (text === undefined) {
      text = whole.strings.reduce((before, after, i) => `${before}$${i}${after}`);
      texts.set(whole.strings, text);
    }
    return { text, params: whole.values as unknown[] };
  }
  const params: unknown[] = [];
  const places = new Map<unknown, number>();
  let text = '';
  const place = (key: unknown, value: unknown): number => {
    const known = places.get(key);
    if (known !== undefined) return known;
    places.set(key, params.push(value));
    return params.length;
  };
  const write = ({ strings, values }: Sql): void => {
    text += strings[0]!;
    for (let i = 0; i < values.length; i++) {
      const value = values[i];
      if (value instanceof Sql) write(value);
      else if (value instanceof Param) text += `$${place(value, value.value)}`;
      else if (value instanceof Slot) text += `$${place(value, value)}`;
      else text += `$${params.push(value)}`;
      text += strings[i + 1]!;
    }
  };
  write(whole);
  return { text, params };
}

const isPiece = (value: unknown): boolean =>
  value instanceof Sql || value instanceof Param || value instanceof Slot;

/** Text of ours as it stands. Never for anything that comes from a caller: see test/sql.test.ts for who may. */
sql.raw = (text: string): Sql => new Sql([text], []);

/** A name of a table, a column or an alias, quoted; several make a path: `sql.id('t', 'name')` is `"t"."name"`. */
sql.id = (name: string, ...rest: string[]): Sql => {
  if (rest.length > 0) return sql.raw([name, ...rest].map(quoted).join('.'));
  let id = ids.get(name);
  if (!id) {
    if (ids.size >= limits.sqlNames) ids.clear();
    id = sql.raw(quoted(name));
    ids.set(name, id);
  }
  return id;
};

/** Names of columns and tables come again with every statement. */
const ids = new Map<string, Sql>();

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** A constant in the statement itself, where a parameter would cost Postgres its plan or its index. */
sql.literal = (value: string | number): Sql => {
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new TypeError('no constant of SQL');
    return sql.raw(String(value));
  }
  if (value.includes('\0') || value.includes('\\')) throw new TypeError('no constant of SQL');
  return sql.raw(`'${value.replaceAll("'", "''")}'`);
};

/** A statement that another library has written, with its own `$1`, `$2` … */
sql.given = (text: string, params: unknown[]): Sql => new Sql([text], [], { text, params });

sql.empty = sql.raw('');

/** The pieces with `separator` (`, ` unless told) between them; nothing for none. */
sql.join = (pieces: readonly Sql[], separator = ', '): Sql => {
  if (pieces.length === 0) return sql.empty;
  return new Sql(['', ...Array<string>(pieces.length - 1).fill(separator), ''], pieces);
};

/** One parameter, wherever it is put into a statement. */
sql.param = (value: unknown): Param => new Param(value);

/** A parameter of a statement that is compiled, told by name when it is run. */
sql.slot = (name: string): unknown => new Slot(name);

/** Makes the text of a statement once; what it returns only fills in the slots. */
sql.compile = <A extends object>(whole: Sql): ((args: A) => Sql) => {
  const { text, params } = render(whole);
  return (args) => {
    const given = args as Record<string, unknown>;
    const values = params.map((param) => (param instanceof Slot ? slotValue(given, param.name) : param));
    return new Sql([text], [], { text, params: values });
  };
};

function slotValue(given: Record<string, unknown>, name: string): unknown {
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
    run ??= sql.compile<A>(make(slots() as { readonly [K in keyof A]-?: unknown }));
    return run(args);
  };
};

function slots(): object {
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
