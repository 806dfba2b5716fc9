import { describe, expect, it } from 'vitest';
import { EmailInputShape } from '../../schema/email/accept/email-input.ts';
import { CampaignInputShape } from '../../schema/email/campaigns/campaign-input.ts';
import { BookInputShape } from '../../schema/email/contacts/book-input.ts';
import { ContactInputShape } from '../../schema/email/contacts/contact-input.ts';
import { listColumns } from '../../schema/email/kit/input-columns.ts';
import { getPrismaModels } from '../../src/db/tripwire.ts';

const prismaModels = getPrismaModels();

const PRISMA_TYPES = {
  text: 'String',
  'text[]': 'String[]',
  jsonb: 'Json',
  timestamptz: 'DateTime',
  int: 'Int',
  bool: 'Boolean',
};

/** Models with the fields of their inputs that are not stored as given. */
describe.each([
  ['SvcEmail', EmailInputShape.parts, ['templateId', 'variables']],
  ['SvcCampaign', CampaignInputShape.parts, ['contactBookId', 'sendNow', 'scheduledAt']],
  ['SvcContact', ContactInputShape.parts, []],
  ['SvcContactBook', BookInputShape.parts, []],
])('the input of %s', (model, parts, unstored) => {
  const columns = listColumns(parts);

  it('has a column for every field, with known exceptions', () => {
    const fields = new Set(columns.map(({ field }) => field));
    expect(Object.keys(parts).filter((name) => !fields.has(name))).toEqual(unstored);
  });

  it.each(columns)('stores $field in a column of type $type', ({ name, type }) => {
    const column = prismaModels[model]!.fields.find((item) => item.name === name);
    expect(column && `${column.type}${column.isList ? '[]' : ''}`).toBe(PRISMA_TYPES[type]);
  });
});
