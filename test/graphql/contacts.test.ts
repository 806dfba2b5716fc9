import { beforeAll, describe, expect, it } from 'vitest';
import { queryData } from '../harness/facades/graphql.ts';
import { setUpTeam } from '../harness/facades/rest.ts';

const team = setUpTeam();
let book: string;

beforeAll(async () => {
  book = await team.book();
});

const queryGraphql = (query: string, variables: object = {}, key = team.main.teamKey) =>
  queryData(team, query, { key, variables });

const PUT = `mutation ($book: ID!, $input: ContactInput!) {
  contactPut(bookId: $book, input: $input) {
    id email firstName lastName subscribed unsubscribeReason properties createdAt book { name }
  }
}`;

describe('contacts', () => {
  it('are upserted, updated and deleted individually', async () => {
    const input = { email: 'Ann@example.net', firstName: 'Ann', properties: { plan: 'pro' } };
    const { contactPut } = await queryGraphql(PUT, { book, input });
    expect(contactPut).toEqual({
      id: expect.any(String),
      email: 'Ann@example.net',
      firstName: 'Ann',
      lastName: null,
      subscribed: true,
      unsubscribeReason: null,
      properties: { plan: 'pro' },
      createdAt: expect.stringMatching(/Z$/),
      book: { name: 'Readers' },
    });
    const { id } = contactPut;
    const repeated = await queryGraphql(PUT, { book, input: { email: 'ann@example.net', lastName: 'Lee' } });
    expect(repeated.contactPut).toMatchObject({ id, firstName: 'Ann', lastName: 'Lee' });
    const { contactUpdate } = await queryGraphql(
      `mutation ($book: ID!, $id: ID!) {
        contactUpdate(bookId: $book, id: $id, input: { subscribed: false, properties: { plan: "free" } }) {
          id subscribed unsubscribeReason properties
        }
      }`,
      { book, id },
    );
    expect(contactUpdate).toEqual({
      id,
      subscribed: false,
      unsubscribeReason: 'UNSUBSCRIBED',
      properties: { plan: 'free' },
    });
    const { contact, contactRead } = await queryGraphql(
      'query ($book: ID!, $id: ID!) { contact(id: $id) { id email } contactRead(bookId: $book, id: $id) { id email } }',
      { book, id },
    );
    expect([contact, contactRead]).toEqual([{ id, email: 'Ann@example.net' }, contact]);
    const remove = 'mutation ($book: ID!, $id: ID!) { contactDelete(bookId: $book, id: $id) }';
    expect((await queryGraphql(remove, { book, id })).contactDelete).toBe(id);
    const absentResponse = await team.graphql(remove, { book, id }, team.main.teamKey);
    expect(absentResponse.errors[0]!.extensions.code).toBe('NOT_FOUND');
  });

  it('are upserted and deleted in bulk, atomically and in input order', async () => {
    const document = `mutation ($book: ID!, $inputs: [ContactInput!]!) {
      contactsPut(bookId: $book, inputs: $inputs) { id email firstName }
    }`;
    const inputs = [
      { email: 'zed@example.net' },
      { email: 'bob@example.net' },
      { email: 'ZED@example.net', firstName: 'Zed' },
    ];
    const { contactsPut } = await queryGraphql(document, { book, inputs });
    expect(contactsPut.map((item: { email: string }) => item.email.toLowerCase())).toEqual([
      'zed@example.net',
      'bob@example.net',
    ]);
    expect(contactsPut[0].firstName).toBe('Zed');
    const response = await team.graphql(document, {
      book,
      inputs: [{ email: 'new@example.net' }, { email: 'no' }],
    });
    expect(response.errors[0]!.message).toMatch(/^1: /);
    const ids = contactsPut.map((item: { id: string }) => item.id);
    const { contactsDelete } = await queryGraphql(
      'mutation ($book: ID!, $ids: [ID!]!) { contactsDelete(bookId: $book, ids: $ids) }',
      { book, ids: [...ids, 'nothing'] },
    );
    expect(contactsDelete.sort()).toEqual(ids.sort());
  });

  it('are validated but not saved by a dry-run import with custom column names', async () => {
    const trial = (await queryGraphql(`mutation { contactBookCreate(book: { name: "Trial" }) { id } }`))
      .contactBookCreate.id;
    await queryGraphql(PUT, { book: trial, input: { email: 'old@example.net' } });
    const lines = Array.from({ length: 1_000 }, (_, index) => `Mr,p${index}@example.net,x`);
    const csv = [
      'Anrede,Adresse,Tarif',
      ...lines,
      'Ms,OLD@example.net,pro',
      'Ms,nobody,pro',
      'Ms,new@example.net,pro',
      'Ms,P1@example.net,pro',
    ].join('\n');
    const call = (dryRun: boolean, columns: string[]) =>
      queryGraphql(
        `mutation ($book: ID!, $csv: TextFile!, $columns: [String!], $dryRun: Boolean) {
          contactsImport(bookId: $book, csv: $csv, columns: $columns, dryRun: $dryRun) {
            created updated duplicates failed errors { line message }
          }
        }`,
        { book: trial, csv, columns, dryRun },
      );
    const expectedResult = {
      created: 1_001,
      updated: 1,
      duplicates: 1,
      failed: 1,
      errors: [{ line: 1_003, message: expect.stringContaining('nobody') }],
    };
    const columns = ['', 'email', 'plan'];
    expect((await call(true, columns)).contactsImport).toEqual(expectedResult);
    const LIST = `query ($book: ID!) {
      contacts(where: { book: { id: { eq: $book } } }, orderBy: [{ field: ID }], last: 1) {
        totalCount nodes { email properties }
      }
    }`;
    expect((await queryGraphql(LIST, { book: trial })).contacts.totalCount).toBe(1);
    expect((await call(false, columns)).contactsImport).toEqual(expectedResult);
    expect((await queryGraphql(LIST, { book: trial })).contacts).toEqual({
      totalCount: 1_002,
      nodes: [{ email: 'new@example.net', properties: { plan: 'pro' } }],
    });
    const { errors } = await team.graphql(
      'mutation ($b: ID!, $c: [String!]) { contactsImport(bookId: $b, csv: "a", columns: $c) { failed } }',
      { b: trial, c: Array.from({ length: 1_001 }, () => '') },
      team.main.teamKey,
    );
    expect(errors[0]!.message).toBe('columns: must contain at most 1000 columns.');
    await queryGraphql('mutation ($b: ID!) { contactBookDelete(id: $b) { id } }', { b: trial });
  });

  it('are imported, listed and exported, and the import reports failed rows', async () => {
    const csv =
      'email,firstName,plan\nimp@example.net,Imp,pro\nnone,,\nIMP@example.net,,\nsecond@example.net,,\n';
    const { contactsImport } = await queryGraphql(
      `mutation ($book: ID!, $csv: TextFile!) {
        contactsImport(bookId: $book, csv: $csv) { created updated duplicates failed errors { line message } }
      }`,
      { book, csv },
    );
    expect(contactsImport).toEqual({
      created: 2,
      updated: 0,
      duplicates: 1,
      failed: 1,
      errors: [{ line: 3, message: expect.stringContaining('none') }],
    });
    const { contactPage, contacts, contactsExport } = await queryGraphql(
      `query ($book: ID!) {
        contactPage(bookId: $book, limit: 1) { count totalPage data { id email properties } }
        contacts(where: { email: { contains: "@example.net" }, book: { name: { eq: "Readers" } } }) {
          totalCount nodes { email }
        }
        contactsExport(bookId: $book)
      }`,
      { book },
    );
    expect(contactPage).toEqual({
      count: 2,
      totalPage: 2,
      data: [{ id: expect.any(String), email: 'imp@example.net', properties: { plan: 'pro' } }],
    });
    expect(contacts.totalCount).toBe(2);
    expect(contactsExport.split('\r\n')[0]).toBe(
      'email,firstName,lastName,subscribed,unsubscribeReason,createdAt,plan',
    );
    const response = await team.graphql(
      'mutation ($book: ID!) { contactsImport(bookId: $book, csv: 7) { created } }',
      {
        book,
      },
    );
    expect(response.errors[0]!.message).toContain('string');
  });

  it('are sent another confirmation request if they are unconfirmed', async () => {
    const asking = await team.book({ doubleOptInEnabled: true });
    const { contactPut } = await queryGraphql(PUT, { book: asking, input: { email: 'new@example.net' } });
    expect(contactPut).toMatchObject({ subscribed: false, unsubscribeReason: null });
    const { contactConfirmationSend } = await queryGraphql(
      'mutation ($book: ID!, $id: ID!) { contactConfirmationSend(bookId: $book, id: $id) { id subscribed } }',
      { book: asking, id: contactPut.id },
    );
    expect(contactConfirmationSend).toEqual({ id: contactPut.id, subscribed: false });
    const { emails } = await queryGraphql(
      '{ emails(where: { to: { has: "new@example.net" } }) { totalCount } }',
    );
    expect(emails.totalCount).toBe(2);
  });
});

describe('suppressed addresses', () => {
  it('are added, counted, listed, exported and removed', async () => {
    const { key } = team.main.admin;
    const { suppressionAdd } = await queryGraphql(
      'mutation { suppressionAdd(email: "Bad <Bad@example.net>", reason: COMPLAINT) { id email reason source createdAt } }',
      {},
      key,
    );
    expect(suppressionAdd).toEqual({
      id: expect.stringMatching(/^\d+$/),
      email: 'bad@example.net',
      reason: 'COMPLAINT',
      source: null,
      createdAt: expect.any(String),
    });
    const { suppression, suppressionStatistics, suppressionsExport } = await queryGraphql(
      `query ($id: ID!) {
        suppression(id: $id) { email }
        suppressionStatistics { hardBounce complaint manual total }
        suppressionsExport(reason: COMPLAINT)
      }`,
      { id: suppressionAdd.id },
      key,
    );
    expect(suppression).toEqual({ email: 'bad@example.net' });
    expect(suppressionStatistics).toEqual({ hardBounce: 0, complaint: 1, manual: 0, total: 1 });
    expect(suppressionsExport).toContain('bad@example.net,COMPLAINT');
    const { suppressionRemove } = await queryGraphql(
      'mutation { suppressionRemove(email: "bad@example.net") }',
      {},
      key,
    );
    expect(suppressionRemove).toBe(suppressionAdd.id);
    const response = await team.graphql(
      'mutation { suppressionAdd(email: "a@b.test", reason: BORED) { id } }',
      {},
      key,
    );
    expect(response.errors[0]!.message).toContain('BORED');
  });
});
