import type { Principal } from '../../src/engine/model/principal.ts';

/** What a workspace knows a program by: the key or the sign-in that it calls with. */
export const getAgent = ({ agent }: Principal): { kind: 'key' | 'oauth'; ref: string } | null =>
  agent && { kind: agent.kind, ref: String(agent.id) };
