import { call } from '../../../src/engine/verb/call.ts';
import { defineTool, READS, toolAnswer } from '../tool.ts';
import { MODEL_SCHEMA } from './schemas.ts';

const flags = (...names: string[]) => Object.fromEntries(names.map((name) => [name, { type: 'boolean' }]));

export const describeModelTool = defineTool<{ model: string }>({
  name: 'describe_model',
  title: 'Describe a model',
  description: 'Returns the fields of a model and what the user may do with its records.',
  inputSchema: {
    type: 'object',
    properties: { model: MODEL_SCHEMA },
    required: ['model'],
    additionalProperties: false,
  },
  outputSchema: {
    type: 'object',
    properties: {
      model: { type: 'string' },
      your_access: { type: 'object', properties: flags('read', 'create', 'write', 'unlink') },
      fields: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            name: { type: 'string' },
            string: { type: 'string' },
            type: { type: 'string' },
            ...flags('required', 'readonly'),
            relation: { type: 'string' },
            selection: { type: 'array', items: { type: 'array', items: { type: 'string' } } },
            help: { type: 'string' },
          },
          required: ['name', 'type'],
        },
      },
      _count: { type: 'integer' },
    },
    required: ['model', 'your_access', 'fields', '_count'],
  },
  annotations: READS,
  scope: 'read',
  effects: ['reads'],
  group: 'schema',
  method: null,
  run: async ({ ctx, args }) => {
    const info = await call(ctx, 'modelDescribe', args);
    return toolAnswer({ ...info }, info.fields.length);
  },
});
