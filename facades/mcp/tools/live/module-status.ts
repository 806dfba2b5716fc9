import { call } from '../../../../src/engine/operation/call.ts';
import { defineTool, READ_ANNOTATIONS, toToolResult } from '../../tool.ts';
import { hasRole, NEEDED_ROLE } from '../../tool-roles.ts';
import { inputSchema, outputSchema } from '../kit.ts';
import { MODULE_ARGUMENT } from './module-argument.ts';

export const moduleStatusTool = defineTool<{ module: string }>({
  name: 'module_status',
  title: 'App status',
  description: 'Returns name, author, version, state, dependencies and possible changes of an app.',
  inputSchema: inputSchema({ module: MODULE_ARGUMENT }, ['module']),
  outputSchema: outputSchema(),
  annotations: READ_ANNOTATIONS,
  scope: 'read',
  effects: ['reads'],
  group: 'live',
  method: null,
  isOurs: true,
  run: async ({ ctx, args }) => {
    const { installedVersion, version, changes, removal, ...status } = await call(ctx, 'moduleStatus', {
      name: args.module,
    });
    const mayChange = hasRole(ctx.principal!, 'administrator');
    const members = {
      ...status,
      version,
      installed_version: installedVersion,
      may_be_changed: mayChange && changes.length > 0,
      changes: mayChange ? changes : [],
      reason: mayChange ? (changes.length > 0 ? null : NOTHING) : `This needs ${NEEDED_ROLE.administrator}.`,
      ...(removal && {
        removal: { rows: removal.rows, deleted: removal.deleted, started_at: removal.startedAt },
      }),
    };
    return toToolResult(members, 1);
  },
});

const NOTHING =
  'It is a part of the platform, is being removed, or the operator has not enabled what would be done.';
