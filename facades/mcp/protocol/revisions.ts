// The revisions of the protocol and the names that belong to them. Contract, "Versioning".

/** No handshake: every request says its revision in `params._meta`. */
export const MODERN = '2026-07-28';

/** Opened by `initialize`; the first is what a client gets that asks for another one. */
export const LEGACY = ['2025-06-18', '2025-03-26', '2024-11-05'] as const;

export const REVISIONS: readonly string[] = [MODERN, ...LEGACY];

export type Revision = typeof MODERN | (typeof LEGACY)[number];

export const isLegacyRevision = (text: unknown): text is (typeof LEGACY)[number] =>
  (LEGACY as readonly unknown[]).includes(text);

/** Whether clients of the revision know titles, output schemas and structured content. */
export const knowsStructure = (revision: Revision): boolean => revision === MODERN || revision === LEGACY[0];

/** Keys of `_meta` that the modern revision reserves. */
export const META = {
  revision: 'io.modelcontextprotocol/protocolVersion',
  clientCapabilities: 'io.modelcontextprotocol/clientCapabilities',
  clientInfo: 'io.modelcontextprotocol/clientInfo',
  serverInfo: 'io.modelcontextprotocol/serverInfo',
} as const;
