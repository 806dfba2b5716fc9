import type { Principal } from '../../src/engine/model/principal.ts';

/** Identifies an agent by its key or its OAuth consent. */
export const getAgent = ({ agent }: Principal): { kind: 'key' | 'oauth'; ref: string } | null =>
  agent && { kind: agent.kind, ref: String(agent.id) };
