import { type DocumentNode, type FragmentDefinitionNode, Kind } from 'graphql';

/** Fragments by name, without a prototype: the name is the document's. */
export type Fragments = Record<string, FragmentDefinitionNode>;

/** The fragments of a document. */
export function collectFragments({ definitions }: DocumentNode): Fragments {
  const fragments: Fragments = Object.create(null);
  for (const each of definitions)
    if (each.kind === Kind.FRAGMENT_DEFINITION) fragments[each.name.value] = each;
  return fragments;
}
