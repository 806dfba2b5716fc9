/** Protocol of a call. */
export type Channel = 'rest' | 'json' | 'rpc' | 'mcp' | 'graphql' | 'web' | 'smtp' | 'job';

/** The caller: a user, or a workspace itself (a team key). */
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
  /** Hash of the session token. Null without a session. */
  session: string | null;
  /** Null for all scopes. A scope only restricts; it never grants access. */
  scopes: readonly string[] | null;
  /** Sending domain that a team key is limited to. */
  domainId: number | null;
  /** The agent that calls for the user. Null for the user in person and for the workspace itself. */
  agent: Agent | null;
  /** Restrictions of a key that is valid only for the MCP server. Null for other keys. */
  agentKey: AgentKey | null;
  /** Tool groups that the connection exposes. All groups if undefined. */
  toolGroups?: ReadonlySet<string>;
}

/** Returns true if the tool groups of an agent include the group. */
export const hasToolGroup = ({ agentKey, toolGroups }: Principal, group: string): boolean =>
  (toolGroups?.has(group) ?? true) && (agentKey?.groups?.includes(group) ?? true);

export interface AgentKey {
  /** Tool groups of the key. Null for all. */
  groups: readonly string[] | null;
}

/** A program that acts for a user, with the user's OAuth consent or with a key of the user. */
export interface Agent {
  kind: 'oauth' | 'key';
  /** Id of the connected agent, or of the key. */
  id: number;
  /** Name stated by the program, or name of the key. */
  clientName: string;
}

/**
 * A caller without a principal, by the kind of admission. Only the protocol that has verified the admission creates a
 * guest, so no document or argument can fake one.
 */
export type Guest =
  /** Knows the name of the workspace. */
  | { kind: 'ANYONE' }
  /** Sends a message with proof of the sender, which the operation verifies. */
  | { kind: 'SIGNED' }
  | LinkGuest;

/** Visitor of a link signed by the workspace. May act only on its subject. */
export interface LinkGuest {
  kind: 'LINK';
  /** Kind of link. Operations accept only links of their kind. */
  link: string;
  subject: string;
}

/**
 * Minimum range of periods between two days (`YYYY-MM-DD`, defaulting to the existing groups), and minimum number of
 * groups.
 */
export interface FillTemporal {
  from: string | null;
  to: string | null;
  minGroups: number;
}

/** Options of a call: the `context` of classic RPC (see call-context.ts). */
export interface CallContext {
  /** Excludes archived records unless the call requests them. */
  activeTest: boolean;
  lang: string | null;
  tz: string | null;
  /** Default values for the fields of new records. */
  defaults: Readonly<Record<string, unknown>>;
  /** Fields whose content is returned as its size. `*` means all. */
  sizes: ReadonlySet<string>;
  /** Adds groups for periods without records. */
  fillTemporal?: FillTemporal;
  /** Adds empty groups for records that a board always shows. */
  expandGroups?: boolean;
  /** Context keys that extend display names, such as `show_address`. */
  displayNameKeys?: readonly string[];
  /** Password that confirms a sensitive call of a caller who authenticated with a key. */
  password?: string;
}

/** The principal of a workspace itself, used for its keys. */
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
