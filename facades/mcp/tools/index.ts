import type { Tool } from '../tool.ts';
import { count } from './count.ts';
import { describeModel } from './describe-model.ts';
import { get } from './get.ts';
import { listModels } from './list-models.ts';
import { search } from './search.ts';

/** Every tool, in the order tools/list shows them. */
export const tools: readonly Tool[] = [search, get, count, listModels, describeModel];
