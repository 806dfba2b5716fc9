import fc from 'fast-check';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { resources } from '../../schema/settings/resources.ts';
import { getPrisma } from '../../src/db/prisma.ts';
import { sql } from '../../src/db/sql.ts';
import { search } from '../../src/engine/read/records.ts';
import { create, unlink } from '../../src/engine/write/write.ts';
import { queryData } from '../harness/facades/graphql.ts';
import { setUpTeam } from '../harness/facades/rest.ts';
import { createSeededRandom } from '../rpc/seeded.ts';

const team = setUpTeam();
const names = ['Cherry', 'apple', 'Banana', 'date_%', 'dateXY'];

beforeAll(async () => {
  for (const name of names) await team.book({ name });
});

const readData = (query: string, variables: object = {}, key?: string) =>
  queryData(team, query, { key, variables });

const LIST = `query ($where: ContactBookWhere, $orderBy: [ContactBookOrder!], $first: Int, $after: String, $last: Int, $before: String, $offset: Int) {
  contactBooks(where: $where, orderBy: $orderBy, first: $first, after: $after, last: $last, before: $before, offset: $offset) {
    nodes { id name } edges { cursor node { id } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } totalCount
  }
}`;

const listBooks = async (variables: object = {}, key?: string) =>
  (await readData(LIST, variables, key)).contactBooks;
const listNames = async (variables: object) =>
  (await listBooks(variables)).nodes.map((book: { name: string }) => book.name);
const BY_NAME = [{ field: 'NAME', direction: 'ASC' }];

describe('settings lists', () => {
  it('are connections with a count, newest first', async () => {
    const { nodes, edges, pageInfo, totalCount } = await listBooks();
    expect(nodes.map((book: { name: string }) => book.name)).toEqual([...names].reverse());
    expect(edges.map((edge: { node: { id: string } }) => edge.node.id)).toEqual(
      nodes.map((node: { id: string }) => node.id),
    );
    expect(pageInfo).toEqual({
      hasNextPage: false,
      hasPreviousPage: false,
      startCursor: edges[0].cursor,
      endCursor: edges.at(-1).cursor,
    });
    expect(totalCount).toBe(5);
  });

  it.each([
    [{ name: { eq: 'apple' } }, ['apple']],
    [{ name: { ne: 'apple' } }, ['dateXY', 'date_%', 'Banana', 'Cherry']],
    [{ name: { in: ['apple', 'Banana'] } }, ['Banana', 'apple']],
    [{ name: { notIn: ['apple', 'Banana'] } }, ['dateXY', 'date_%', 'Cherry']],
    [{ name: { contains: 'an' } }, ['Banana']],
    [{ name: { startsWith: 'date' } }, ['dateXY', 'date_%']],
    [{ name: { contains: '_%' } }, ['date_%']],
    [{ name: { contains: 'E_' } }, []],
    [{ name: { endsWith: 'Y', ignoreCase: true } }, ['dateXY', 'Cherry']],
    [{ name: { eq: 'APPLE', ignoreCase: true } }, ['apple']],
    [{ name: { eq: 'date__', ignoreCase: true } }, []],
    [{ name: { like: 'd%_Y' } }, ['dateXY']],
    [{ createdAt: { last: 'P1D' }, name: { eq: 'apple' } }, ['apple']],
    [{ variables: { has: 'plan' } }, []],
    [{ campaigns: { some: { name: { eq: 'x' } } } }, []],
    [{ campaigns: { none: { name: { eq: 'x' } } }, name: { startsWith: 'dateX' } }, ['dateXY']],
    [{ not: { createdBy: { login: { eq: 'admin' } } }, displayName: { eq: 'apple' } }, ['apple']],
    [{ name: { isNull: true } }, []],
    [{ name: { isNull: false } }, ['dateXY', 'date_%', 'Banana', 'apple', 'Cherry']],
    [{ doubleOptInEnabled: { eq: true } }, []],
    [{ createdAt: { gt: '2020-01-01T00:00:00Z' }, name: { startsWith: 'a' } }, ['apple']],
    [{ createdAt: { between: ['2020-01-01T00:00:00Z', '2020-01-02T00:00:00Z'] } }, []],
    [{ or: [{ name: { eq: 'apple' } }, { name: { eq: 'Cherry' } }] }, ['apple', 'Cherry']],
    [{ not: { name: { startsWith: 'date' } } }, ['Banana', 'apple', 'Cherry']],
    [{ and: [{ name: { contains: 'a' } }, { not: { name: { contains: 'd' } } }] }, ['Banana', 'apple']],
    [{}, ['dateXY', 'date_%', 'Banana', 'apple', 'Cherry']],
    [{ or: [] }, []],
    [{ or: [{}, { name: { eq: 'apple' } }] }, ['dateXY', 'date_%', 'Banana', 'apple', 'Cherry']],
    [{ not: {} }, []],
    [{ not: { or: [] }, name: { eq: 'apple' } }, ['apple']],
    [{ and: [], name: { in: [] } }, []],
  ])('are filtered by %j', async (where, expected) => {
    const { nodes, totalCount } = await listBooks({ where });
    expect(nodes.map((book: { name: string }) => book.name)).toEqual(expected);
    expect(totalCount).toBe(expected.length);
  });

  it('sort by fields of every type, with unset values first or last as requested', async () => {
    const { data } = await team.graphql(
      `{ __schema { queryType { fields { name args { name type { ofType { ofType { inputFields {
        name type { ofType { enumValues { name } } } } } } } } type { ofType { name } } } } } }`,
    );
    const types = new Set([...resources.values()].map(({ type }) => `${type}Connection`));
    const faults: string[] = [];
    let countCalls = 0;
    for (const { name, args, type } of data.__schema.queryType.fields) {
      const order = args.find((arg: { name: string }) => arg.name === 'orderBy');
      if (!order || !types.has(type.ofType?.name)) continue;
      const [field] = order.type.ofType.ofType.inputFields;
      for (const { name: by } of field.type.ofType.enumValues) {
        countCalls++;
        const { errors } = await team.graphql(
          `{ ${name}(orderBy: [{ field: ${by}, direction: DESC, nulls: LAST }]) { totalCount nodes { id } } }`,
        );
        if (errors[0]?.extensions.code === 'INTERNAL') faults.push(`${name} ${by}`);
      }
    }
    expect(faults).toEqual([]);
    expect(countCalls).toBeGreaterThan(100);
  });

  it('sort by the requested field in both directions', async () => {
    const up = await listNames({ orderBy: BY_NAME });
    const down = await listNames({ orderBy: [{ field: 'NAME', direction: 'DESC' }] });
    expect(up).toHaveLength(5);
    expect(down).toEqual([...up].reverse());
    expect(up.indexOf('Banana')).toBeLessThan(up.indexOf('Cherry'));
  });

  it('are paginated in both directions by cursor, and by offset', async () => {
    const all = await listNames({ orderBy: BY_NAME });
    const one = await listBooks({ orderBy: BY_NAME, first: 2 });
    expect(one.nodes.map((book: { name: string }) => book.name)).toEqual(all.slice(0, 2));
    expect(one.pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: false });
    const two = await listBooks({ orderBy: BY_NAME, first: 2, after: one.pageInfo.endCursor });
    expect(two.nodes.map((book: { name: string }) => book.name)).toEqual(all.slice(2, 4));
    expect(two.pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: true });
    const back = await listBooks({ orderBy: BY_NAME, last: 2, before: two.pageInfo.endCursor });
    expect(back.nodes.map((book: { name: string }) => book.name)).toEqual(all.slice(1, 3));
    const last = await listBooks({ orderBy: BY_NAME, last: 2 });
    expect(last.nodes.map((book: { name: string }) => book.name)).toEqual(all.slice(3));
    expect(last.pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: true });
    expect(await listNames({ orderBy: BY_NAME, first: 2, offset: 3 })).toEqual(all.slice(3));
  });

  it('reject an excessive page size, an invalid cursor and an unsupported operator', async () => {
    const queryError = async (variables: object) => (await team.graphql(LIST, variables)).errors[0]!;
    expect(await queryError({ first: 501 })).toMatchObject({
      message: '`first` must be from 0 to 500.',
      extensions: { code: 'BAD_REQUEST' },
    });
    for (const after of ['nonsense', '', Buffer.from('GPC:N:3').toString('base64')])
      expect((await queryError({ after })).extensions.code).toMatch(/^BAD_(REQUEST|VALUE)$/);
    expect(await queryError({ where: { createdAt: { between: ['2020-01-01T00:00:00Z'] } } })).toMatchObject({
      message: expect.stringContaining('two values'),
    });
  });

  it('reject modified cursors and cursors of other lists, orders, users and workspaces', async () => {
    const { pageInfo } = await listBooks({ orderBy: BY_NAME, first: 2 });
    const after = pageInfo.endCursor;
    const expectError = async (variables: object, key?: string) =>
      (await team.graphql(LIST, variables, key)).errors[0]!;
    const foreign = { message: expect.stringContaining('belongs to another list, sort order, user') };
    expect(await expectError({ after })).toMatchObject(foreign);
    expect(await expectError({ after, orderBy: [{ field: 'NAME', direction: 'DESC' }] })).toMatchObject(
      foreign,
    );
    expect(await expectError({ after, orderBy: BY_NAME }, team.main.teamKey)).toMatchObject(foreign);
    const { errors } = await team.graphql(
      'query ($after: String) { templates(after: $after) { nodes { id } } }',
      {
        after,
      },
    );
    expect(errors[0]).toMatchObject(foreign);
    for (let start = 0; start < after.length; start += 9) {
      const changed = after.slice(0, start) + (after[start] === 'A' ? 'B' : 'A') + after.slice(start + 1);
      expect((await expectError({ after: changed, orderBy: BY_NAME })).message).toContain(
        '`after` is not a cursor',
      );
    }
    expect(Buffer.from(after, 'base64url').toString('latin1')).not.toContain('apple');
  });

  describe('pages during concurrent writes', () => {
    const ORDERS = [
      undefined,
      [{ field: 'UPDATED_AT' }],
      [{ field: 'NAME', direction: 'DESC' }],
      [{ field: 'DOUBLE_OPT_IN_ENABLED', direction: 'DESC' }, { field: 'EMOJI' }],
      [{ field: 'DOUBLE_OPT_IN_CONTENT', nulls: 'FIRST' }, { field: 'NAME' }],
      [{ field: 'DOUBLE_OPT_IN_CONTENT', direction: 'DESC', nulls: 'LAST' }],
    ];

    it.each(
      ORDERS.flatMap((orderBy) => [
        { orderBy, way: 'forwards' },
        { orderBy, way: 'backwards' },
      ]),
    )('contain every remaining record once, $way in the order $orderBy', async ({ orderBy, way }) => {
      await fc.assert(
        fc.asyncProperty(fc.integer(), (seed) => readWhileWriting(createSeededRandom(seed), orderBy, way)),
        { numRuns: 5 },
      );
    });

    const buildValues = (random: () => number) => {
      const pickOne = <T>(from: T[]): T => from[Math.floor(random() * from.length)]!;
      return {
        name: `moving ${pickOne(['a', 'B', 'ö', '["x'])}`,
        emoji: pickOne(['x', 'y', 'z']),
        double_opt_in: pickOne([true, false]),
        double_opt_in_content: pickOne([null, '{}', '{"a": 1}', 'z']),
        write_date: `2026-01-01 00:00:00.00${pickOne([0, 1, 2, 3])}`,
      };
    };

    async function readWhileWriting(
      random: () => number,
      orderBy: object[] | undefined,
      way: string,
    ): Promise<void> {
      const { db } = team.runtime;
      const workspace = team.main.ctx.workspace.id;
      const change = async (ids: number[]) => {
        for (const [name, value] of Object.entries(buildValues(random)))
          await db.rows(sql`update svc_contact_book set ${sql.id(name)} = ${value}
            where workspace_id = ${workspace} and id = any(${ids})`);
      };
      const remove = (ids: number[]) =>
        db.rows(sql`delete from svc_contact_book where workspace_id = ${workspace} and id = any(${ids})`);
      const add = async (): Promise<number> => {
        const [id] = await create(team.main.ctx, 'svc.contact.book', [{ name: 'moving' }]);
        await change([id!]);
        return id!;
      };
      let there: number[] = [];
      for (let i = 0; i < 12; i++) there.push(await add());
      const createdRows = await db.rows<{ id: number; public_id: string }>(
        sql`select id, public_id from svc_contact_book where workspace_id = ${workspace} and id = any(${there})`,
      );
      const staying = new Map(createdRows.map(({ id, public_id }) => [id, public_id]));
      const ids = new Map([...staying].map(([id, key]) => [key, id]));
      const [size, position] = way === 'forwards' ? ['first', 'after'] : ['last', 'before'];
      const seen: string[] = [];
      for (let cursor: string | null = null, hasMore = true; hasMore && there.length > 0; ) {
        const { nodes, pageInfo } = await listBooks({
          where: { name: { startsWith: 'moving' } },
          orderBy,
          [size!]: 3,
          [position!]: cursor,
        });
        const page: string[] = nodes.map((node: { id: string }) => node.id);
        seen.push(...page);
        cursor = way === 'forwards' ? pageInfo.endCursor : pageInfo.startCursor;
        hasMore = way === 'forwards' ? pageInfo.hasNextPage : pageInfo.hasPreviousPage;
        // Changes to the record at the cursor are the most likely to break pagination.
        const last = ids.get(page.at(way === 'forwards' ? -1 : 0) ?? '') ?? there[0]!;
        const touched = [...new Set([last, there[Math.floor(random() * there.length)]!])];
        for (const id of touched) staying.delete(id);
        if (random() < 0.5) await change(touched);
        else {
          await remove(touched);
          there = there.filter((id) => !touched.includes(id));
        }
        if (random() < 0.3) there.push(await add());
      }
      const remaining = new Set(staying.values());
      expect(seen.filter((key) => remaining.has(key)).toSorted()).toEqual([...remaining].toSorted());
      await remove(there);
    }
  });

  it('are counted only on request', async () => {
    const counts: unknown[] = [];
    const prisma = getPrisma({ runtime: team.runtime });
    const countSpy = vi.spyOn(prisma.svcContactBook, 'count').mockImplementation(((query: object) => {
      counts.push(query);
      return Promise.resolve(7);
    }) as never);
    await readData('{ contactBooks(first: 1) { nodes { id } } }');
    expect(counts).toEqual([]);
    expect((await readData('{ contactBooks(first: 1) { totalCount } }')).contactBooks.totalCount).toBe(7);
    countSpy.mockRestore();
  });

  it('place unset values first or last as requested, across pages', async () => {
    const book = await team.book({ name: 'for campaigns' });
    const ids: string[] = [];
    for (let i = 0; i < 4; i++) {
      const campaign = await readData(
        'mutation ($campaign: CampaignInput!) { campaignCreate(campaign: $campaign) { id status scheduledAt } }',
        { campaign: buildCampaign(book, { name: `c${i}` }) },
      );
      expect(campaign.campaignCreate).toMatchObject({ status: 'DRAFT', scheduledAt: null });
      ids.push(campaign.campaignCreate.id);
    }
    const set = (id: string, at: string) =>
      team.runtime.db.rows(
        sql`update svc_campaign set scheduled_at = ${at}::timestamp where workspace_id > 0 and public_id = ${id}`,
      );
    await set(ids[1]!, '2030-01-02T00:00:00');
    await set(ids[3]!, '2030-01-01T00:00:00');
    for (const nulls of ['FIRST', 'LAST']) {
      const names: string[] = [];
      let after: string | null = null;
      for (let page = 0; page < 4; page++) {
        const { campaigns } = await readData(
          `query ($after: String) { campaigns(first: 1, after: $after,
            orderBy: [{ field: SCHEDULED_AT, direction: ASC, nulls: ${nulls} }]) { nodes { name } pageInfo { endCursor } } }`,
          { after },
        );
        names.push(campaigns.nodes[0].name);
        after = campaigns.pageInfo.endCursor;
      }
      expect(names).toEqual(nulls === 'FIRST' ? ['c0', 'c2', 'c3', 'c1'] : ['c3', 'c1', 'c0', 'c2']);
    }
    const open = await readData('{ campaigns(where: { scheduledAt: { isNull: true } }) { totalCount } }');
    expect(open.campaigns.totalCount).toBe(2);
    const others = await readData(
      '{ campaigns(where: { scheduledAt: { ne: "2030-01-02T00:00:00Z" } }) { nodes { name } } }',
    );
    expect(others.campaigns.nodes.map((node: { name: string }) => node.name)).toEqual(['c3', 'c2', 'c0']);
  });
});

const buildCampaign = (contactBookId: string, overrides: object = {}) => ({
  name: 'News',
  from: `News <news@${team.main.domain}>`,
  subject: 'News',
  html: '<p>Hi</p><a href="{{usesend_unsubscribe_url}}">x</a>',
  contactBookId,
  ...overrides,
});

describe('relations between settings', () => {
  it('connect a contact book and its campaigns in both directions with separate pagination', async () => {
    const id = await team.book({ name: 'with campaigns' });
    for (const name of ['first', 'second', 'third'])
      await readData('mutation ($campaign: CampaignInput!) { campaignCreate(campaign: $campaign) { id } }', {
        campaign: buildCampaign(id, { name }),
      });
    const { contactBook } = await readData(
      `query ($id: ID!) { contactBook(id: $id) { id name contactCount subscribedCount
        campaigns(first: 2, orderBy: [{ field: NAME }]) { totalCount pageInfo { hasNextPage } nodes { name book { id name } } }
        some: campaigns(where: { name: { eq: "third" } }) { totalCount nodes { name } } } }`,
      { id },
    );
    expect(contactBook).toMatchObject({ id, name: 'with campaigns', contactCount: 0, subscribedCount: 0 });
    expect(contactBook.campaigns).toEqual({
      totalCount: 3,
      pageInfo: { hasNextPage: true },
      nodes: ['first', 'second'].map((name) => ({ name, book: { id, name: 'with campaigns' } })),
    });
    expect(contactBook.some).toEqual({ totalCount: 1, nodes: [{ name: 'third' }] });
  });

  it('are paginated by cursor for several owners in one query', async () => {
    for (const name of ['paged a', 'paged b']) {
      const id = await team.book({ name });
      for (const part of ['1', '2', '3'])
        await readData(
          'mutation ($campaign: CampaignInput!) { campaignCreate(campaign: $campaign) { id } }',
          {
            campaign: buildCampaign(id, { name: `${name} ${part}` }),
          },
        );
    }
    const findSpy = vi.spyOn(getPrisma({ runtime: team.runtime }).svcContactBook, 'findMany');
    const readPage = async (position: string) => {
      const { contactBooks } = await readData(
        `{ contactBooks(where: { name: { startsWith: "paged" } }, orderBy: [{ field: NAME }]) { nodes {
          campaigns(${position}, orderBy: [{ field: NAME }]) {
            totalCount nodes { name } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } } } }`,
      );
      return contactBooks.nodes.map(({ campaigns }: { campaigns: Page }) => campaigns);
    };
    interface Page {
      totalCount: number;
      nodes: { name: string }[];
      pageInfo: { hasNextPage: boolean; hasPreviousPage: boolean; startCursor: string; endCursor: string };
    }
    const buildNames = (pages: Page[]) => pages.map(({ nodes }) => nodes.map(({ name }) => name));
    const first = await readPage('first: 1');
    expect(buildNames(first)).toEqual([['paged a 1'], ['paged b 1']]);
    expect(findSpy).toHaveBeenCalledTimes(2);
    findSpy.mockRestore();
    const [one] = first;
    expect(one).toMatchObject({ totalCount: 3, pageInfo: { hasNextPage: true, hasPreviousPage: false } });
    const [rest] = await readPage(`first: 5, after: "${one!.pageInfo.endCursor}"`);
    expect(buildNames([rest!])).toEqual([['paged a 2', 'paged a 3']]);
    expect(rest).toMatchObject({ totalCount: 3, pageInfo: { hasNextPage: false, hasPreviousPage: true } });
    const [back] = await readPage(`last: 1, before: "${rest!.pageInfo.endCursor}"`);
    expect(buildNames([back!])).toEqual([['paged a 2']]);
  });

  it('connect records to settings in one query per list', async () => {
    const book = await team.book({ name: 'of contacts' });
    for (const name of ['ann', 'bob'])
      await team.ask('POST', `/api/v1/contactBooks/${book}/contacts`, {
        body: { email: `${name}@example.net` },
      });
    const findSpy = vi.spyOn(getPrisma({ runtime: team.runtime }).svcContactBook, 'findMany');
    const { contacts } = await readData(
      '{ contacts(where: { book: { name: { eq: "of contacts" } } }) { nodes { email book { id name contactCount } } } }',
    );
    expect(contacts.nodes).toHaveLength(2);
    for (const node of contacts.nodes)
      expect(node.book).toEqual({ id: book, name: 'of contacts', contactCount: 2 });
    expect(findSpy).toHaveBeenCalledTimes(1);
    findSpy.mockRestore();
  });

  it('return null for a record that does not exist', async () => {
    const missing = await readData(
      '{ contactBook(id: "x") { id } template(id: "x") { id } sendingDomain(id: "x") { id } webhook(id: 99999999999) { id } campaign(id: "x") { id } apiKey(id: 0) { id } webhookCall(id: 7) { id } }',
    );
    expect(new Set(Object.values(missing))).toEqual(new Set([null]));
  });
});

describe('visibility of settings', () => {
  it('hides settings and their cursors from other workspaces', async () => {
    const otherTenant = await team.tenant('elsewhere');
    const otherBooks = await listBooks({ first: 1 }, otherTenant.admin.key);
    expect(otherBooks).toMatchObject({ nodes: [], totalCount: 0 });
    const ownBooks = await listBooks({ first: 1 });
    const response = await team.graphql(LIST, { after: ownBooks.pageInfo.endCursor }, otherTenant.admin.key);
    expect(response.errors[0]!.extensions.code).toBe('BAD_REQUEST');
    const nested = await team.graphql(
      'query ($id: ID!, $after: String) { contactBook(id: $id) { campaigns(first: 1, after: $after) { nodes { id } } } }',
      { id: ownBooks.nodes[0].id, after: Buffer.from('GPC:T:["N:987","N:1"]').toString('base64') },
    );
    expect(nested.errors[0]!.extensions.code).toBe('BAD_REQUEST');
    const one = await readData(
      'query ($id: ID!) { contactBook(id: $id) { id } }',
      { id: ownBooks.nodes[0].id },
      otherTenant.admin.key,
    );
    expect(one.contactBook).toBeNull();
  });

  it('limits a domain key to its domain and the campaigns sent from it', async () => {
    const added = await readData('mutation { domainAdd(name: "second.test") { id status } }');
    expect(added.domainAdd.status).toBe('SUCCESS');
    const { keyCreate } = await readData(
      'mutation ($domainId: ID!) { keyCreate(name: "bound", team: true, domainId: $domainId) { key apiKey { domain { name } permission userId } } }',
      { domainId: added.domainAdd.id },
    );
    expect(keyCreate.apiKey).toEqual({ domain: { name: 'second.test' }, permission: 'FULL', userId: null });
    const id = await team.book({ name: 'of both' });
    for (const domain of ['second.test', team.main.domain])
      await readData('mutation ($campaign: CampaignInput!) { campaignCreate(campaign: $campaign) { id } }', {
        campaign: buildCampaign(id, { name: `by ${domain}`, from: `x@${domain}` }),
      });
    const visible = await readData(
      '{ sendingDomains { totalCount nodes { name } } campaigns { totalCount nodes { name } } domainList { name } campaignList { totalPage campaigns { name } } }',
      {},
      keyCreate.key,
    );
    expect(visible).toEqual({
      sendingDomains: { totalCount: 1, nodes: [{ name: 'second.test' }] },
      campaigns: { totalCount: 1, nodes: [{ name: 'by second.test' }] },
      domainList: [{ name: 'second.test' }],
      campaignList: { totalPage: 1, campaigns: [{ name: 'by second.test' }] },
    });
    const { sendingDomains } = await readData(
      '{ sendingDomains(where: { name: { eq: "main.test" } }) { nodes { id } } }',
    );
    const other = await readData(
      'query ($id: ID!) { sendingDomain(id: $id) { id } }',
      { id: sendingDomains.nodes[0].id },
      keyCreate.key,
    );
    expect(other.sendingDomain).toBeNull();
  });

  it('limits users to their own keys and hides administrator settings from them', async () => {
    const key = team.main.user.key;
    const { apiKeys } = await readData('{ apiKeys { totalCount nodes { id userId name } } }', {}, key);
    expect(apiKeys.nodes.map((node: { userId: string }) => node.userId)).toEqual([String(team.main.user.id)]);
    expect(apiKeys.totalCount).toBe(1);
    const all = await readData('{ apiKeys(where: { userId: { isNull: true } }) { nodes { name userId } } }');
    expect(all.apiKeys.nodes.length).toBeGreaterThan(0);
    const admins = await readData('{ apiKeys(where: { name: { eq: "admin" } }) { nodes { id } } }');
    const foreign = await readData(
      'query ($id: ID!) { apiKey(id: $id) { id } }',
      { id: admins.apiKeys.nodes[0].id },
      key,
    );
    expect(foreign.apiKey).toBeNull();
    for (const list of [
      'webhooks',
      'webhookCalls',
      'templates',
      'templateVersions',
      'contactBooks',
      'campaigns',
    ]) {
      const { errors } = await team.graphql(`{ ${list} { nodes { id } } }`, {}, key);
      expect(errors[0]!.extensions.code, list).toBe('FORBIDDEN');
    }
    for (const query of [
      '{ templates { totalCount } }',
      '{ webhooks { totalCount } }',
      '{ apiKeys { totalCount } }',
    ])
      expect((await team.graphql(query, {}, team.main.teamKey)).errors[0]!.extensions.code).toBe('FORBIDDEN');
  });

  it('applies a record rule to lists, single records, counts and relations', async () => {
    const { ctx } = team.main;
    const id = await team.book({ name: 'ruled out' });
    await readData('mutation ($campaign: CampaignInput!) { campaignCreate(campaign: $campaign) { id } }', {
      campaign: buildCampaign(id, { name: 'to the ruled out' }),
    });
    const [model] = await search(ctx, 'ir.model', [['model', '=', 'svc.contact.book']]);
    const rule = await create(ctx, 'ir.rule', [
      { name: 'not that', model_id: model, domain_force: "[('name', '!=', 'ruled out')]", perm_read: true },
    ]);
    try {
      const { totalCount, nodes } = await listBooks({ where: { name: { contains: 'ruled' } } });
      expect([totalCount, nodes]).toEqual([0, []]);
      const visible = await readData(
        'query ($id: ID!) { contactBook(id: $id) { id } campaigns(where: { name: { startsWith: "to the" } }) { nodes { name book { name } } } }',
        { id },
      );
      expect(visible.contactBook).toBeNull();
      expect(visible.campaigns.nodes).toEqual([{ name: 'to the ruled out', book: null }]);
    } finally {
      await unlink(ctx, 'ir.rule', rule);
    }
  });

  it('filters webhooks by domain', async () => {
    const { sendingDomains } = await readData('{ sendingDomains { nodes { id } } }');
    const domainIds = [sendingDomains.nodes[0].id];
    const { webhookCreate } = await readData(
      'mutation ($domainIds: [ID!]) { webhookCreate(url: "https://example.com/", domainIds: $domainIds) { id } }',
      { domainIds },
    );
    const list = 'query ($where: WebhookWhere) { webhooks(where: $where) { nodes { id } } }';
    const searchWebhooks = async (where: object) =>
      (await readData(list, { where: { domainIds: where } })).webhooks.nodes;
    expect(await searchWebhooks({ has: domainIds[0] })).toEqual([webhookCreate]);
    expect(await searchWebhooks({ hasSome: ['999', domainIds[0]] })).toEqual([webhookCreate]);
    expect(await searchWebhooks({ isEmpty: false })).toEqual([webhookCreate]);
    for (const none of ['999', 'x', '', '99999999999'])
      expect(await searchWebhooks({ has: none })).toEqual([]);
  });

  it('excludes webhook, key and domain secrets from the schema', async () => {
    for (const query of [
      '{ webhooks { nodes { secret } } }',
      '{ webhooks { nodes { oldSecret } } }',
      '{ apiKeys { nodes { hash } } }',
      '{ sendingDomains { nodes { dkimPrivate } } }',
      '{ webhooks(where: { secret: { startsWith: "a" } }) { totalCount } }',
      '{ apiKeys(orderBy: [{ field: HASH }]) { totalCount } }',
    ])
      expect((await team.graphql(query)).errors[0]!.message).toMatch(
        /Cannot query field|not defined|does not exist/,
      );
  });
});
