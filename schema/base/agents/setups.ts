import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { defineTypedShape } from '../../../src/engine/operation/shape.ts';
import { buildMcpUrl, SETUP_CLIENTS } from './setup-text.ts';

const AgentSetup = defineTypedShape(
  'AgentSetup',
  "Configuration that connects a program to the workspace's MCP server.",
  {
    client: { type: 'String', description: 'Short name of the program, such as `claude-code`.' },
    label: { type: 'String', description: 'Name of the program, such as `Claude Code`.' },
    place: { type: 'String', description: 'File to add the text to, or `Terminal` for a command.' },
    text: { type: 'String', description: 'Text to copy. It contains a placeholder instead of a key.' },
  },
);

export const agentSetups = defineOperation('agentSetups', {
  effects: ['reads'],
  policy: { auth: ['USER'], scope: 'read' },
  description: "Returns the configuration for connecting popular MCP clients to the workspace's MCP server.",
  args: (arg) => ({
    withKey: arg.boolean({
      defaultValue: false,
      description: 'True if the program sends an API key. If false, it signs you in through the browser.',
    }),
  }),
  type: [AgentSetup.ref] as object,
  run: ({ runtime, workspace }, { withKey }) => {
    const server = { url: buildMcpUrl(runtime.config.publicUrl, workspace.slug).href, key: withKey === true };
    return Object.entries(SETUP_CLIENTS).map(([client, { label, location, text }]) => ({
      client,
      label,
      place: location,
      text: text(server),
    }));
  },
});
