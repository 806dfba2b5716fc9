import { limits } from '../../../src/limits.ts';
import { defineTool, READS } from '../tool.ts';

interface Args {
  filter?: string;
  limit: number;
}

type Models = { model: string; name: string }[];

export const listModelsTool = defineTool<Args, Models>({
  name: 'list_models',
  title: 'List models',
  description: 'Lists the models the user may read, with their technical names.',
  inputSchema: {
    type: 'object',
    properties: {
      filter: { type: 'string', description: 'Text in the technical name or label.' },
      limit: {
        type: 'integer',
        minimum: 1,
        default: limits.mcp.models,
        description: 'Maximum number of models to return.',
      },
    },
    additionalProperties: false,
  },
  outputSchema: {
    type: 'object',
    properties: {
      models: {
        type: 'array',
        items: {
          type: 'object',
          properties: { model: { type: 'string' }, name: { type: 'string' } },
          required: ['model', 'name'],
        },
      },
      _count: { type: 'integer' },
    },
    required: ['models', '_count'],
  },
  annotations: READS,
  scope: 'read',
  method: null,
  toVerb: (args) => ({ verb: 'models', variables: { ...args } }),
  shape: (models) => ({ text: JSON.stringify({ models, _count: models.length }), count: models.length }),
});
