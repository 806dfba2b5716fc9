import type { Model } from './model.ts';

/** What defineModel says of fields is said of fields there are. @throws Error naming model, option and name */
export function checkDeclaration({ name, display, searchNames, order, fields, options }: Model): void {
  const named: Record<string, string[]> = {
    display: display === null ? [] : [display],
    searchNames,
    tree: options.tree ? [options.tree.parent] : [],
    order: order.split(',').map((term) => term.trim().split(/\s+/)[0]!),
  };
  for (const [option, names] of Object.entries(named))
    for (const each of names)
      if (!fields.has(each))
        throw new Error(`model ${name}: its ${option} names '${each}', which is none of its fields`);
}
