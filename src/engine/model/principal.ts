import { createCache, memoizePerObject } from '../../cache.ts';

/** Maximum cached copies of a principal, such as copies with fewer companies. */
const MAX_DERIVED_PRINCIPALS = 32;

export type Channel = 'rest' | 'json' | 'rpc' | 'mcp' | 'graphql' | 'web' | 'smtp' | 'job';

/** A user, or a workspace that is authenticated by a team key. */
export interface Principal {
  kind: 'user' | 'workspace';
  userId: number | null;
  login: string;
  name: string;
  /** External ids of the groups, including implied ones. */
  groups: ReadonlySet<string>;
  companyId: number | null;
  companyIds: number[];
  partnerId: number | null;
  lang: string;
  tz: string;
  keyId: number | null;
  /** Hash of the session token. Null if there is no session. */
  session: string | null;
  /** Null means all scopes. Scopes only restrict access. */
  scopes: readonly string[] | null;
  /** Sending domain that a team key is limited to. */
  domainId: number | null;
  /** The agent that acts for the user. Null if the user or a team key acts directly. */
  agent: Agent | null;
  /** Restrictions of a key that is valid only for MCP. Null for other keys. */
  agentKey: AgentKey | null;
  /** Tool groups that the connection exposes. Undefined means all. */
  toolGroups?: ReadonlySet<string>;
}

export const hasToolGroup = ({ agentKey, toolGroups }: Principal, group: string): boolean =>
  (toolGroups?.has(group) ?? true) && (agentKey?.groups?.includes(group) ?? true);

const derivedPrincipals = memoizePerObject((_principal: Principal) =>
  createCache<string, Principal>({ entries: MAX_DERIVED_PRINCIPALS }),
);

/**
 * Returns a copy of the principal with changes. `key` identifies the changes: requests with the same key share a copy,
 * because record rules and statements are cached per principal object.
 */
export const derivePrincipal = (principal: Principal, key: string, changes: Partial<Principal>): Principal =>
  derivedPrincipals(principal).getOrCreate(key, () => ({ ...principal, ...changes }));

export interface AgentKey {
  /** Null means all. */
  groups: readonly string[] | null;
}

/** A program that acts for a user, authorized by OAuth consent or by one of the user's keys. */
export interface Agent {
  kind: 'oauth' | 'key';
  id: number;
  /** Name stated by the program, or name of the key. */
  clientName: string;
}

/**
 * A caller without a principal. A guest is created only by the protocol that verified how the caller was admitted, so a
 * request cannot forge one.
 */
export type Guest =
  /** A caller who knows the workspace's name. */
  | { kind: 'ANYONE' }
  /** The sender of a signed message. The operation verifies the signature. */
  | { kind: 'SIGNED' }
  | LinkGuest;

/** The visitor of a link that the workspace signed. The visitor may act only on the link's subject. */
export interface LinkGuest {
  kind: 'LINK';
  /** Kind of link. An operation accepts only one kind. */
  link: string;
  subject: string;
}

/**
 * Range of periods that become groups even without records. `from` and `to` are days (`YYYY-MM-DD`) and default to the
 * range of the existing groups. The range contains at least `minGroups` periods.
 */
export interface FillTemporal {
  from: string | null;
  to: string | null;
  minGroups: number;
}

export type DecimalMark = '.' | ',';

/** Order of day and month in dates such as `31/12/2026`. */
export type DayOrder = 'DMY' | 'MDY';

/** How the numbers and dates of an imported table are written. Unset parts accept only unambiguous formats. */
export interface CellFormat {
  decimalSeparator?: DecimalMark | null | undefined;
  dateOrder?: DayOrder | null | undefined;
}

/** Options of a call: the `context` of classic RPC (see call-context.ts). */
export interface CallContext {
  /** Excludes archived records unless the call requests them. */
  activeTest: boolean;
  lang: string | null;
  tz: string | null;
  defaults: Readonly<Record<string, unknown>>;
  /** Fields whose size is returned instead of their content. `*` means all. */
  sizes: ReadonlySet<string>;
  fillTemporal?: FillTemporal;
  /** Adds empty groups for records that a board always shows. */
  expandGroups?: boolean;
  displayNameKeys?: readonly string[];
  /** Expected versions of the records that the call updates, in the order of their ids. */
  expectedVersion?: readonly number[];
  cellFormat?: CellFormat;
  /** Fields that a form preview computes anew, even if their stored values were set by hand. */
  recomputedFields?: ReadonlySet<string>;
  /** Password that confirms a sensitive call by a caller who authenticated with a key. */
  password?: string;
}

export const createWorkspacePrincipal = (slug: string, name: string): Principal => ({
  kind: 'workspace',
  userId: null,
  login: slug,
  name,
  groups: new Set(),
  companyId: null,
  companyIds: [],
  partnerId: null,
  lang: 'en_US',
  tz: 'UTC',
  keyId: null,
  session: null,
  scopes: null,
  domainId: null,
  agentKey: null,
  agent: null,
});
