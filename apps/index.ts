import { calendar } from './calendar/app.ts';
import { crm } from './crm/app.ts';
import { helpdesk } from './helpdesk/app.ts';
import type { App } from './kit/app.ts';
import { loadExternalApps, sortByDependencies } from './kit/external-apps.ts';
import { product } from './product/app.ts';
import { project } from './project/app.ts';
import { sale } from './sale/app.ts';

const builtInApps: App[] = [calendar, crm, product, sale, project, helpdesk];

/** All apps, including those in APPS_DIR, sorted by dependency. */
export const apps: App[] = sortByDependencies([...builtInApps, ...loadExternalApps()]);
