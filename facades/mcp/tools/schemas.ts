// Pieces of the tools' schemas that mean the same everywhere.

export const MODEL_SCHEMA = {
  type: 'string',
  description: 'Technical name of the model, such as res.partner.',
};

export const DOMAIN_SCHEMA = {
  type: 'array',
  description:
    'Conditions [field, operator, value], all of which must hold. "|" before two conditions: either; "!": not. Example: [["email","ilike","@acme.com"]].',
};

export const FIELDS_SCHEMA = {
  type: 'array',
  items: { type: 'string' },
  description: 'Names of the fields wanted. Left out: every readable field except binary ones.',
};

/** Rows of any model. */
export const RECORDS_SCHEMA = {
  type: 'object',
  properties: { records: { type: 'array', items: { type: 'object' } }, _count: { type: 'integer' } },
  required: ['records', '_count'],
};
