import type { Ctx } from '../../src/engine/ctx/ctx.ts';
import type { CallLog } from '../../src/engine/operation/call-log.ts';
import type { ToolFilter } from './agent/tool-filter.ts';
import type { Notifier } from './protocol/message.ts';
import type { Revision } from './protocol/revisions.ts';
import type { McpRegistry } from './registry.ts';

/** State of a method call. `ctx` masks values with secret names as `***`. */
export interface Session {
  ctx: Ctx;
  log: CallLog;
  registry: McpRegistry;
  revision: Revision;
  narrowing: ToolFilter;
  notify: Notifier;
  userAgent: string | null;
}
