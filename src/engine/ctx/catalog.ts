import { createLoadingCache } from '../../cache.ts';
import type { Db } from '../../db/db.ts';
import type { Database } from '../../db/pool.ts';
import { errors } from '../../errors.ts';
import { limits } from '../../limits.ts';
import type { RuleText } from '../domain/rule-text.ts';
import type { Operation, Registry } from '../model/model.ts';

/** A right of a workspace: what members of a group (null: everybody) may do with a model. */
export interface ModelRight {
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

/**
 * What a workspace has made of the product: its models and fields, rights and rules. A value; a change makes a new one.
 */
export interface Catalog {
  registry: Registry;
  rights: ReadonlyMap<string, ModelRight[]>;
  rules: ReadonlyMap<string, RecordRule[]>;
  /** Names of groups, with their privilege, by identifier. */
  groupNames: ReadonlyMap<string, string>;
  /** Names of the languages in use, by code. */
  languages: ReadonlyMap<string, string>;
  /** What stands for them in addresses, by code. */
  urlCodes: ReadonlyMap<string, string>;
  /** Ids of all companies. */
  companies: ReadonlySet<number>;
  /** Fields such as `crm.team.lead_properties_definition` of which some record has definitions. */
  definitions: ReadonlySet<string>;
  /** Models whose reference rows it gets when it first asks for them (see first-use.ts). */
  unfilled: ReadonlySet<string>;
  /** The version of the code's models up to which the workspace has their rights and first records. */
  equipped: number;
  /** Bytes of memory that it alone takes, by estimate. */
  bytes: number;
}

/** What workspaces need of this process's code: one that has less gets the rest before anybody works in it. */
export interface Provisioning {
  version: number;
  /** Gives it what it lacks. Does nothing when another process has just done so. */
  provision(workspaceId: number): Promise<void>;
}

export interface CatalogCache {
  /** Set once, before the first request. */
  provisioning: Provisioning | null;
  /** For a workspace that does not exist yet, or an anonymous caller: no rights at all. */
  none: Catalog;
  get(workspaceId: number): Promise<Catalog>;
  /** Nothing is kept while it is off. */
  setEnabled(on: boolean): void;
  /** Without a workspace: all. */
  invalidate(workspaceId?: number): void;
}

/** Reads the catalog of a workspace from the database. */
export type LoadCatalog = (db: Db, registry: Registry, workspaceId: number) => Promise<Catalog>;

/** Reads catalogs, each once, until `forget`, until it is old or until there are too many. */
export function createCatalogCache(db: Database, registry: Registry, load: LoadCatalog): CatalogCache {
  const catalogs = createLoadingCache<number, Catalog>({
    entries: limits.identity.entries,
    age: limits.identity.catalogAge,
    weight: { most: limits.identity.catalogBytes, of: ({ bytes }) => bytes },
  });
  async function current(workspaceId: number): Promise<Catalog> {
    const catalog = await load(db, registry, workspaceId);
    const { provisioning: equipment } = result;
    if (!equipment || catalog.equipped >= equipment.version) return catalog;
    await equipment.provision(workspaceId);
    return load(db, registry, workspaceId);
  }

  const loaded = async (workspaceId: number) => ({
    value: await current(workspaceId),
    expires: Number.POSITIVE_INFINITY,
  });
  const result: CatalogCache = {
    provisioning: null,
    none: createEmptyCatalog(registry),
    get: async (workspaceId) => (await catalogs.get(workspaceId, () => loaded(workspaceId)))!,
    setEnabled: catalogs.setEnabled,
    invalidate: (workspaceId) => catalogs.invalidate(workspaceId ? (_, id) => id === workspaceId : undefined),
  };
  return result;
}

const ENGLISH: [string, string] = ['en_US', 'English (US)'];

export const createEmptyCatalog = (registry: Registry): Catalog => ({
  registry,
  rights: new Map(),
  rules: new Map(),
  groupNames: new Map(),
  languages: new Map([ENGLISH]),
  urlCodes: new Map(),
  companies: new Set(),
  definitions: new Set(),
  unfilled: new Set(),
  equipped: 0,
  bytes: 0,
});

export const OPERATIONS: readonly Operation[] = ['read', 'write', 'create', 'unlink'];
const OPERATIONS_BY_LETTER: Record<string, Operation> = { c: 'create', r: 'read', w: 'write', u: 'unlink' };

/** `crw` as a set of operations. */
export const parseOperationLetters = (letters: string): Set<Operation> =>
  new Set([...letters].map((letter) => OPERATIONS_BY_LETTER[letter]!));

/** @throws USER_ERROR for a language the workspace does not use */
export function assertLanguage(catalog: Catalog, code: string): void {
  if (!catalog.languages.has(code)) throw errors.user(`Invalid language code: ${code.slice(0, 40)}`);
}
