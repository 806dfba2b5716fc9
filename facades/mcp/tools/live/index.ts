import type { Tool } from '../../tool.ts';
import { currentTimeTool } from './current-time.ts';
import { listInstalledModulesTool } from './list-installed-modules.ts';
import { moduleInstallTool, moduleUninstallTool, moduleUpgradeTool } from './module-change.ts';
import { moduleConfigureTool } from './module-configure.ts';
import { moduleStatusTool } from './module-status.ts';
import { platformInfoTool } from './platform-info.ts';
import { whatsNewTool } from './whats-new.ts';

export const liveTools: readonly Tool[] = [
  platformInfoTool,
  listInstalledModulesTool,
  whatsNewTool,
  currentTimeTool,
  moduleStatusTool,
  moduleInstallTool,
  moduleUpgradeTool,
  moduleConfigureTool,
  moduleUninstallTool,
];
