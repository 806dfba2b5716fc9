import { describe, expect, it } from 'vitest';
import { loadCountryStates } from '../../schema/base/partners/country-states.ts';
import { sql } from '../../src/db/sql.ts';
import { setUpApp } from '../harness/app.ts';
import { postGraphql } from '../harness/facades/graphql.ts';
import { createJsonClient, type JsonClient } from '../harness/facades/json2.ts';
import type { Tenant } from '../harness/tenant.ts';

const app = setUpApp();

let count = 0;
const createTenant = (): Promise<Tenant> => app.tenant(`born${count++}`);

async function countStates(tenant: Tenant): Promise<number> {
  const { id } = (await app.runtime.identity.workspace(tenant.slug))!;
  return app.runtime.db.value<number>(
    sql`select count(*)::int from res_country_state where workspace_id = ${id}`,
  );
}

const CALIFORNIA = [
  ['code', '=', 'CA'],
  ['country_id.code', '=', 'US'],
];

/** Calls that query a new workspace for California and return its name. */
const facades: [string, (calls: JsonClient, tenant: Tenant) => Promise<unknown>][] = [
  [
    'search_read',
    async (calls) =>
      (await calls.value('res.country.state/search_read', { domain: CALIFORNIA, fields: ['name'] }))[0].name,
  ],
  [
    'name_search',
    async (calls) =>
      (await calls.value('res.country.state/name_search', { name: 'Califor', domain: CALIFORNIA }))[0][1],
  ],
  [
    'the list of its country',
    async (calls) => {
      const [us] = await calls.value('res.country/search_read', {
        domain: [['code', '=', 'US']],
        fields: ['state_ids'],
      });
      const rows = await calls.value('res.country.state/read', {
        ids: us.state_ids,
        fields: ['name', 'code'],
      });
      return rows.find((row: { code: string }) => row.code === 'CA').name;
    },
  ],
  [
    'a condition on a country',
    async (calls) => {
      const domain = [['state_ids.name', '=', 'California']];
      const [us] = await calls.value('res.country/search_read', { domain, fields: ['code'] });
      return us.code === 'US' && 'California';
    },
  ],
  [
    'an external id',
    async (calls) => {
      const [model, id] = await calls.value('ir.model.data/check_object_reference', {
        module: 'base',
        xml_id: 'state_us_5',
      });
      return (await calls.row(model, id, ['name'])).name;
    },
  ],
  [
    'an imported contact',
    async (calls) => {
      const { ids } = await calls.value('res.partner/load', {
        fields: ['name', 'state_id/id'],
        data: [['Ann', 'base.state_us_5']],
      });
      const { state_id: state } = await calls.row('res.partner', ids[0], ['state_id']);
      return state[1];
    },
  ],
  [
    'a group',
    async (calls) => {
      const groups = await calls.value('res.country.state/formatted_read_group', {
        domain: CALIFORNIA,
        groupby: ['name'],
        aggregates: ['__count'],
      });
      return groups[0].name;
    },
  ],
  [
    'GraphQL',
    async (_calls, { admin }) => {
      const { data } = await postGraphql(
        app,
        '{ resCountryStates(where: { code: { eq: "CA" }, name: { eq: "California" } }) { nodes { name } } }',
        { key: admin.key },
      );
      return data.resCountryStates.nodes[0].name;
    },
  ],
];

describe('country states', () => {
  it('are not created in a new workspace or by reading and writing contacts', async () => {
    const tenant = await createTenant();
    const calls = createJsonClient(app, tenant.admin.key);
    const id = await calls.create('res.partner', { name: 'Ann', country_id: false });
    await calls.value('res.partner/read', { ids: [id] });
    await calls.value('res.country/fields_get', {});
    expect(await countStates(tenant)).toBe(0);
  });

  it.each(facades)('are created once, on first use by %s', async (_name, california) => {
    const tenant = await createTenant();
    const calls = createJsonClient(app, tenant.admin.key);
    expect(await california(calls, tenant)).toBe('California');
    const all = await countStates(tenant);
    expect(all).toBe((await loadCountryStates()).length);
    await california(calls, tenant);
    expect(await countStates(tenant)).toBe(all);
  });

  it('are created once under concurrency, and are visible to every request', async () => {
    const tenant = await createTenant();
    const calls = createJsonClient(app, tenant.admin.key);
    const all = (await loadCountryStates()).length;
    const counts = Array.from({ length: 8 }, () =>
      calls.value('res.country.state/search_count', { domain: [] }),
    );
    expect(await Promise.all(counts)).toEqual(Array.from({ length: 8 }, () => all));
  });

  it('are not created again after deletion', async () => {
    const tenant = await createTenant();
    const calls = createJsonClient(app, tenant.admin.key);
    const [state] = await calls.value('res.country.state/search', { domain: CALIFORNIA });
    await calls.value('res.country.state/unlink', { ids: [state] });
    expect(await calls.value('res.country.state/search', { domain: CALIFORNIA })).toEqual([]);
  });

  it('are exported with their external ids', async () => {
    const calls = createJsonClient(app);
    const [state] = await calls.value('res.country.state/search', { domain: CALIFORNIA });
    const { datas } = await calls.value('res.country.state/export_data', {
      ids: [state],
      fields_to_export: ['id', 'country_id/id'],
    });
    expect(datas).toEqual([['base.state_us_5', 'base.us']]);
  });
});
