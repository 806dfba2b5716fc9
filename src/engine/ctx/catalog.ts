import { createLoadingCache } from '../../cache.ts';
import type { Db } from '../../db/db.ts';
import type { Database } from '../../db/pool.ts';
import { errors } from '../../errors.ts';
import { limits } from '../../limits.ts';
import type { RuleTerm } from '../domain/rule-text.ts';
import type { AccessKind } from '../model/access-kind.ts';
import type { Registry } from '../model/model.ts';

/** Maximum time that rights and rules stay cached if an invalidation is lost. */
export const CATALOG_TTL_MS = 300_000;
/** Maximum estimated memory of all cached catalogs. Parts shared by workspaces count once. */
export const MAX_CATALOG_BYTES = 128 * 1024 * 1024;

/** Operations that a group (null: everyone) may perform on a model. */
export interface ModelRight {
  id: number;
  name: string;
  group: string | null;
  operations: ReadonlySet<AccessKind>;
}

/** A record rule. Without groups, it applies to everyone. */
export interface RecordRule {
  id: number;
  name: string;
  groups: string[];
  operations: ReadonlySet<AccessKind>;
  text: RuleTerm;
}

/** A workspace's models, fields, rights and rules. Immutable: a change creates a new catalog. */
export interface Catalog {
  registry: Registry;
  rights: ReadonlyMap<string, ModelRight[]>;
  rules: ReadonlyMap<string, RecordRule[]>;
  /** Full group names, including the privilege, by external id. */
  groupNames: ReadonlyMap<string, string>;
  languages: ReadonlyMap<string, string>;
  /** First days of the week of active languages by language code. 1 is Monday, 7 is Sunday. */
  weekStarts: ReadonlyMap<string, number>;
  /** URL codes of active languages by language code. */
  urlCodes: ReadonlyMap<string, string>;
  companies: ReadonlySet<number>;
  /** Property definition fields, such as `crm.team.lead_properties_definition`, that are set on at least one record. */
  definitions: ReadonlySet<string>;
  /** Models whose reference rows the workspace does not have yet (see first-use.ts). */
  unfilled: ReadonlySet<string>;
  /** Version of the code's models for which the workspace was provisioned with rights and initial records. */
  provisionedVersion: number;
  /** Estimated memory in bytes, excluding parts shared with other catalogs. */
  bytes: number;
}

/** Upgrades workspaces to the models of the running code, before their first request. */
export interface Provisioning {
  version: number;
  /** Provisions a workspace unless another process has just done so. */
  provision(workspaceId: number): Promise<void>;
}

export interface CatalogCache {
  /** Set once, before the first request. */
  provisioning: Provisioning | null;
  /** Catalog without rights, for anonymous callers and for workspaces that do not exist yet. */
  none: Catalog;
  get(workspaceId: number): Promise<Catalog>;
  setEnabled(isOn: boolean): void;
  invalidate(workspaceId?: number): void;
}

export type CatalogLoader = (db: Db, registry: Registry, workspaceId: number) => Promise<Catalog>;

export function createCatalogCache(db: Database, registry: Registry, load: CatalogLoader): CatalogCache {
  const catalogs = createLoadingCache<number, Catalog>({
    entries: limits.identity.entries,
    age: CATALOG_TTL_MS,
    weight: { max: MAX_CATALOG_BYTES, measure: ({ bytes }) => bytes },
  });
  async function loadProvisionedCatalog(workspaceId: number): Promise<Catalog> {
    const catalog = await load(db, registry, workspaceId);
    const { provisioning: equipment } = result;
    if (!equipment || catalog.provisionedVersion >= equipment.version) return catalog;
    await equipment.provision(workspaceId);
    return load(db, registry, workspaceId);
  }

  const loadEntry = async (workspaceId: number) => ({ value: await loadProvisionedCatalog(workspaceId) });
  const result: CatalogCache = {
    provisioning: null,
    none: createEmptyCatalog(registry),
    get: async (workspaceId) => (await catalogs.get(workspaceId, () => loadEntry(workspaceId)))!,
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
  weekStarts: new Map(),
  urlCodes: new Map(),
  companies: new Set(),
  definitions: new Set(),
  unfilled: new Set(),
  provisionedVersion: 0,
  bytes: 0,
});

export const OPERATIONS: readonly AccessKind[] = ['read', 'write', 'create', 'unlink'];
const OPERATIONS_BY_LETTER: Record<string, AccessKind> = { c: 'create', r: 'read', w: 'write', u: 'unlink' };

export const parseOperationLetters = (letters: string): Set<AccessKind> =>
  new Set([...letters].map((letter) => OPERATIONS_BY_LETTER[letter]!));

/** @throws USER_ERROR if the language is not active in the workspace */
export function assertLanguage(catalog: Catalog, code: string): void {
  if (!catalog.languages.has(code)) throw errors.user(`Invalid language code: ${code.slice(0, 40)}`);
}
