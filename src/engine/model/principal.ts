/** The door a call came through. */
export type Channel = 'rest' | 'json' | 'rpc' | 'mcp' | 'graphql' | 'web' | 'smtp' | 'job';

/** Who calls: a user, or a workspace itself (a team key). */
export interface Principal {
  kind: 'user' | 'workspace';
  userId: number | null;
  login: string;
  name: string;
  /** External ids of the groups, implied ones included. */
  groups: ReadonlySet<string>;
  companyId: number | null;
  companyIds: number[];
  partnerId: number | null;
  lang: string;
  tz: string;
  keyId: number | null;
  /** Hash of the token of the session that the call came with; null for one without. */
  session: string | null;
  /** null: no narrowing. A scope only narrows; it never grants. */
  scopes: readonly string[] | null;
  /** The sending domain a team's key is bound to. */
  domainId: number | null;
  /** The program that calls for the user; null for the person, and for the workspace itself. */
  agent: Agent | null;
  /** What a key is for that opens the MCP server alone; null for any other. */
  agentKey: AgentKey | null;
  /** Groups of tools that the connection opens; all when absent. */
  opens?: ReadonlySet<string>;
}

/** A key that is bound for agents. */
export interface AgentKey {
  /** Groups of tools that it opens; null for all. */
  groups: readonly string[] | null;
}

/** A program that acts for a user: it has signed in with the user's consent, or holds a key of the user. */
export interface Agent {
  kind: 'oauth' | 'key';
  /** Of the connected agent, or of the key. */
  id: number;
  /** The name the program gives itself, or that of the key. */
  clientName: string;
}

/**
 * A caller without a principal, by what admits it. Only a door that has seen that makes one, so no document and no
 * argument of a call can pretend to be a guest.
 */
export type Guest =
  /** Knows the name of the workspace. */
  | { kind: 'ANYONE' }
  /** Posts a message that proves its sender; the verb checks the proof. */
  | { kind: 'SIGNED' }
  | LinkGuest;

/** Follows a link that the workspace has signed, and may act on its subject alone. */
export interface LinkGuest {
  kind: 'LINK';
  /** The kind of link: one of another kind does not do. */
  link: string;
  subject: string;
}

/** How a caller wants its call understood: the `context` of classic RPC (see call-context.ts). */
/** At least the periods between two days (`YYYY-MM-DD`, else those that there are), and at least so many. */
export interface FillTemporal {
  from: string | null;
  to: string | null;
  minGroups: number;
}

export interface CallContext {
  /** Archived records are left out unless they are asked for. */
  activeTest: boolean;
  lang: string | null;
  tz: string | null;
  /** Fields of new records start with these values. */
  defaults: Readonly<Record<string, unknown>>;
  /** Fields whose content is shown as its size; `*` stands for all. */
  sizes: ReadonlySet<string>;
  /** Groups of periods without records, too. */
  fillTemporal?: FillTemporal;
  /** Groups of records that a board shows even when they are empty. */
  expandGroups?: boolean;
  /** Context keys that add to display names, such as `show_address`. */
  named?: readonly string[];
  /** What a caller who has signed in with a key says to prove more. */
  password?: string;
}

/** A workspace itself, as its keys act for it: none of its users. */
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
