import type { Ctx } from '../../../../src/engine/ctx/ctx.ts';
import { call } from '../../../../src/engine/operation/call.ts';
import { inputSchema } from '../../input-schema.ts';
import { defineTool, type ToolResult, toToolResult } from '../../tool.ts';
import { hasRole, ROLE_DESCRIPTIONS } from '../../tool-roles.ts';
import { LIVE_READING_TOOL } from '../kit.ts';
import { MODULE_ARGUMENT } from './module-argument.ts';

export const moduleStatusTool = defineTool({
  name: 'module_status',
  title: 'App status',
  description:
    "Returns an app's name, author, version, state, dependencies and possible changes. Without module, " +
    'lists all apps, including those not installed.',
  inputSchema: inputSchema({ module: MODULE_ARGUMENT }),
  ...LIVE_READING_TOOL,
  run: ({ ctx, args: { module } }) => (module === undefined ? listApps(ctx) : describeModule(ctx, module)),
});

const canChangeModules = (ctx: Ctx): boolean => hasRole(ctx.principal!, 'administrator');

async function listApps(ctx: Ctx): Promise<ToolResult> {
  const apps = await call(ctx, 'apps', {});
  const rows = apps.map(({ name, label, summary, state, changes }) => ({
    ...{ name, shortdesc: label, summary, state },
    changes: canChangeModules(ctx) ? changes : [],
  }));
  return toToolResult({ apps: rows }, rows.length);
}

async function describeModule(ctx: Ctx, name: string): Promise<ToolResult> {
  const { installedVersion, version, changes, removal, ...status } = await call(ctx, 'moduleStatus', {
    name,
  });
  const isAllowed = canChangeModules(ctx);
  const members = {
    ...status,
    version,
    installed_version: installedVersion,
    may_be_changed: isAllowed && changes.length > 0,
    changes: isAllowed ? changes : [],
    reason: isAllowed
      ? changes.length > 0
        ? null
        : NO_CHANGES_TEXT
      : `This needs ${ROLE_DESCRIPTIONS.administrator}.`,
    ...(removal && {
      removal: { rows: removal.rows, deleted: removal.deleted, started_at: removal.startedAt },
    }),
  };
  return toToolResult(members, 1);
}

const NO_CHANGES_TEXT =
  'It is part of the platform, is being removed, or the operator has not enabled the change.';
