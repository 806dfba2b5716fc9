import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { type ExecutionArgs, execute, type FieldNode, getOperationAST, Kind } from 'graphql';
import type { Ctx } from '../../src/engine/ctx/ctx.ts';
import type { Runtime } from '../../src/engine/ctx/runtime.ts';
import { getHub } from '../../src/engine/live/live.ts';
import type { LiveChange } from '../../src/engine/live/topic.ts';
import type { Policy } from '../../src/engine/model/policy.ts';
import type { Principal } from '../../src/engine/model/principal.ts';
import { collectFragments } from '../../src/engine/operation/fragments.ts';
import { evaluatePolicy } from '../../src/engine/operation/policy.ts';
import { errors } from '../../src/errors.ts';
import { shapeErrors } from './errors.ts';
import { buildNextFrame, COMPLETE_FRAME } from './frames.ts';
import type { LiveRequest } from './run.ts';
import { createSocketSubscriber } from './socket-subscriber.ts';

interface StreamSource {
  runtime: Runtime;
  ctx: Ctx;
  /** Authenticates the caller again. @throws AppError */
  recognize(): Promise<Ctx>;
  out: ServerResponse;
  headers: Record<string, string>;
}

/** Starts a subscription on the connection. @throws AppError before anything is sent */
export async function openStream(
  { runtime, ctx, recognize, out, headers }: StreamSource,
  live: LiveRequest,
): Promise<Response> {
  if (!out.socket) throw createPipelinedError();
  const { args, source } = live;
  const policy = getPolicy(args);
  const principal = ctx.principal!;
  const reauthenticate = async () => {
    const now = await recognize();
    const error = evaluatePolicy(policy, now);
    if (error) throw error;
    if (buildIdentityKey(now.principal!) !== buildIdentityKey(principal)) throw errors.noCredential();
    return now;
  };
  const subscriber = createSocketSubscriber(
    out,
    reauthenticate,
    (error) => buildNextFrame(shapeErrors(ctx, { errors: [error as never] })) + COMPLETE_FRAME,
  );
  let isClosed = false;
  out.once('close', () => {
    isClosed = true;
  });
  const membership = await getHub(runtime).join({
    workspaceId: ctx.workspace.id,
    caller: buildOwnerKey(principal),
    key: buildStreamKey(ctx, args),
    source,
    render: (inner, changes) => render(args, inner, changes),
    subscriber,
  });
  out.once('close', membership.leave);
  if (isClosed) membership.leave();
  else subscriber.open(headers, membership.resync);
  return RESPONSE_ALREADY_SENT;
}

/** A pipelined response has no socket to write to until the previous responses of its connection have been sent. */
const createPipelinedError = () =>
  errors.badRequest(
    'A subscription cannot follow a request that is still running on the same connection. Send it after the ' +
      'response, or on its own connection.',
  );

/** Executes the operation for all changes concurrently, so that their related records are loaded in one statement. */
async function render(args: ExecutionArgs, ctx: Ctx, changes: LiveChange[]): Promise<Buffer> {
  const frames = changes.map(async (change) => {
    const result = await execute({ ...args, rootValue: change, contextValue: ctx });
    return buildNextFrame(shapeErrors(ctx, result), change.cursor);
  });
  return Buffer.from((await Promise.all(frames)).join(''));
}

function getRootNode({ document, operationName }: ExecutionArgs): FieldNode {
  const fragments = collectFragments(document);
  let [node] = getOperationAST(document, operationName)!.selectionSet.selections;
  while (node!.kind !== Kind.FIELD) {
    const { selectionSet } = node!.kind === Kind.FRAGMENT_SPREAD ? fragments[node!.name.value]! : node!;
    [node] = selectionSet.selections;
  }
  return node as FieldNode;
}

const getPolicy = (args: ExecutionArgs): Policy =>
  args.schema.getSubscriptionType()!.getFields()[getRootNode(args).name.value]!.extensions.policy as Policy;

const buildIdentityKey = (principal: Principal): string =>
  JSON.stringify([buildOwnerKey(principal), principal.scopes, principal.domainId]);

const buildOwnerKey = ({ userId, keyId }: Principal): string =>
  userId === null ? `key ${keyId}` : `user ${userId}`;

/**
 * Builds a key that subscriptions to the same operation with the same rights share, regardless of their starting
 * points.
 */
function buildStreamKey({ workspace, principal, context }: Ctx, args: ExecutionArgs): string {
  const { document, operationName, variableValues } = args;
  const cursor = getAfterArgument(args);
  const otherVariables = Object.entries(variableValues ?? {}).filter(([name]) => name !== cursor);
  const parts = [
    workspace.id,
    buildIdentityKey(principal!),
    context.lang,
    context.tz,
    operationName,
    otherVariables,
  ];
  return createHash('sha256')
    .update(JSON.stringify(parts))
    .update(document.loc!.source.body)
    .digest('base64');
}

/** Returns the name of the variable passed as `after`, or null. */
function getAfterArgument(args: ExecutionArgs): string | null {
  const afterValue = getRootNode(args).arguments?.find((arg) => arg.name.value === 'after')?.value;
  return afterValue?.kind === Kind.VARIABLE ? afterValue.name.value : null;
}
