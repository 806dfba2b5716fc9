import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { defineTypedShape } from '../../../src/engine/operation/shape.ts';
import { buildMcpUrl, SETUP_CLIENTS } from './setup-text.ts';

const AgentSetup = defineTypedShape(
  'AgentSetup',
  'How a program is connected to the MCP server of the workspace.',
  {
    client: { type: 'String', description: 'Short name of the program, such as `claude-code`.' },
    label: { type: 'String', description: 'Name of the program, such as `Claude Code`.' },
    place: { type: 'String', description: 'File that the text belongs into, or `Terminal` for a command.' },
    text: { type: 'String', description: 'Text to copy. It holds no key, but says where one belongs.' },
  },
);

export const agentSetups = defineOperation('agentSetups', {
  kind: 'query',
  effects: ['reads'],
  policy: { auth: ['USER'], scope: 'read' },
  description: 'Returns what to give well-known programs to connect them to the MCP server of the workspace.',
  args: (arg) => ({
    withKey: arg.boolean({
      defaultValue: false,
      description: 'Whether the program sends an API key. Without one it signs you in with the browser.',
    }),
  }),
  type: [AgentSetup.ref] as object,
  run: ({ runtime, workspace }, { withKey }) => {
    const server = { url: buildMcpUrl(runtime.config.publicUrl, workspace.slug).href, key: withKey === true };
    return Object.entries(SETUP_CLIENTS).map(([client, { label, location, text }]) => ({
      client,
      label,
      location,
      text: text(server),
    }));
  },
});
