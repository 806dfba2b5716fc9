import { type Sql, sql } from '../../../src/db/sql.ts';
import { assertRowsAllowed } from '../../../src/engine/access/row-access.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { planByKey } from '../../../src/engine/ctx/query-by-key.ts';
import type { Values } from '../../../src/engine/model/model.ts';
import { formatInstant } from '../../../src/engine/value/instant.ts';

// Contacts share values with their parents and children (Odoo 19). Contacts of type `contact` share their parent's
// address, and contacts that are not companies share their commercial entity's commercial fields. Writing one of these
// contacts updates the others. Empty addresses and commercial fields are not shared.

export const ADDRESS_FIELDS = ['street', 'street2', 'zip', 'city', 'state_id', 'country_id'];
/** Fields that are copied from a contact to its commercial entity. */
const ENTITY_SHARED_FIELDS = ['vat'];
export const COMMERCIAL_FIELDS = [...ENTITY_SHARED_FIELDS, 'company_registry', 'industry_id'];

const buildColumnListSql = (row: string, names: string[]): Sql =>
  sql.join(names.map((name) => sql.id(row, name)));
const isAnySet = (row: string, names: string[]): Sql =>
  sql`(${sql.join(
    names.map((name) => sql`nullif(${sql.id(row, name)}::text, '') is not null`),
    ' or ',
  )})`;
const differs = (a: string, b: string, names: string[]): Sql =>
  sql`(${buildColumnListSql(a, names)}) is distinct from (${buildColumnListSql(b, names)})`;

/** Updates the log fields and the version, so that clients see the change. */
const buildCopySql = (ctx: Ctx, row: string, from: string, names: string[]): Sql =>
  sql.join([
    ...names.map((name) => sql`${sql.id(name)} = ${sql.id(from, name)}`),
    sql`write_date = ${formatInstant(Date.now())}::timestamp, write_uid = ${ctx.principal?.userId ?? null},
      row_version = ${sql.id(row, 'row_version')} + 1`,
  ]);

const sharesAddress = (row: string): Sql =>
  sql`(${sql.id(row, 'parent_id')} is not null and coalesce(${sql.id(row, 'type')}, 'contact') = 'contact')`;

/** Inherits shared values from the parents of new contacts, or passes them on to parents that have none. */
export async function shareNewContacts(ctx: Ctx, ids: number[], list: Values[]): Promise<void> {
  const childIds = ids.filter((_, index) => list[index]?.parent_id);
  if (childIds.length === 0) return;
  await planByKey(ctx, async () => {
    await copyAddressesFromParents(ctx, childIds);
    await copyFromCommercialEntities(ctx, childIds);
    await copyToRelatedContacts(ctx, childIds, [...ADDRESS_FIELDS, ...ENTITY_SHARED_FIELDS]);
  });
}

export async function shareChangedValues(ctx: Ctx, ids: number[], values: Values): Promise<void> {
  const names = Object.keys(values);
  const isMoved =
    values.parent_id !== undefined || values.type !== undefined || values.is_company !== undefined;
  const sharedNames = names.filter(
    (name) => ADDRESS_FIELDS.includes(name) || COMMERCIAL_FIELDS.includes(name),
  );
  const fieldsOfParent = isMoved ? [...ADDRESS_FIELDS, ...ENTITY_SHARED_FIELDS] : [];
  const fieldsOfCompany = values.is_company ? COMMERCIAL_FIELDS : [];
  const changedFields = [...new Set([...sharedNames, ...fieldsOfParent, ...fieldsOfCompany])];
  if (!isMoved && changedFields.length === 0) return;
  await planByKey(ctx, async () => {
    if (isMoved) {
      await copyAddressesFromParents(ctx, ids);
      await copyFromCommercialEntities(ctx, await findMembersBelow(ctx, ids));
    }
    if (changedFields.length > 0) await copyToRelatedContacts(ctx, ids, changedFields);
  });
}

async function copyAddressesFromParents(ctx: Ctx, ids: number[]): Promise<void> {
  const { id } = ctx.workspace;
  await ctx.db.rows(
    sql`update res_partner r set ${buildCopySql(ctx, 'r', 'a', ADDRESS_FIELDS)} from res_partner a
     where r.workspace_id = ${id} and r.id = any(${ids}) and a.workspace_id = ${id} and a.id = r.parent_id
       and ${sharesAddress('r')} and ${isAnySet('a', ADDRESS_FIELDS)} and ${differs('r', 'a', ADDRESS_FIELDS)}`,
  );
}

/** Returns the contacts that are not companies, and the contacts below them with the same commercial entity. */
async function findMembersBelow(ctx: Ctx, ids: number[]): Promise<number[]> {
  const { id } = ctx.workspace;
  const members = await ctx.db.rows<{ id: number }>(
    sql`with recursive member(id) as (
       select p.id from res_partner p where p.workspace_id = ${id} and p.id = any(${ids}) and not p.is_company
       union
       select c.id from member cross join lateral (select p.id from res_partner p
         where p.workspace_id = ${id} and p.parent_id = member.id and not p.is_company offset 0) c
     ) select id from member`,
  );
  return members.map((member) => member.id);
}

async function copyFromCommercialEntities(ctx: Ctx, ids: number[]): Promise<void> {
  const { id } = ctx.workspace;
  await ctx.db.rows(
    sql`update res_partner r set ${buildCopySql(ctx, 'r', 'e', COMMERCIAL_FIELDS)} from res_partner e
     where r.workspace_id = ${id} and r.id = any(${ids}) and e.workspace_id = ${id}
       and e.id = r.commercial_partner_id and e.id <> r.id
       and ${isAnySet('e', COMMERCIAL_FIELDS)} and ${differs('r', 'e', COMMERCIAL_FIELDS)}`,
  );
}

/** Copies written values to related contacts. @param names names of the written fields */
async function copyToRelatedContacts(ctx: Ctx, ids: number[], names: string[]): Promise<void> {
  if (names.some((name) => ADDRESS_FIELDS.includes(name))) {
    const aboveIds = await copyAddressToParents(ctx, ids);
    await copyAddressToChildren(ctx, [...new Set([...ids, ...aboveIds])]);
  }
  const commercial = names.filter((name) => COMMERCIAL_FIELDS.includes(name));
  if (commercial.length === 0) return;
  const entities = names.some((name) => ENTITY_SHARED_FIELDS.includes(name))
    ? await copyToCommercialEntities(ctx, ids)
    : [];
  await copyToEntityMembers(ctx, [...new Set([...ids, ...entities])], commercial);
}

/** Copies addresses to parents. @returns the ids of the parents whose address changed */
async function copyAddressToParents(ctx: Ctx, ids: number[]): Promise<number[]> {
  const { id } = ctx.workspace;
  const changedIds = new Set<number>();
  for (let level = ids; level.length > 0; ) {
    const givers = await ctx.db.rows<{ giver: number; above: number }>(
      sql`select distinct on (a.id) a.id as above, r.id as giver from res_partner r
       join res_partner a on a.workspace_id = ${id} and a.id = r.parent_id
       where r.workspace_id = ${id} and r.id = any(${level}) and ${sharesAddress('r')}
         and ${isAnySet('r', ADDRESS_FIELDS)} and ${differs('r', 'a', ADDRESS_FIELDS)} order by a.id, r.id`,
    );
    const parentIds = givers.map((giver) => giver.above).filter((item) => !changedIds.has(item));
    await checkWritable(ctx, parentIds);
    await ctx.db.rows(
      sql`update res_partner a set ${buildCopySql(ctx, 'a', 'r', ADDRESS_FIELDS)}
       from unnest(${givers.map(({ giver }) => giver)}::int[]) g(id)
       join res_partner r on r.workspace_id = ${id} and r.id = g.id
       where a.workspace_id = ${id} and a.id = r.parent_id and a.id = any(${parentIds})`,
    );
    for (const item of parentIds) changedIds.add(item);
    level = parentIds;
  }
  return [...changedIds];
}

async function checkWritable(ctx: Ctx, ids: number[]): Promise<void> {
  if (ids.length > 0) await assertRowsAllowed(ctx, ctx.catalog.registry.get('res.partner')!, ids, 'write');
}

async function copyAddressToChildren(ctx: Ctx, ids: number[]): Promise<void> {
  const { id } = ctx.workspace;
  await ctx.db.rows(
    sql`with recursive tree(id, path, ${sql.join(ADDRESS_FIELDS.map((name) => sql.id(name)))}) as (
       select p.id, array[p.id], ${buildColumnListSql('p', ADDRESS_FIELDS)} from res_partner p
         where p.workspace_id = ${id} and p.id = any(${ids}) and ${isAnySet('p', ADDRESS_FIELDS)}
       union all
       select c.id, tree.path || c.id, ${buildColumnListSql('tree', ADDRESS_FIELDS)}
       from tree cross join lateral (select p.id from res_partner p
         where p.workspace_id = ${id} and p.parent_id = tree.id and ${sharesAddress('p')}
           and p.id <> all(tree.path) offset 0) c
     ), longest as (
       select distinct on (id) * from tree order by id, cardinality(path) desc
     ) update res_partner r set ${buildCopySql(ctx, 'r', 'x', ADDRESS_FIELDS)} from longest x
     where r.workspace_id = ${id} and r.id = x.id and r.id = any(array(select id from longest))
       and ${differs('r', 'x', ADDRESS_FIELDS)}`,
  );
}

/** Copies values to commercial entities. @returns the ids of the entities that received a value */
async function copyToCommercialEntities(ctx: Ctx, ids: number[]): Promise<number[]> {
  const { id } = ctx.workspace;
  const givers = await ctx.db.rows<{ giver: number; entity: number }>(
    sql`select distinct on (e.id) e.id as entity, r.id as giver from res_partner r
     join res_partner e on e.workspace_id = ${id} and e.id = r.commercial_partner_id
     where r.workspace_id = ${id} and r.id = any(${ids}) and e.id <> r.id
       and ${isAnySet('r', ENTITY_SHARED_FIELDS)} and ${differs('r', 'e', ENTITY_SHARED_FIELDS)} order by e.id, r.id`,
  );
  const entities = givers.map(({ entity }) => entity);
  await checkWritable(ctx, entities);
  if (entities.length > 0)
    await ctx.db.rows(
      sql`update res_partner e set ${buildCopySql(ctx, 'e', 'r', ENTITY_SHARED_FIELDS)}
       from unnest(${givers.map(({ giver }) => giver)}::int[]) g(id)
       join res_partner r on r.workspace_id = ${id} and r.id = g.id
       where e.workspace_id = ${id} and e.id = r.commercial_partner_id`,
    );
  return entities;
}

async function copyToEntityMembers(ctx: Ctx, ids: number[], names: string[]): Promise<void> {
  const { id } = ctx.workspace;
  await ctx.db.rows(
    sql`update res_partner r set ${buildCopySql(ctx, 'r', 'e', names)} from res_partner e
     where r.workspace_id = ${id} and r.commercial_partner_id = any(${ids}) and e.workspace_id = ${id}
       and e.id = r.commercial_partner_id and e.id <> r.id and ${differs('r', 'e', names)}`,
  );
}
