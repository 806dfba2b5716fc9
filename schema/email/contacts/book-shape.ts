import { type Sql, sql } from '../../../src/db/sql.ts';
import { builder } from '../../../src/engine/operation/builder.ts';
import { buildAuthorshipFields } from '../../settings/record-relation.ts';
import { addResourceRoots } from '../../settings/resource.ts';
import { createResource } from '../../settings/resources.ts';
import { TEAM_READ_POLICY } from '../kit/policies.ts';
import { buildGraphFields, defineComponent, type Shape } from '../kit/shape.ts';
import { BookInputShape } from './book-input.ts';

const input = BookInputShape.parts;

export const bookShape: Shape = {
  id: { type: 'ID', column: 'public_id', description: 'Unique identifier of the contact book.' },
  name: { type: 'String', description: input.name.description },
  teamId: {
    type: 'Int',
    column: 'workspace_id',
    only: 'protocols',
    description: 'Identifier of the Team that owns the book.',
  },
  properties: {
    type: 'JSON',
    form: { type: 'object', additionalProperties: { type: 'string' } },
    description: 'Your own key/value pairs.',
  },
  variables: {
    type: ['String'],
    description: 'Contact properties that campaigns may use as variables.',
  },
  emoji: { type: 'String', description: input.emoji.description },
  doubleOptInEnabled: {
    type: 'Boolean',
    column: 'double_opt_in',
    description: 'True if new contacts must confirm before they are subscribed.',
  },
  doubleOptInFrom: {
    type: 'String',
    nullable: true,
    description: 'Sender of the confirmation email. Null uses `hello@` on your first verified domain.',
  },
  doubleOptInSubject: {
    type: 'String',
    nullable: true,
    description: 'Subject of the confirmation email; null for the default.',
  },
  doubleOptInContent: {
    type: 'String',
    nullable: true,
    description: 'Block editor document (JSON) of the confirmation email; null for the default.',
  },
  createdAt: { type: 'DateTime', column: 'create_date', description: 'When the book was created.' },
  updatedAt: { type: 'DateTime', column: 'write_date', description: 'When the book was last changed.' },
  version: {
    type: 'Int',
    column: 'row_version',
    only: 'graphql',
    description: 'Increases with each update. Pass it as `expectedVersion`.',
  },
};

/** Adds the count that facades return. Requires the join of `buildBookCounts`. */
export const bookWithCounts: Shape = {
  ...bookShape,
  _count: {
    type: 'JSON',
    rowSql: () => sql`json_build_object('contacts', contacts.n)`,
    form: {
      type: 'object',
      properties: {
        contacts: { type: 'integer', description: 'Contacts in the book, subscribed or not.' },
      },
      required: ['contacts'],
    },
    description: 'Number of contacts in the book.',
  },
};

/** Builds the join that `bookWithCounts` requires for books `b`. */
export const buildBookCounts = (workspaceId: number): Sql =>
  sql`cross join lateral (select count(*) as n from svc_contact c
    where c.workspace_id = ${workspaceId} and c.book_id = b.id) contacts`;

const BOOK_DESCRIPTION = 'A list of contacts that campaigns are sent to.';

defineComponent('ContactBook', BOOK_DESCRIPTION, bookShape);
defineComponent('CountedContactBook', 'A contact book with the number of its contacts.', bookWithCounts);

export const ContactBook = builder.prismaObject('SvcContactBook', {
  name: 'ContactBook',
  description: BOOK_DESCRIPTION,
  select: { workspace_id: true, id: true },
  fields: (t) => ({
    ...buildGraphFields(t, bookShape),
    ...buildAuthorshipFields(t, 'svc.contact.book'),
    contactCount: t.relationCount('contact_ids', {
      where: (_args, ctx) => ({ workspace_id: ctx.workspace.id }),
      description: 'Contacts in the book, subscribed or not.',
    }),
    subscribedCount: t.relationCount('contact_ids', {
      where: (_args, ctx) => ({ workspace_id: ctx.workspace.id, subscribed: true }),
      description: 'Contacts that receive campaigns sent to the book.',
    }),
  }),
});

export const bookResource = createResource('svc.contact.book', {
  type: 'ContactBook',
  key: 'public_id',
  policy: TEAM_READ_POLICY,
});

addResourceRoots(bookResource, ContactBook, { many: 'contactBooks', one: 'contactBook' });
