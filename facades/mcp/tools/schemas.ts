// Pieces of the tools' schemas that mean the same everywhere.

export const MODEL_SCHEMA = {
  type: 'string',
  description: 'Technical name of the model, such as res.partner.',
};

export const DOMAIN_SCHEMA = {
  type: 'array',
  description:
    'List of conditions [field, operator, value], combined with AND. Put "|" before two conditions for OR, "!" ' +
    'before one for NOT. Example: [["email","ilike","@acme.com"]].',
};

export const FIELDS_SCHEMA = {
  type: 'array',
  items: { type: 'string' },
  description: 'Names of the fields to return. Defaults to all readable fields except binary ones.',
};

/** Rows of any model. */
export const RECORDS_SCHEMA = {
  type: 'object',
  properties: { records: { type: 'array', items: { type: 'object' } }, _count: { type: 'integer' } },
  required: ['records', '_count'],
};
