import { createHash } from 'node:crypto';
import { apps } from '../../../apps/index.ts';
import { createCache, memoizePerObject } from '../../../src/cache.ts';
import type { Db } from '../../../src/db/db.ts';
import { type Sql, sql } from '../../../src/db/sql.ts';
import { limitRights } from '../../../src/engine/access/maximum-rights.ts';
import {
  type Catalog,
  createEmptyCatalog,
  MAX_CATALOG_BYTES,
  OPERATIONS,
} from '../../../src/engine/ctx/catalog.ts';
import { parseRuleText, type RuleTerm } from '../../../src/engine/domain/rule-text.ts';
import type { AccessKind } from '../../../src/engine/model/access-kind.ts';
import {
  addCustomModels,
  type CustomField,
  type CustomModel,
} from '../../../src/engine/model/custom-models.ts';
import { isStoredField } from '../../../src/engine/model/field.ts';
import { listMixinFlags } from '../../../src/engine/model/mixins.ts';
import type { Registry } from '../../../src/engine/model/model.ts';
import { removeModules } from '../../../src/engine/model/remove-modules.ts';
import { limits } from '../../../src/limits.ts';

/** Catalog contents, keyed by a hash of their text. Most workspaces have no customizations, so they share an entry. */
const contents = memoizePerObject((_registry: Registry) =>
  createCache<string, CatalogContent>({
    entries: limits.identity.entries,
    weight: { max: MAX_CATALOG_BYTES, measure: ({ bytes }) => bytes },
  }),
);

/** The part of a catalog that is derived from its text. */
type CatalogContent = Omit<Catalog, 'equipped'>;

/** Estimated size in bytes of a catalog that shares its content. */
const BASE_CATALOG_BYTES = 500;

/** Estimated bytes per character of a catalog's text (measured: 4 to 6). */
const BYTES_PER_CHARACTER = 6;

/** Loads a workspace's rights, rules and custom fields in one query. */
export async function loadCatalog(db: Db, registry: Registry, workspaceId: number): Promise<Catalog> {
  const [row] = await db.rows<{ text: string; equipped: number | null }>(
    getCatalogStatement(registry)({ workspace: workspaceId }),
  );
  // A deleted workspace needs no provisioning.
  const provisionedVersion = row!.equipped ?? Number.POSITIVE_INFINITY;
  const cache = contents(registry);
  const key = createHash('sha256').update(row!.text).digest('base64');
  const unchangedContent = cache.get(key);
  if (unchangedContent) return { ...unchangedContent, provisionedVersion, bytes: BASE_CATALOG_BYTES };
  const content = parseContent(registry, row!.text);
  cache.set(key, content);
  return { ...content, provisionedVersion };
}

function parseContent(registry: Registry, text: string): CatalogContent {
  const { installed, rights, rules, models, fields, groups, languages, companies, definitions, filled } =
    JSON.parse(text) as CatalogRow;
  const none = createEmptyCatalog(addCustomModels(buildAppRegistry(registry, installed), models, fields));
  return {
    ...none,
    bytes: BASE_CATALOG_BYTES + text.length * BYTES_PER_CHARACTER,
    rights: groupByModel(rights, ({ id, name, model, group, ...flags }) => ({
      id,
      name,
      group,
      operations: limitRights(none.registry.get(model), group, getGrantedAccess(flags)),
    })),
    rules: groupByModel(rules, (rule) => ({
      id: rule.id,
      name: rule.name ?? '',
      groups: rule.groups,
      operations: getGrantedAccess(rule),
      text: parseStoredRule(rule.domain || '[]'),
    })),
    groupNames: new Map(groups.map((g) => [g.id, g.privilege ? `${g.privilege}/${g.name}` : g.name])),
    languages: new Map([...none.languages, ...languages.map(({ code, name }) => [code, name] as const)]),
    weekStarts: new Map(languages.map(({ code, week }) => [code, Number(week)])),
    urlCodes: new Map(languages.map(({ code, url }) => [code, url])),
    companies: new Set(companies),
    definitions: new Set(definitions),
    unfilled: new Set(getLazyModelNames(registry).filter((name) => !filled.includes(name))),
  };
}

export const buildAppRegistry = (registry: Registry, installedNames: readonly string[]): Registry =>
  removeModules(
    registry,
    apps.flatMap(({ name }) => (installedNames.includes(name) ? [] : name)),
  );

/** Names of models whose reference rows are created on first use. */
const getLazyModelNames = memoizePerObject((registry: Registry): string[] =>
  [...registry.values()].filter(({ options }) => options.firstUse).map(({ name }) => name),
);

interface AccessFlags {
  perm_read: boolean;
  perm_write: boolean;
  perm_create: boolean;
  perm_unlink: boolean;
}

/** Shared, because there are only sixteen combinations. */
const accessSets = createCache<string, ReadonlySet<AccessKind>>({ entries: 16 });

function getGrantedAccess(flags: AccessFlags): ReadonlySet<AccessKind> {
  const operations = OPERATIONS.filter((operation) => flags[`perm_${operation}`]);
  return accessSets.getOrCreate(operations.join(), () => new Set(operations));
}

interface CatalogRow {
  installed: string[];
  rights: (AccessFlags & { id: number; name: string; model: string; group: string | null })[];
  rules: (AccessFlags & {
    id: number;
    name: string | null;
    model: string;
    groups: string[];
    domain: string | null;
  })[];
  models: CustomModel[];
  fields: CustomField[];
  groups: { id: string; name: string; privilege: string | null }[];
  languages: { code: string; name: string; url: string; week: string }[];
  companies: number[];
  definitions: string[];
  filled: string[];
}

type WorkspaceParam = { workspace: unknown };

const selectModels = ({ workspace }: WorkspaceParam): Sql => sql`(
  select id, model from ir_model_stock union all select id, model from ir_model where workspace_id = ${workspace})`;

const selectRights = ({ workspace }: WorkspaceParam): Sql => sql`
  select a.id, a.name, m.model, coalesce(g.external_id, 'group.' || g.id) as group,
    perm_read, perm_write, perm_create, perm_unlink
  from ir_model_access a join ${selectModels({ workspace })} m on m.id = a.model_id
  left join res_groups g on g.workspace_id = ${workspace} and g.id = a.group_id
  where a.workspace_id = ${workspace} and a.active order by a.id`;

const selectRules = ({ workspace }: WorkspaceParam): Sql => sql`
  select r.id, r.name, m.model, r.domain_force as domain, perm_read, perm_write, perm_create, perm_unlink,
    array(select coalesce(g.external_id, 'group.' || g.id) from rule_group_rel l
      join res_groups g on g.workspace_id = ${workspace} and g.id = l.group_id
      where l.workspace_id = ${workspace} and l.rule_group_id = r.id order by l.group_id) as groups
  from ir_rule r join ${selectModels({ workspace })} m on m.id = r.model_id
  where r.workspace_id = ${workspace} and r.active order by r.id`;

const buildMixinNames = (): Sql => {
  const names = listMixinFlags().map(
    ({ flag, mixin }) => sql`case when ${sql.id(flag)} then ${sql.literal(mixin)} end`,
  );
  return sql`array_remove(array[${sql.join(names)}], null)`;
};

const selectCustomModels = ({ workspace }: WorkspaceParam): Sql => sql`
  select id, model, name, "order", ${buildMixinNames()} as mixins from ir_model
    where workspace_id = ${workspace} order by id`;

const selectCustomFields = ({ workspace }: WorkspaceParam): Sql => sql`
  select f.*, (select json_agg(json_build_array(s.value, s.name) order by s.sequence, s.id)
    from ir_model_fields_selection s where s.workspace_id = ${workspace} and s.field_id = f.id) as options,
    array(select s.value from ir_model_fields_selection s
      where s.workspace_id = ${workspace} and s.field_id = f.id order by s.id) as option_values,
    array(select coalesce(g.external_id, 'group.' || l.id) from unnest(f.group_ids) l(id)
      left join res_groups g on g.workspace_id = ${workspace} and g.id = l.id) as groups
  from ir_model_fields f where f.workspace_id = ${workspace} order by f.id`;

const selectGroups = ({ workspace }: WorkspaceParam): Sql => sql`
  select coalesce(g.external_id, 'group.' || g.id) as id, g.name, p.name as privilege from res_groups g
  left join res_groups_privilege p on p.workspace_id = ${workspace} and p.id = g.privilege_id
  where g.workspace_id = ${workspace} order by g.id`;

const selectLanguages = ({ workspace }: WorkspaceParam): Sql => sql`
  select code, name, url_code as url, week_start as week from res_lang
  where workspace_id = ${workspace} and active order by name, code`;

const toJsonList = (query: Sql): Sql => sql`(select coalesce(json_agg(x), '[]') from (${query}) x)`;

/** Selects the properties-definition fields, as `model.field`, that have a value in any record. */
function selectDefinedFields(registry: Registry, { workspace }: WorkspaceParam): Sql {
  const fields = [...registry.values()].flatMap((model) =>
    [...model.fields.values()]
      .filter((field) => field.type === 'properties_definition' && isStoredField(field))
      .map((field) => ({ model, field })),
  );
  const names = fields.map(
    ({ model, field }) => sql`case when exists (select 1 from ${sql.id(model.table)}
      where workspace_id = ${workspace} and ${sql.id(field.name)} <> '[]')
      then ${sql.literal(`${model.name}.${field.name}`)} end`,
  );
  return sql`array_remove(array[${sql.join(names)}]::text[], null)`;
}

const getCatalogStatement = memoizePerObject((registry: Registry) =>
  sql.prepare<{ workspace: number }>(
    (p) => sql`select json_build_object(
    'installed', array(select name from ir_module_module where workspace_id = ${p.workspace}
      and state = 'installed' order by name),
    'rights', ${toJsonList(selectRights(p))},
    'rules', ${toJsonList(selectRules(p))},
    'models', ${toJsonList(selectCustomModels(p))},
    'fields', ${toJsonList(selectCustomFields(p))},
    'groups', ${toJsonList(selectGroups(p))},
    'languages', ${toJsonList(selectLanguages(p))},
    'companies', array(select id from res_company where workspace_id = ${p.workspace} order by id),
    'definitions', ${selectDefinedFields(registry, p)},
    'filled', coalesce((select filled from workspace where id = ${p.workspace}), '{}'))::text as text,
  (select equipped from workspace where id = ${p.workspace}) as equipped`,
  ),
);

/** A domain that cannot be parsed matches no records. */
function parseStoredRule(domain: string): RuleTerm {
  try {
    return parseRuleText(domain);
  } catch {
    return parseRuleText('[(0, "=", 1)]');
  }
}

const groupByModel = <R extends { model: string }, T>(rows: R[], make: (row: R) => T): Map<string, T[]> =>
  new Map(
    [...Map.groupBy(rows, (row) => row.model)].map(([model, modelRows]) => [model, modelRows.map(make)]),
  );
