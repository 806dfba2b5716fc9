import type { AppError } from '../../../src/errors.ts';
import { findNearest } from '../../../src/find-nearest.ts';
import { MCP_REVISIONS } from './revisions.ts';

export type MessageId = string | number | null;

/** A protocol error. Errors within a tool are tool results instead. */
export class RpcError extends Error {
  readonly code: number;
  /** HTTP status of the response to a single message. The status for a batch is always 200. */
  readonly status: number;
  readonly data: unknown;
  readonly id: MessageId;
  constructor(code: number, status: number, message: string, extra: { data?: unknown; id?: MessageId } = {}) {
    super(message);
    this.code = code;
    this.status = status;
    this.data = extra.data;
    this.id = extra.id ?? null;
  }
}

/** Codes and statuses from JSON-RPC 2.0 and the error table of revision 2026-07-28. */
export const rpcErrors = {
  parse: (reason: string) => new RpcError(-32700, 400, `Parse error: ${reason}`),
  invalidRequest: (reason: string, id: MessageId = null) =>
    new RpcError(-32600, 400, `Invalid request: ${reason}`, { id }),
  /** JSON above the nesting limit results in status 400 instead of 422, like any other invalid message. */
  refusedBody: ({ message, status }: AppError) =>
    new RpcError(-32600, status === 422 ? 400 : status, `Invalid request: ${message}`),
  busy: (message: string) => new RpcError(-32603, 503, message),
  refused: (message: string) => new RpcError(-32602, 200, message),
  missingMeta: (key: string) => new RpcError(-32602, 400, `Invalid params: _meta requires ${key}`),
  headerMismatch: (header: string, reason: string) =>
    new RpcError(-32020, 400, `Header mismatch: ${header} header ${reason}`),
  unsupportedRevision: (requested: string) =>
    new RpcError(-32022, 400, `Unsupported protocol version: ${requested}`, {
      data: { supported: MCP_REVISIONS, requested },
    }),
  /** @param status 404 for a modern client, 200 for a legacy one */
  unknownMethod: (method: string, status: 200 | 404) =>
    new RpcError(-32601, status, `Method not found: ${method}`),
  unknownTool: (name: string, tools: readonly { name: string }[]) => {
    const suggestion = findNearest(
      name,
      tools.map((tool) => tool.name),
      Math.ceil(name.length / 3),
    );
    const guess = suggestion ? `. Did you mean ${suggestion}?` : '';
    return new RpcError(-32602, 200, `Invalid params: unknown tool ${JSON.stringify(name)}${guess}`);
  },
  /** @param isModern false for legacy revisions, which use a separate code */
  unknownResource: (uri: string, isModern: boolean) =>
    new RpcError(isModern ? -32602 : -32002, 200, `Resource not found: ${uri}`, { data: { uri } }),
  invalidParams: (reason: string) => new RpcError(-32602, 200, `Invalid params: ${reason}`),
  internal: (reference: string) =>
    new RpcError(-32603, 200, `Something went wrong on our side. Reference: ${reference}`),
};
