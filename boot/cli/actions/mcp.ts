import { setFeature } from '../../../schema/base/workspace/workspace.ts';
import { runInWorkspace } from './run-in-workspace.ts';

export const setMcpFeature = (workspace: string, isOn: boolean) =>
  runInWorkspace(workspace, 'feature.set', { key: 'mcp', on: isOn }, async (ctx) => {
    await setFeature(ctx, 'mcp', isOn);
    return { workspace: ctx.workspace.slug, mcp: isOn };
  });
