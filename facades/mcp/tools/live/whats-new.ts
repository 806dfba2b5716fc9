import { call } from '../../../../src/engine/operation/call.ts';
import { inputSchema } from '../../input-schema.ts';
import { defineTool, toToolResult } from '../../tool.ts';
import { LIVE_READING_TOOL } from '../kit.ts';

export const whatsNewTool = defineTool({
  name: 'whats_new',
  title: "What's new",
  description: "Lists this server's release notes, newest first, and the most recently changed apps.",
  inputSchema: inputSchema({
    limit: { type: 'integer', minimum: 1, default: 20, description: 'Per list.' },
  }),
  ...LIVE_READING_TOOL,
  run: async ({ ctx, args: { limit } }) => {
    const release_notes = await call(ctx, 'releaseNotes', { limit });
    const modules = await call(ctx, 'installedModules', {});
    const recently_changed_modules = modules
      .toSorted((a, b) => (a.changedAt < b.changedAt ? 1 : -1))
      .slice(0, limit)
      .map(({ name, shortdesc, installedVersion, changedAt }) => ({
        name,
        shortdesc,
        installed_version: installedVersion,
        changed_at: changedAt,
      }));
    const members = { release_notes, recently_changed_modules, note: NOTE };
    return toToolResult(members, release_notes.length + recently_changed_modules.length);
  },
});

const NOTE =
  "The release notes describe this server's version (platform_info). Unreleased changes are part of it, " +
  'but not of a numbered version yet.';
