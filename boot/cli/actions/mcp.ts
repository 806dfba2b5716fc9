import { setFeature } from '../../../schema/base/workspace/workspace.ts';
import { runInWorkspace } from './run-in-workspace.ts';

export const mcpSet = (workspace: string, on: boolean) =>
  runInWorkspace(workspace, 'feature.set', { key: 'mcp', on }, async (ctx) => {
    await setFeature(ctx, 'mcp', on);
    return { workspace: ctx.workspace.slug, mcp: on };
  });
