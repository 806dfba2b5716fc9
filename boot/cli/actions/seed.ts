import { addDemoData } from '../../../schema/base/workspace/demo.ts';
import { runInWorkspace } from './run-in-workspace.ts';

export const seedDemo = (workspace: string) => runInWorkspace(workspace, 'seed.demo', {}, addDemoData);
