import { call } from '../../../../src/engine/verb/call.ts';
import { defineTool, READS, toolAnswer } from '../../tool.ts';
import { answers, takes } from '../kit.ts';
import { MODULE, NO_APPS } from '../later.ts';

export const moduleStatusTool = defineTool<{ module: string }>({
  name: 'module_status',
  title: 'App status',
  description: 'Facts of one app: name, author, version, state, dependencies, whether it may be changed.',
  inputSchema: takes({ module: MODULE }, ['module']),
  outputSchema: answers(),
  annotations: READS,
  scope: 'read',
  group: 'live',
  method: null,
  run: async ({ ctx, args }) => {
    const { installedVersion, ...status } = await call(ctx, 'moduleStatus', { name: args.module });
    const changing = { may_be_changed: false, reason: NO_APPS };
    return toolAnswer({ ...status, installed_version: installedVersion, ...changing }, 1);
  },
});
