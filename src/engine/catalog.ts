import type { Database } from '../db/pool.ts';
import { errors } from '../errors.ts';
import { limits } from '../limits.ts';
import type { Ctx } from './ctx.ts';
import { type CustomField, type CustomModel, withCustom } from './custom.ts';
import type { Operation, Registry } from './model.ts';
import { parseRuleText, type RuleText } from './rule-text.ts';

/** A right of a workspace: what members of a group (null: everybody) may do with a model. */
export interface Right {
  id: number;
  name: string;
  group: string | null;
  operations: ReadonlySet<Operation>;
}

/** A record rule of a workspace. Without groups it binds everybody. */
export interface RecordRule {
  id: number;
  name: string;
  groups: string[];
  operations: ReadonlySet<Operation>;
  text: RuleText;
}

/** What a workspace has made of the product: its models and fields, rights and rules. A value; a change makes a new one. */
export interface Catalog {
  registry: Registry;
  rights: ReadonlyMap<string, Right[]>;
  rules: ReadonlyMap<string, RecordRule[]>;
  /** Names of groups, with their privilege, by identifier. */
  groupNames: ReadonlyMap<string, string>;
  /** Names of the languages in use, by code. */
  languages: ReadonlyMap<string, string>;
  /** Ids of all companies. */
  companies: ReadonlySet<number>;
}

export interface Catalogs {
  /** Of a workspace that does not exist yet, or of nobody: no rights at all. */
  none: Catalog;
  of(workspaceId: number): Promise<Catalog>;
  /** Nothing is kept while it is off. */
  keep(on: boolean): void;
  /** Without a workspace: all. */
  forget(workspaceId?: number): void;
}

/** Tells every process that rights, rules, models or fields of the ctx's workspace have changed: this one at once. */
export function catalogChanged(ctx: Ctx): void {
  ctx.afterCommit(() => ctx.runtime.identity.forget(ctx.workspace.id));
}

/** Reads catalogs, each once, until `forget` or until there are too many: then the oldest goes. */
export function createCatalogs(db: Database, registry: Registry): Catalogs {
  const kept = new Map<number, Promise<Catalog>>();
  let keeping = false;
  return {
    none: emptyCatalog(registry),
    of(workspaceId) {
      if (!keeping) return load(db, registry, workspaceId);
      let catalog = kept.get(workspaceId);
      if (!catalog) {
        catalog = load(db, registry, workspaceId);
        catalog.catch(() => kept.delete(workspaceId));
        if (kept.size >= limits.identityEntries) kept.delete(kept.keys().next().value!);
        kept.set(workspaceId, catalog);
      }
      return catalog;
    },
    keep(on) {
      keeping = on;
      kept.clear();
    },
    forget: (workspaceId) => {
      if (workspaceId) kept.delete(workspaceId);
      else kept.clear();
    },
  };
}

const ENGLISH: [string, string] = ['en_US', 'English (US)'];

export const emptyCatalog = (registry: Registry): Catalog => ({
  registry,
  rights: new Map(),
  rules: new Map(),
  groupNames: new Map(),
  languages: new Map([ENGLISH]),
  companies: new Set(),
});

/** A catalog with the rights and rules that the code gives a new workspace. */
export function initialCatalog(registry: Registry): Catalog {
  const rights = new Map<string, Right[]>();
  const rules = new Map<string, RecordRule[]>();
  for (const model of registry.values()) {
    rights.set(
      model.name,
      Object.entries(model.options.access).map(([group, letters]) => ({
        id: 0,
        name: model.name,
        group,
        operations: operationsOf(letters),
      })),
    );
    rules.set(
      model.name,
      (model.options.rules ?? []).map((rule) => ({
        id: 0,
        name: rule.name,
        groups: rule.group ? [rule.group] : [],
        operations: new Set(rule.operations ?? OPERATIONS),
        text: parseRuleText(rule.domain),
      })),
    );
  }
  return { ...emptyCatalog(registry), rights, rules };
}

export const OPERATIONS: readonly Operation[] = ['read', 'write', 'create', 'unlink'];
const LETTERS: Record<string, Operation> = { c: 'create', r: 'read', w: 'write', u: 'unlink' };

/** `crw` as a set of operations. */
export const operationsOf = (letters: string): Set<Operation> =>
  new Set([...letters].map((letter) => LETTERS[letter]!));

interface Flags {
  perm_read: boolean;
  perm_write: boolean;
  perm_create: boolean;
  perm_unlink: boolean;
}

const granted = (flags: Flags): Set<Operation> =>
  new Set(OPERATIONS.filter((operation) => flags[`perm_${operation}`]));

interface Row {
  rights: (Flags & { id: number; name: string; model: string; group: string | null })[];
  rules: (Flags & {
    id: number;
    name: string | null;
    model: string;
    groups: string[];
    domain: string | null;
  })[];
  models: CustomModel[];
  fields: CustomField[];
  groups: { id: string; name: string; privilege: string | null }[];
  languages: { code: string; name: string }[];
  companies: number[];
}

const MODELS = `(select id, model from ir_model_stock union all select id, model from ir_model where workspace_id = $1)`;
const list = (query: string): string => `(select coalesce(json_agg(x), '[]') from (${query}) x)`;

const CATALOG = `select
  ${list(`select a.id, a.name, m.model, coalesce(g.external_id, 'group.' || g.id) as group, perm_read, perm_write, perm_create, perm_unlink
    from ir_model_access a join ${MODELS} m on m.id = a.model_id left join res_groups g on g.workspace_id = $1 and g.id = a.group_id
    where a.workspace_id = $1 and a.active order by a.id`)} as rights,
  ${list(`select r.id, r.name, m.model, r.domain_force as domain, perm_read, perm_write, perm_create, perm_unlink,
      array(select coalesce(g.external_id, 'group.' || g.id) from rule_group_rel l join res_groups g on g.workspace_id = $1 and g.id = l.group_id
        where l.workspace_id = $1 and l.rule_group_id = r.id) as groups
    from ir_rule r join ${MODELS} m on m.id = r.model_id where r.workspace_id = $1 and r.active order by r.id`)} as rules,
  ${list(`select id, model, name, "order", is_mail_thread, is_mail_activity from ir_model where workspace_id = $1 order by id`)} as models,
  ${list(`select f.*, (select json_agg(json_build_array(s.value, s.name) order by s.sequence, s.id) from ir_model_fields_selection s
      where s.workspace_id = $1 and s.field_id = f.id) as options
    from ir_model_fields f where f.workspace_id = $1 order by f.id`)} as fields,
  ${list(`select coalesce(g.external_id, 'group.' || g.id) as id, g.name, p.name as privilege from res_groups g
    left join res_groups_privilege p on p.workspace_id = $1 and p.id = g.privilege_id where g.workspace_id = $1`)} as groups,
  ${list('select code, name from res_lang where workspace_id = $1 and active order by name, code')} as languages,
  array(select id from res_company where workspace_id = $1) as companies`;

async function load(db: Database, registry: Registry, workspaceId: number): Promise<Catalog> {
  const [row] = await db.rows<Row>(CATALOG, [workspaceId]);
  const { rights, rules, models, fields, groups, languages, companies } = row!;
  return {
    registry: withCustom(registry, models, fields),
    rights: grouped(rights, ({ id, name, group, ...flags }) => ({
      id,
      name,
      group,
      operations: granted(flags),
    })),
    rules: grouped(rules, (rule) => ({
      id: rule.id,
      name: rule.name ?? '',
      groups: rule.groups,
      operations: granted(rule),
      text: readable(rule.domain || '[]'),
    })),
    groupNames: new Map(groups.map((g) => [g.id, g.privilege ? `${g.privilege}/${g.name}` : g.name])),
    languages: new Map([ENGLISH, ...languages.map((each): [string, string] => [each.code, each.name])]),
    companies: new Set(companies),
  };
}

/** A text that was stored and cannot be read lets nothing through. */
function readable(domain: string): RuleText {
  try {
    return parseRuleText(domain);
  } catch {
    return parseRuleText('[(0, "=", 1)]');
  }
}

function grouped<R extends { model: string }, T>(rows: R[], make: (row: R) => T): Map<string, T[]> {
  const result = new Map<string, T[]>();
  for (const row of rows) {
    const kept = result.get(row.model) ?? [];
    kept.push(make(row));
    result.set(row.model, kept);
  }
  return result;
}

/** @throws USER_ERROR for a language the workspace does not use */
export function checkLanguage(catalog: Catalog, code: string): void {
  if (!catalog.languages.has(code)) throw errors.user(`Invalid language code: ${code.slice(0, 40)}`);
}
