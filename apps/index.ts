import { calendar } from './calendar/app.ts';
import { crm } from './crm/app.ts';
import type { App } from './kit/app.ts';
import { product } from './product/app.ts';
import { project } from './project/app.ts';
import { sale } from './sale/app.ts';

/** The apps of the product, each after those it builds on. */
export const apps: App[] = [calendar, crm, product, sale, project];
