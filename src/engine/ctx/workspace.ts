import type { Catalog } from './catalog.ts';

export interface Workspace {
  id: number;
  slug: string;
  name: string;
  features: ReadonlySet<string>;
  catalog: Catalog;
}
