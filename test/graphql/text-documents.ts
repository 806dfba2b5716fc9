import fc from 'fast-check';
import {
  type GraphQLArgument,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';

/** Returns an integer from 0 to `count - 1`. */
type Pick = (count: number) => number;

/** Generates random documents that query the lists `roots`, and a single record of each. */
export const buildDocumentArbitrary = (schema: GraphQLSchema, roots: string[]): fc.Arbitrary<string> =>
  fc.gen().map((gen) => {
    const pick: Pick = (count) => gen(fc.nat, { max: count - 1 });
    return new Writer(schema, pick).document(roots);
  });

export const VARIABLES = { yes: true, no: false, few: 3, word: 'a' };

const VARIABLE_DECLARATIONS =
  '($yes: Boolean! = true, $no: Boolean! = false, $few: Int, $word: String! = "a")';

const DIRECTIVES = [
  '@include(if: $yes)',
  '@skip(if: $no)',
  '@include(if: $no)',
  '@skip(if: true)',
  '@include(if: true)',
];

class Writer {
  readonly #schema: GraphQLSchema;
  readonly #pick: Pick;
  #fragments: string[] = [];
  #aliases = 0;

  constructor(schema: GraphQLSchema, pick: Pick) {
    this.#schema = schema;
    this.#pick = pick;
  }

  document(roots: string[]): string {
    const fields = Array.from({ length: 1 + this.#pick(2) }, () => this.#root(this.#of(roots)));
    if (this.#chance(5)) fields.push('__typename');
    const documentText = [`{ ${fields.join(' ')} }`, ...this.#fragments].join('\n');
    return documentText.includes('$') ? `query Random${VARIABLE_DECLARATIONS} ${documentText}` : documentText;
  }

  #of<T>(items: readonly T[]): T {
    return items[this.#pick(items.length)]!;
  }

  /** True with a probability of 1 in `times`. */
  #chance(times: number): boolean {
    return this.#pick(times) === 0;
  }

  #root(listName: string): string {
    const field = this.#schema.getQueryType()!.getFields()[listName]!;
    const key = `r${++this.#aliases}`;
    if (this.#chance(5)) {
      const node = getNamedType(
        (getNamedType(field.type) as GraphQLObjectType).getFields().nodes!.type,
      ) as GraphQLObjectType;
      const one = Object.values(this.#schema.getQueryType()!.getFields()).find(
        (field) => field.type === node && field.args.length === 1,
      )!;
      return `${key}: ${one.name}(id: "${1 + this.#pick(60)}") ${this.#record(node, 2)}`;
    }
    return `${key}: ${listName}${this.#arguments(field.args)} ${this.#connection(field.type, 2)}`;
  }

  #arguments(args: readonly GraphQLArgument[]): string {
    const argumentTexts: string[] = [];
    const findArg = (name: string) => args.find((arg) => arg.name === name)!;
    const makeSize = () => (this.#chance(6) ? '$few' : String(this.#of([0, 1, 2, 3, 7, 30])));
    switch (this.#pick(5)) {
      case 0:
        argumentTexts.push(`first: ${makeSize()}`);
        break;
      case 1:
        argumentTexts.push(`last: ${makeSize()}`);
        break;
      case 2:
        argumentTexts.push(`first: ${makeSize()}, offset: ${this.#pick(4)}`);
        break;
      case 3:
        argumentTexts.push('first: 20');
    }
    if (this.#chance(3)) argumentTexts.push(`where: ${this.#input(findArg('where').type, 2)}`);
    if (this.#chance(3))
      argumentTexts.push(
        `orderBy: [${this.#input(getNamedType(findArg('orderBy').type) as GraphQLInputType, 1)}]`,
      );
    if (this.#chance(5)) argumentTexts.push(`withArchived: ${this.#of(['true', 'false', '$yes'])}`);
    if (args.some((arg) => arg.name === 'domain') && this.#chance(8))
      argumentTexts.push('domain: [["id", ">", 3]]');
    return argumentTexts.length ? `(${argumentTexts.join(', ')})` : '';
  }

  #input(type: GraphQLInputType, depth: number): string {
    if (isNonNullType(type)) return this.#input(type.ofType, depth);
    if (isListType(type))
      return `[${Array.from({ length: 1 + this.#pick(2) }, () => this.#input(type.ofType, depth)).join(', ')}]`;
    if (isEnumType(type)) return this.#of(type.getValues()).name;
    if (isInputObjectType(type)) return this.#object(type, depth);
    switch (type.name) {
      case 'ID':
        return `"${this.#pick(40)}"`;
      case 'Int':
      case 'Float':
        return String(this.#of([0, 1, 3, -2, 17]));
      case 'Boolean':
        return this.#of(['true', 'false']);
      case 'Date':
        return this.#of(['"2026-01-31"', '"2024-02-29"']);
      case 'DateTime':
        return this.#of(['"2026-01-31T10:00:00Z"', '"2024-02-29T00:00:00.5Z"']);
      case 'JSON':
        return '[]';
      default:
        return this.#of(['"a"', '"e"', '"Näme"', '"%"', '$word']);
    }
  }

  #object(type: GraphQLInputObjectType, depth: number): string {
    const fields = Object.values(type.getFields());
    if (type.name.endsWith('Order'))
      return `{ field: ${this.#input(fields[0]!.type, 0)}, direction: ${this.#of(['ASC', 'DESC'])}${this.#of([', nulls: FIRST', ', nulls: LAST', '', ''])} }`;
    const leaf = fields.filter(({ type: inner }) => {
      const namedType = getNamedType(inner);
      return !isInputObjectType(namedType) || namedType.name.endsWith('Filter');
    });
    const field = this.#of(depth > 0 && this.#chance(2) ? fields : leaf.length ? leaf : fields);
    if (depth < -2) return '{}';
    // A duration is relative to the current time.
    if (field.name === 'last') return '{}';
    const values = field.name === 'between' ? null : this.#input(field.type, depth - 1);
    return values === null ? '{}' : `{ ${field.name}: ${values} }`;
  }

  #connection(type: unknown, depth: number): string {
    const connection = getNamedType(type as GraphQLObjectType) as GraphQLObjectType;
    const node = getNamedType(connection.getFields().nodes!.type) as GraphQLObjectType;
    const parts = Array.from({ length: 1 + this.#pick(3) }, () => this.#part(node, depth));
    if (this.#chance(4)) parts.push('__typename');
    return `{ ${this.#wrapped(connection, parts).join(' ')} }`;
  }

  #part(node: GraphQLObjectType, depth: number): string {
    switch (this.#pick(7)) {
      case 0:
        return 'totalCount';
      case 1:
        return `pageInfo { ${this.#some(['hasNextPage', 'hasPreviousPage', 'startCursor', 'endCursor', '__typename', 'more: hasNextPage'])} }`;
      case 2:
        return `edges ${this.#directive()} { cursor node ${this.#record(node, depth)} ${this.#some(['__typename', 'at: cursor'])} }`;
      case 3:
        return `n${++this.#aliases}: nodes ${this.#record(node, depth)}`;
      default:
        return `nodes ${this.#directive()} ${this.#record(node, depth)}`;
    }
  }

  #some(names: string[]): string {
    return Array.from({ length: 1 + this.#pick(3) }, () => this.#of(names)).join(' ');
  }

  #directive(): string {
    return this.#chance(12) ? this.#of(DIRECTIVES) : '';
  }

  #record(type: GraphQLObjectType, depth: number): string {
    const all = Object.values(type.getFields());
    const plain = all.filter((field) => !isObjectType(getNamedType(field.type)));
    // Resolvers handle fields with files.
    const withFiles = this.#chance(8);
    const related = all.filter((field) => {
      const namedType = getNamedType(field.type);
      return isObjectType(namedType) && (withFiles || namedType.name !== 'RecordFile');
    });
    const items = Array.from({ length: 1 + this.#pick(5) }, () => {
      const { name } = this.#of(plain);
      return `${this.#chance(6) ? `as${name}: ` : ''}${name} ${this.#directive()}`;
    });
    if (depth > 0)
      for (let n = this.#pick(3); n > 0 && related.length > 0; n--) {
        const field = this.#of(related);
        if (field.args.length === 0) {
          items.push(
            `${field.name} ${this.#record(getNamedType(field.type) as GraphQLObjectType, depth - 1)}`,
          );
          continue;
        }
        const key = `l${++this.#aliases}`;
        items.push(
          `${key}: ${field.name}${this.#arguments(field.args)} ${this.#connection(field.type, depth - 1)}`,
        );
      }
    if (this.#chance(4)) items.splice(this.#pick(items.length), 0, '__typename');
    if (this.#chance(5) && 'id' in type.getFields())
      items.push(`id`, this.#of(items.filter((item) => !/^l\d/.test(item))) ?? 'id');
    return `{ ${this.#wrapped(type, items).join(' ')} }`;
  }

  #wrapped(type: GraphQLObjectType, items: string[]): string[] {
    if (!this.#chance(5)) return items;
    const splitAt = this.#pick(items.length);
    const [outer, inner] = [items.slice(0, splitAt), items.slice(splitAt).join(' ')];
    if (this.#chance(2))
      return [...outer, `... ${this.#of([`on ${type.name}`, ''])} ${this.#directive()} { ${inner} }`];
    const name = `F${this.#fragments.length + 1}x${++this.#aliases}`;
    this.#fragments.push(`fragment ${name} on ${type.name} { ${inner} }`);
    return [...outer, `...${name} ${this.#directive()}`];
  }
}
