import { createLoadingCache } from '../../cache.ts';
import type { Db } from '../../db/db.ts';
import type { Database } from '../../db/pool.ts';
import { errors } from '../../errors.ts';
import { limits } from '../../limits.ts';
import type { RuleText } from '../domain/rule-text.ts';
import type { AccessKind, Registry } from '../model/model.ts';

/** Maximum milliseconds that a workspace's rights and rules stay cached if an invalidation is lost. */
export const CATALOG_TTL_MS = 300_000;
/** Maximum estimated bytes of all cached catalogs. Parts shared by workspaces count once. */
export const MAX_CATALOG_BYTES = 128 * 1024 * 1024;

/** An access right of a workspace: the operations that a group (null: everybody) may perform on a model. */
export interface ModelRight {
  id: number;
  name: string;
  group: string | null;
  operations: ReadonlySet<AccessKind>;
}

/** A record rule of a workspace. Without groups it applies to everybody. */
export interface RecordRule {
  id: number;
  name: string;
  groups: string[];
  operations: ReadonlySet<AccessKind>;
  text: RuleText;
}

/** Configuration of a workspace: its models and fields, rights and rules. Immutable; a change creates a new catalog. */
export interface Catalog {
  registry: Registry;
  rights: ReadonlyMap<string, ModelRight[]>;
  rules: ReadonlyMap<string, RecordRule[]>;
  /** Group names, including their privilege, by identifier. */
  groupNames: ReadonlyMap<string, string>;
  /** Names of active languages by code. */
  languages: ReadonlyMap<string, string>;
  /** URL codes of active languages by language code. */
  urlCodes: ReadonlyMap<string, string>;
  /** Ids of all companies. */
  companies: ReadonlySet<number>;
  /** Property definition fields, such as `crm.team.lead_properties_definition`, that are set on at least one record. */
  definitions: ReadonlySet<string>;
  /** Models whose reference rows are added to the workspace on first use (see first-use.ts). */
  unfilled: ReadonlySet<string>;
  /** Version of the models in code for which the workspace has been provisioned with rights and initial records. */
  provisionedVersion: number;
  /** Estimated bytes of memory that are not shared with other catalogs. */
  bytes: number;
}

/**
 * Provisions workspaces for this process's code. A workspace of an older version is upgraded before its first request.
 */
export interface Provisioning {
  version: number;
  /** Provisions a workspace. Does nothing if another process has just done so. */
  provision(workspaceId: number): Promise<void>;
}

export interface CatalogCache {
  /** Set once, before the first request. */
  provisioning: Provisioning | null;
  /** Catalog without rights, for a workspace that does not exist yet or an anonymous caller. */
  none: Catalog;
  get(workspaceId: number): Promise<Catalog>;
  /** Turns caching on or off. */
  setEnabled(isOn: boolean): void;
  /** Invalidates a workspace, or all of them. */
  invalidate(workspaceId?: number): void;
}

export type LoadCatalog = (db: Db, registry: Registry, workspaceId: number) => Promise<Catalog>;

/** Caches catalogs until they are invalidated, expire or exceed the limits of the cache. */
export function createCatalogCache(db: Database, registry: Registry, load: LoadCatalog): CatalogCache {
  const catalogs = createLoadingCache<number, Catalog>({
    entries: limits.identity.entries,
    age: CATALOG_TTL_MS,
    weight: { max: MAX_CATALOG_BYTES, measure: ({ bytes }) => bytes },
  });
  async function current(workspaceId: number): Promise<Catalog> {
    const catalog = await load(db, registry, workspaceId);
    const { provisioning: equipment } = result;
    if (!equipment || catalog.provisionedVersion >= equipment.version) return catalog;
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
  provisionedVersion: 0,
  bytes: 0,
});

export const OPERATIONS: readonly AccessKind[] = ['read', 'write', 'create', 'unlink'];
const OPERATIONS_BY_LETTER: Record<string, AccessKind> = { c: 'create', r: 'read', w: 'write', u: 'unlink' };

/** Parses letters such as `crw` into a set of operations. */
export const parseOperationLetters = (letters: string): Set<AccessKind> =>
  new Set([...letters].map((letter) => OPERATIONS_BY_LETTER[letter]!));

/** @throws USER_ERROR for a language that is not active in the workspace */
export function assertLanguage(catalog: Catalog, code: string): void {
  if (!catalog.languages.has(code)) throw errors.user(`Invalid language code: ${code.slice(0, 40)}`);
}
