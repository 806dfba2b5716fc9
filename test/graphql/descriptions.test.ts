import type { GraphQLObjectType } from 'graphql';
import { expect, test } from 'vitest';
import { buildSdlText } from '../../facades/graphql/sdl.ts';
import { buildProduct } from '../../schema/index.ts';

const { schema, registry } = buildProduct();
/** An engine directive in a comment of prisma/schema. */
const MARK = /^\s*@(?!(?:auth|scope|feature|audit)\b)\w+/m;

test('descriptions, labels and help texts contain no engine directives', () => {
  expect('  @readonly').toMatch(MARK);
  expect(buildSdlText(schema)).not.toMatch(MARK);
  for (const model of registry.values())
    for (const { name, label, help } of model.fields.values())
      expect(`${label}\n${help}`, `${model.name}.${name}`).not.toMatch(MARK);
});

const getDescription = (place: string): string | null | undefined => {
  const [type, field] = place.split('.') as [string, string];
  return (schema.getType(type) as GraphQLObjectType).getFields()[field]!.description;
};

test.each([
  [
    'Query.mailActivityTypes',
    'Lists records of the model Activity Type (`mail.activity.type`). ' +
      'Returns 80 unless `first` or `last` is set (at most 500).',
  ],
  [
    'Query.mailActivityType',
    'Returns the record of the model Activity Type (`mail.activity.type`) with this id, ' +
      'or null if the caller cannot read it.',
  ],
  ['CrmLead.id', 'Record id.'],
  ['CrmLead.userId', 'Salesperson. Id of a `res.users` record.'],
  ['CrmLead.user', 'Salesperson. A `res.users` record. Null if unset or not visible to the caller.'],
  ['CrmLead.tags', '`crm.tag` records that the caller can read.'],
  ['CrmLead.wonStatus', 'Won/Lost.'],
  ['CrmLead.expectedRevenue', 'Amount in the currency of `companyCurrency`.'],
  ['CrmLead.active', 'False if the record is archived.'],
  ['CrmLead.phone', 'Phone of the record.'],
  ['CrmStage.isWon', 'True if leads in this stage are won.'],
  ['SaleOrder.paymentTermId', 'Id of an `account.payment.term` record.'],
])('generates the description of %s', (place, text) => {
  expect(getDescription(place)).toBe(text);
});
