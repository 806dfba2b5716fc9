import type { ModelInfo } from '../../../src/engine/describe/describe.ts';
import { defineTool, READS } from '../tool.ts';
import { MODEL_SCHEMA } from './schemas.ts';

const flags = (...names: string[]) => Object.fromEntries(names.map((name) => [name, { type: 'boolean' }]));

export const describeModelTool = defineTool<{ model: string }, ModelInfo>({
  name: 'describe_model',
  title: 'Describe a model',
  description: 'Returns the fields of a model and the operations the user may perform on its records.',
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
            type: { type: 'string' },
            ...flags('required', 'readonly'),
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
  method: null,
  toVerb: (args) => ({ verb: 'modelDescribe', variables: args }),
  shape: (info) => ({
    text: JSON.stringify({ ...info, _count: info.fields.length }),
    count: info.fields.length,
  }),
});
