import { outputSchema } from './kit.ts';

export const MODEL_SCHEMA = {
  type: 'string',
  description: 'Model, such as res.partner.',
} as const;

const anyOf = (...types: object[]) => ({ anyOf: types });
const buildType = (type: string) => ({ type });
const buildList = (items: object) => ({ type: 'array', items });
const SCALAR_SCHEMAS = ['string', 'number', 'boolean'].map(buildType);

/**
 * A value with nested lists, for clients that support neither references, schemas without a type, nor lists of types.
 */
const buildListedValue = (levels: number): object =>
  anyOf(...SCALAR_SCHEMAS, ...(levels > 0 ? [buildList(buildListedValue(levels - 1))] : []));

export const ANY_SCHEMA = { listed: buildListedValue(1) };

export const buildListSchema = <Extra extends object>(description: string, extra: Extra) => ({
  type: 'array' as const,
  ...extra,
  listed: {
    ...buildList(anyOf(...SCALAR_SCHEMAS, buildType('object'), buildList(buildListedValue(0)))),
    ...extra,
    description,
  },
});

const DOMAIN_TEXT =
  'Conditions [field, operator, value], all of which hold; "|" before two means OR, "!" before one NOT: ' +
  '[["email","ilike","@acme.com"]].';

/** Lists in a condition: its values, or the domain of `any` with its conditions and their values. */
const CONDITION_LEVELS = 3;

export const DOMAIN_SCHEMA = {
  type: 'array',
  listed: {
    ...buildList(anyOf(buildType('string'), buildList(buildListedValue(CONDITION_LEVELS)))),
    description: DOMAIN_TEXT,
  },
} as const;

export const OFFSET_SCHEMA = { type: 'integer', minimum: 0, default: 0 } as const;

export const FIELDS_SCHEMA = {
  type: 'array',
  items: { type: 'string' },
  description: 'Fields to return. Defaults to the main fields. ["*"] returns all fields except binary ones.',
} as const;

export const IDS_SCHEMA = {
  type: 'array',
  items: { type: 'integer' },
  minItems: 1,
} as const;

export const VALUES_SCHEMA = {
  type: 'object',
  description:
    'Values by field. A many2one takes an id. one2many and many2many take commands: [[6, 0, [ids]]] ' +
    'replaces the records, [[4, id]] adds one.',
} as const;

export const CONFIRM_SCHEMA = {
  type: 'boolean',
  default: false,
  description: 'True to make the change after the preview.',
} as const;

export const CONFIRMABLE_PROPERTIES = { confirm_required: { type: 'boolean' } };

export const NAMED_SCHEMA = {
  type: 'array',
  items: { type: 'object' },
};

/** Result members of a page that is not the last one. */
export const PAGED_SCHEMA = {
  total: { type: 'integer' },
  total_is_at_least: { type: 'boolean' },
  has_more: { type: 'boolean' },
  next_offset: { type: 'integer' },
};

export const RECORDS_SCHEMA = outputSchema({ records: NAMED_SCHEMA }, ['records']);
