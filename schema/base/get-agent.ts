import type { Principal } from '../../src/engine/model/principal.ts';

/** Identity of an agent in a workspace: the key or the OAuth sign-in that it uses. */
export const getAgent = ({ agent }: Principal): { kind: 'key' | 'oauth'; ref: string } | null =>
  agent && { kind: agent.kind, ref: String(agent.id) };
