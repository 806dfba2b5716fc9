import type { GraphQLInputObjectType } from 'graphql';
import { expect, it } from 'vitest';
import { EmailRequest } from '../../facades/rest/shapes/email-request.ts';
import { EMAIL_FIELDS } from '../../schema/email/accept/email-fields.ts';
import { buildProduct } from '../../schema/index.ts';
import { getDatamodel } from '../../src/db/generated/pothos.ts';
import type { Datamodel } from '../../src/engine/model/datamodel.ts';

const { datamodel } = getDatamodel() as unknown as { datamodel: Datamodel };
const { schema } = buildProduct(datamodel);
const fieldNames = Object.keys((schema.getType('EmailInput') as GraphQLInputObjectType).getFields());

it('a send accepts the same fields in REST and GraphQL', () => {
  expect(Object.keys(EmailRequest.shape).toSorted()).toEqual(fieldNames.toSorted());
});

it('every send field has a column, except variables, which are merged into the content', () => {
  const toCamelCase = (column: string) =>
    column.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  const columns = Object.keys(EMAIL_FIELDS).map(toCamelCase);
  // Columns set by the platform and not by a request.
  const extraFields = ['publicId', 'mailboxId'];
  expect([...columns.filter((name) => !extraFields.includes(name)), 'variables'].toSorted()).toEqual(
    fieldNames.toSorted(),
  );
});
