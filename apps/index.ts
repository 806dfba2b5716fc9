import { calendar } from './calendar/app.ts';
import { crm } from './crm/app.ts';
import { helpdesk } from './helpdesk/app.ts';
import type { App } from './kit/app.ts';
import { loadExternalApps, sortByDependencies } from './kit/external-apps.ts';
import { product } from './product/app.ts';
import { project } from './project/app.ts';
import { sale } from './sale/app.ts';

/** Of the product, each after those it builds on. */
const builtInApps: App[] = [calendar, crm, product, sale, project, helpdesk];

/** All there are, those of APPS_DIR included, each after those it builds on. */
export const apps: App[] = sortByDependencies([...builtInApps, ...loadExternalApps()]);
