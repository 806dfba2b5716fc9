import { setFeature } from '../../../schema/base/workspace/workspace.ts';
import { inWorkspace } from './in-workspace.ts';

export const mcpEnable = (workspace: string) =>
  inWorkspace(workspace, 'feature.set', { key: 'mcp', on: true }, async (ctx) => {
    await setFeature(ctx, 'mcp', true);
    return { workspace: ctx.workspace.slug, mcp: true };
  });
