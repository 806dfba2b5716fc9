import { mcpPrompts } from '../prompts/index.ts';
import { createMcpRegistry } from '../registry.ts';
import { guideResources } from '../resources/guide.ts';
import { modelResources } from '../resources/models.ts';
import { aggregateTool } from './aggregate.ts';
import { callMethodTool } from './call.ts';
import { countTool } from './count.ts';
import { createTool } from './create.ts';
import { deleteTool } from './delete.ts';
import { describeModelTool } from './describe-model.ts';
import { findTool } from './find.ts';
import { getTool } from './get.ts';
import { listModelsTool } from './list-models.ts';
import { liveTools } from './live/index.ts';
import { mailTools } from './mailbox/index.ts';
import { searchTool } from './search.ts';
import { updateTool } from './update.ts';
import { websiteTools } from './website.ts';

export const mcpProduct = createMcpRegistry(
  [
    searchTool,
    getTool,
    countTool,
    findTool,
    createTool,
    updateTool,
    deleteTool,
    callMethodTool,
    aggregateTool,
    listModelsTool,
    describeModelTool,
    ...mailTools,
    ...liveTools,
    ...websiteTools,
  ],
  { resources: [guideResources, modelResources], prompts: mcpPrompts },
);
