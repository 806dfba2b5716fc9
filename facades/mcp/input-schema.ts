type SchemaValue<Schema> = Schema extends { enum: readonly (infer Value)[] }
  ? Value
  : Schema extends { type: 'string' }
    ? string
    : Schema extends { type: 'integer' | 'number' }
      ? number
      : Schema extends { type: 'boolean' }
        ? boolean
        : Schema extends { type: 'array' }
          ? ItemValue<Schema>[]
          : Schema extends { type: 'object' }
            ? MemberValues<Schema>
            : unknown;

type ItemValue<Schema> = Schema extends { items: infer Item } ? SchemaValue<Item> : unknown;

type MemberValues<Schema> = Schema extends { properties: infer Members }
  ? { [Name in keyof Members]?: SchemaValue<Members[Name]> }
  : Record<string, unknown>;

type PresentName<Members, Required, Name extends keyof Members> = Name extends Required
  ? Name
  : Members[Name] extends { default: unknown }
    ? Name
    : never;

/** The arguments of a tool that its input schema accepts, with defaults filled in. */
export type ArgumentsOf<Schema> = Schema extends { properties: infer Members; required?: infer Required }
  ? {
      [Name in keyof Members as PresentName<Members, ItemOf<Required>, Name>]: SchemaValue<Members[Name]>;
    } & {
      [Name in keyof Members as Exclude<Name, PresentName<Members, ItemOf<Required>, Name>>]?: SchemaValue<
        Members[Name]
      >;
    }
  : Record<string, unknown>;

type ItemOf<List> = List extends readonly (infer Item)[] ? Item : never;

/** @param required arguments without a default that every call must have */
export const inputSchema = <
  const Members extends Record<string, object>,
  const Required extends keyof Members = never,
>(
  properties: Members,
  required: readonly Required[] = [],
) => ({
  type: 'object',
  properties,
  ...(required.length > 0 && { required }),
  additionalProperties: false,
});

/** Lists the names of a record's members, as values of an `enum`. */
export const listNames = <Name extends string>(record: Readonly<Record<Name, unknown>>): readonly Name[] =>
  Object.keys(record) as Name[];
