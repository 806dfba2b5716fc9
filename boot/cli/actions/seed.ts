import { demoData } from '../../../schema/base/workspace/demo.ts';
import { inWorkspace } from './in-workspace.ts';

export const seedDemo = (workspace: string) => inWorkspace(workspace, 'seed.demo', {}, demoData);
