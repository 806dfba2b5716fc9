import { MCP_INSTRUCTIONS } from '../protocol/server-info.ts';
import type { ResourceKind } from './resource.ts';

const GUIDE = {
  uri: 'guide://instructions',
  name: 'instructions',
  title: 'How to use this server',
  description: 'Guide for agents to read before calling tools.',
  mimeType: 'text/markdown',
};

/** The server instructions as a resource, for clients that ignore the instructions in the handshake. */
export const guideResources: ResourceKind = {
  list: () => [GUIDE],
  read: async (_ctx, uri) =>
    uri === GUIDE.uri ? [{ uri, mimeType: GUIDE.mimeType, text: MCP_INSTRUCTIONS }] : null,
};
