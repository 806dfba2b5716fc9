export const MODEL_SCHEMA = {
  type: 'string',
  description: 'Model, such as res.partner.',
};

const anyOf = (...types: object[]) => ({ anyOf: types });
const TYPE = (type: string) => ({ type });
const LIST = (items: object) => ({ type: 'array', items });
const SCALARS = ['string', 'number', 'boolean'].map(TYPE);

/** Any value, for clients that support neither schemas without a type nor lists of types. */
const LISTED_VALUE = anyOf(...SCALARS, LIST(anyOf(...SCALARS)));

export const ANY_SCHEMA = { listed: LISTED_VALUE };

export const LIST_SCHEMA = (description: string, extra: object = {}) => ({
  type: 'array',
  ...extra,
  listed: { ...LIST(anyOf(...SCALARS, TYPE('object'), LIST(anyOf(...SCALARS)))), ...extra, description },
});

const DOMAIN_TEXT =
  'Conditions [field, operator, value], all of which hold; "|" before two means OR, "!" before one NOT: ' +
  '[["email","ilike","@acme.com"]].';

export const DOMAIN_SCHEMA = {
  type: 'array',
  listed: { ...LIST(anyOf(TYPE('string'), LIST(LISTED_VALUE))), description: DOMAIN_TEXT },
};

export const OFFSET_SCHEMA = { type: 'integer', minimum: 0, default: 0 };

export const FIELDS_SCHEMA = {
  type: 'array',
  items: { type: 'string' },
  description: 'Fields to return. Defaults to the main ones; ["*"] means all except binary ones.',
};

export const IDS_SCHEMA = {
  type: 'array',
  items: { type: 'integer' },
  minItems: 1,
  description: 'Ids of the records.',
};

export const VALUES_SCHEMA = {
  type: 'object',
  description:
    'Values by field. A many2one takes an id; one2many and many2many take commands: [[6, 0, [ids]]] replaces, ' +
    '[[4, id]] adds.',
};

export const CONFIRM_SCHEMA = {
  type: 'boolean',
  default: false,
  description: 'Go ahead after the preview.',
};

export const CONFIRMABLE = {
  confirm_required: { type: 'boolean' },
  message: { type: 'string' },
  _count: { type: 'integer' },
};

export const NAMED_SCHEMA = {
  type: 'array',
  items: { type: 'object', properties: { id: { type: 'integer' }, name: { type: 'string' } } },
};

/** Result members of a page that is not the last one. */
export const PAGED_SCHEMA = {
  total: { type: 'integer' },
  has_more: { type: 'boolean' },
  next_offset: { type: 'integer' },
};

export const RECORDS_SCHEMA = {
  type: 'object',
  properties: { records: { type: 'array', items: { type: 'object' } }, _count: { type: 'integer' } },
  required: ['records', '_count'],
};
