import { stringifyMembers } from '../../../src/json.ts';
import { allowsResource, countRead } from '../agent/allows-resource.ts';
import { type McpMessage, rejectCursor } from '../protocol/message.ts';
import { MODERN_REVISION } from '../protocol/revisions.ts';
import { rpcErrors } from '../protocol/rpc-error.ts';
import type { McpResult } from '../result.ts';
import type { Session } from '../session.ts';
import type { ResourceKind } from './resource.ts';

export async function listResources(session: Session, message: McpMessage): Promise<McpResult> {
  rejectCursor(message);
  await countRead(session, message);
  const resources = getAllowedKinds(session).flatMap((kind) => kind.list(session.ctx));
  return { members: stringifyMembers({ resources }), cacheable: true };
}

export async function listTemplates(session: Session, message: McpMessage): Promise<McpResult> {
  rejectCursor(message);
  await countRead(session, message);
  const resourceTemplates = getAllowedKinds(session).flatMap(({ template }) => template ?? []);
  return { members: stringifyMembers({ resourceTemplates }), cacheable: true };
}

/** Handles `resources/read`. @throws RpcError for an unknown URI, with the code of the client's revision */
export async function readResource(session: Session, message: McpMessage): Promise<McpResult> {
  const { ctx, revision } = session;
  const { uri } = message.params;
  if (typeof uri !== 'string') throw rpcErrors.invalidParams('uri must be a string');
  await countRead(session, message);
  for (const kind of getAllowedKinds(session)) {
    const contents = await kind.read(ctx, uri);
    if (contents) return { members: stringifyMembers({ contents }), cacheable: true };
  }
  throw rpcErrors.unknownResource(uri.slice(0, 200), revision === MODERN_REVISION);
}

const getAllowedKinds = (session: Session): ResourceKind[] =>
  session.registry.resources.filter((kind) => allowsResource(session, kind));
