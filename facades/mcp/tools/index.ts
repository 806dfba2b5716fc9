import type { Tool } from '../tool.ts';
import { countTool } from './count.ts';
import { describeModelTool } from './describe-model.ts';
import { getTool } from './get.ts';
import { listModelsTool } from './list-models.ts';
import { searchTool } from './search.ts';

/** Every tool, in the order tools/list shows them. */
export const tools: readonly Tool[] = [searchTool, getTool, countTool, listModelsTool, describeModelTool];
