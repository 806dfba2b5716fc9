// Protocol revisions and their reserved names (contract, "Versioning").

/** The revision without a handshake: every request declares its revision in `params._meta`. */
export const MODERN_REVISION = '2026-07-28';

/** Revisions negotiated with `initialize`. A client that requests an unsupported revision is offered the first one. */
export const LEGACY_REVISIONS = ['2025-06-18', '2025-03-26', '2024-11-05'] as const;

export const MCP_REVISIONS: readonly string[] = [MODERN_REVISION, ...LEGACY_REVISIONS];

export type Revision = typeof MODERN_REVISION | (typeof LEGACY_REVISIONS)[number];

export const isLegacyRevision = (text: unknown): text is (typeof LEGACY_REVISIONS)[number] =>
  (LEGACY_REVISIONS as readonly unknown[]).includes(text);

export const supportsStructuredContent = (revision: Revision): boolean =>
  revision === MODERN_REVISION || revision === LEGACY_REVISIONS[0];

export const META_KEYS = {
  revision: 'io.modelcontextprotocol/protocolVersion',
  clientCapabilities: 'io.modelcontextprotocol/clientCapabilities',
  clientInfo: 'io.modelcontextprotocol/clientInfo',
  serverInfo: 'io.modelcontextprotocol/serverInfo',
} as const;
