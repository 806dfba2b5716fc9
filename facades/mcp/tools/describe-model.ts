import { inputSchema } from '../input-schema.ts';
import { describeModelForAgent } from '../resources/describe-model.ts';
import { defineTool } from '../tool.ts';
import { outputSchema, READING_TOOL } from './kit.ts';
import { MODEL_SCHEMA, OFFSET_SCHEMA } from './schemas.ts';

export const describeModelTool = defineTool({
  name: 'describe_model',
  title: 'Describe a model',
  description:
    "Returns a model's fields and the user's permissions. With methods: true, also returns the methods for call.",
  inputSchema: inputSchema(
    {
      model: MODEL_SCHEMA,
      fields: { type: 'array', items: { type: 'string' }, description: 'Fields to return. Defaults to all.' },
      methods: { type: 'boolean', default: false },
      offset: OFFSET_SCHEMA,
    },
    ['model'],
  ),
  ...READING_TOOL,
  outputSchema: outputSchema(
    {
      model: { type: 'string' },
      your_access: { type: 'object' },
      fields: { type: 'array', items: { type: 'object' } },
      methods: { type: 'array', items: { type: 'object' } },
    },
    ['model', 'your_access', 'fields'],
  ),
  group: 'schema',
  method: null,
  isOurs: true,
  run: ({ ctx, args }) => describeModelForAgent(ctx, args),
});
