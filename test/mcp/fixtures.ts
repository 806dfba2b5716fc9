import { createMcpRegistry } from '../../facades/mcp/registry.ts';
import {
  buildConfirmationRequest,
  defineTool,
  READ_ANNOTATIONS,
  type ToolSpec,
  toToolResult,
} from '../../facades/mcp/tool.ts';
import type { OperationEffects } from '../../src/engine/model/effects.ts';
import { callByName } from '../../src/engine/operation/call.ts';
import { errors } from '../../src/errors.ts';
import { until } from '../harness/wait.ts';

const WRITES = { ...READ_ANNOTATIONS, readOnlyHint: false };

const buildToolSpec = (name: string): ToolSpec<Record<string, unknown>> => ({
  name,
  title: `Title of ${name}`,
  description: `Does ${name}.`,
  inputSchema: {
    type: 'object',
    properties: {
      name: { type: 'string' },
      ids: { type: 'array', items: { type: 'integer' } },
      confirm: { type: 'boolean' },
    },
  },
  outputSchema: { type: 'object', properties: { _count: { type: 'integer' } }, required: ['_count'] },
  annotations: READ_ANNOTATIONS,
  scope: 'read',
  effects: ['reads'],
  group: 'live',
  method: null,
  isOurs: true,
  run: async () => toToolResult({}, 0),
});

/** Adds a partner after confirmation. Adding `Refused` fails after the insert. */
const addPartner: ToolSpec<Record<string, unknown>>['run'] = async ({ ctx, args, confirmed }) => {
  if (!confirmed) return buildConfirmationRequest({ preview: { adds: args.name } });
  const ids = await callByName(ctx, 'recordCreate', {
    model: 'res.partner',
    valsList: [{ name: args.name }],
  });
  if (args.name === 'Refused') throw errors.user('No.');
  return toToolResult({ ids }, 1);
};

/** Effects by which a policy decides whether to hold a tool's calls. */
const EFFECTS: Record<string, OperationEffects> = {
  mail_send: ['sends'],
  mail_autoreply_set: ['writes', 'sends'],
  delete: ['deletes'],
  mail_label: ['deletes'],
  module_install: ['modules'],
  module_upgrade: ['modules'],
  module_configure: ['modules'],
  module_uninstall: ['modules', 'deletes'],
};

const buildWriteTool = (name: string): ToolSpec<Record<string, unknown>> => ({
  ...buildToolSpec(name),
  annotations: WRITES,
  scope: 'write',
  effects: EFFECTS[name] ?? ['writes'],
  group: 'data',
  run: addPartner,
});

/** Calls of the tool `waiting` that have started to wait. */
export const waitCounter = { count: 0 };

/** Adds a partner. A partner named `Waits` is added only after the client has disconnected. */
const waitingTool: ToolSpec<Record<string, unknown>> = {
  ...buildWriteTool('waiting'),
  run: async (call) => {
    const { requestDb } = call.ctx;
    if (call.args.name === 'Waits') {
      waitCounter.count++;
      await until(() => requestDb.isClientGone(), 'the client hangs up');
    }
    return addPartner({ ...call, confirmed: true });
  },
};

export const waitingTools = createMcpRegistry([waitingTool].map(defineTool));

export const readCounter = { count: 0 };

const readingTool: ToolSpec<Record<string, unknown>> = {
  ...buildToolSpec('reading'),
  inputSchema: { type: 'object', properties: {} },
  run: async ({ ctx }) => {
    readCounter.count++;
    return toToolResult(
      { partners: await callByName(ctx, 'recordSearchCount', { model: 'res.partner', domain: [] }) },
      1,
    );
  },
};

/** Tools with names that policies use. Most of them add a partner. */
export const agentTools = createMcpRegistry(
  [
    buildToolSpec('plain'),
    readingTool,
    buildWriteTool('delete'),
    buildWriteTool('adding'),
    { ...buildWriteTool('mail_send'), group: 'mail' as const },
    {
      ...buildWriteTool('update'),
      run: async ({ args }) => toToolResult({}, (args.ids as number[]).length),
    } as ToolSpec<Record<string, unknown>>,
    {
      ...buildToolSpec('organizing'),
      run: async () => ({
        ...toToolResult({}, 1),
        undo: [{ method: 'set_flags', arguments: { entry_ids: [1], vals: { is_read: true } } }],
      }),
    },
  ].map(defineTool),
);

export const HELD_NAMES = [
  ...['mail_send', 'mail_autoreply_set', 'delete', 'mail_label'],
  ...['module_install', 'module_upgrade', 'module_configure', 'module_uninstall'],
];
export const toolsWithoutPreview = createMcpRegistry(
  HELD_NAMES.map((name) =>
    defineTool({
      ...buildWriteTool(name),
      inputSchema: { type: 'object', properties: { name: { type: 'string' } } },
      run: (call) => addPartner({ ...call, confirmed: true }),
    }),
  ),
);
