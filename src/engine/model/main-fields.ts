import type { Field } from './field.ts';
import type { Model } from './model.ts';

/** Fields that people look for first, most important first. */
const PREFERRED_FIELDS = [
  'partner_id',
  'stage_id',
  'state',
  'project_id',
  'expected_revenue',
  'amount_total',
  'list_price',
  'date_order',
  'date_deadline',
  'start',
  'email',
  'phone',
  'city',
  'user_id',
  'priority',
  'country_id',
];

const LONG_FIELD_TYPES: ReadonlySet<string> = new Set(
  'binary html json properties properties_definition one2many'.split(' '),
);

const MINOR_FIELDS: ReadonlySet<string> = new Set(
  'id display_name active color sequence create_uid create_date write_uid write_date'.split(' '),
);

/** Returns the fields that summarize a record, most important first. Long and computed fields are omitted. */
export function listMainFields(model: Model): Field[] {
  const preferredFields = PREFERRED_FIELDS.flatMap((name) => model.fields.get(name) ?? []);
  const otherFields = [...model.fields.values()]
    .filter(isMainField)
    .sort((a, b) => Number(isMessagingField(a)) - Number(isMessagingField(b)));
  return [...new Set([...preferredFields, ...otherFields])];
}

const isMessagingField = ({ name }: Field): boolean => /^(?:message|activity)_/.test(name);

const isMainField = ({ name, type, computed, related, inherited, secret, onDemand }: Field): boolean =>
  !computed &&
  (!related || inherited === true) &&
  !secret &&
  !onDemand &&
  !LONG_FIELD_TYPES.has(type) &&
  !MINOR_FIELDS.has(name);
